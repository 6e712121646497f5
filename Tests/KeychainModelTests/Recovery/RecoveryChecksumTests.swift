// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

/// How many wrong keys the twelve bits let pass.
///
/// The numbers are the same in every run, and lie within four standard deviations of what is expected.
@Suite struct RecoveryChecksumTests {
    /// Fourteen abbreviations, each with a space behind it.
    private struct Typed {
        var bytes: [UInt8]

        init(_ text: String) {
            bytes = text.split(separator: " ").flatMap { Array($0.utf8.prefix(4)) + [UInt8(ascii: " ")] }
        }

        subscript(position: Int) -> [UInt8] {
            get { Array(bytes[5 * position..<5 * position + 4]) }
            set { for index in 0..<4 { bytes[5 * position + index] = newValue[index] } }
        }
    }

    /// Whether `typed` passes for the key; anything but a key or a wrong checksum is recorded.
    private func passes(_ typed: Typed) -> Bool {
        do {
            _ = try recoveryKey(from: typed.bytes)
            return true
        } catch {
            if error != .wrongChecksum { Issue.record(error) }
            return false
        }
    }

    @Test("of all ways to have one word wrong, one in 4096 is taken for a key, and none when it is the last word")
    func substitutions() throws {
        let keys = 24
        var numbers = RecoveryNumbers(2)
        let starts = recoveryWords.map { Array($0.utf8.prefix(4)) }
        var passed = Array(repeating: 0, count: 14)
        for _ in 0..<keys {
            let right = Typed(try recoveryText(of: numbers.key()))
            for position in 0..<14 {
                var typed = right
                let own = right[position]
                for start in starts where start != own {
                    typed[position] = start
                    if passes(typed) { passed[position] += 1 }
                }
            }
        }
        // Twelve words are all key. The thirteenth has the last eight bits of the key: of its 1023 substitutes three
        // leave those alone, and change only the checksum, as every other last word does.
        #expect(passed[13] == 0)
        let expected = Double(keys * (12 * 1023 + 1020)) / 4096
        let sum = passed.reduce(0, +)
        print("one word wrong: \(sum) of \(keys * 14 * 1023) passed, \(expected) expected")
        #expect(abs(Double(sum) - expected) < 4 * expected.squareRoot())
    }

    @Test("of all ways to swap two words, one in 4096 is taken for a key")
    func swaps() throws {
        var numbers = RecoveryNumbers(3)
        var tried = 0
        var passed = 0
        for _ in 0..<600 {
            let right = Typed(try recoveryText(of: numbers.key()))
            for first in 0..<13 {
                for second in first + 1..<14 where right[first] != right[second] {
                    var typed = right
                    typed[first] = right[second]
                    typed[second] = right[first]
                    tried += 1
                    if passes(typed) { passed += 1 }
                }
            }
        }
        let expected = Double(tried) / 4096
        print("two words swapped: \(passed) of \(tried) passed, \(expected) expected")
        #expect(abs(Double(passed) - expected) < 4 * expected.squareRoot())
    }

    @Test("whatever bytes are typed, they are refused, or are a key that comes back from its own words")
    func mutations() throws {
        var numbers = RecoveryNumbers(4)
        var passed = 0
        for _ in 0..<300 {
            let key = numbers.key()
            let text = Array(try recoveryText(of: key).utf8)
            for _ in 0..<40 {
                var typed = text
                for _ in 0...Int.random(in: 0...2, using: &numbers) {
                    mutate(&typed, with: &numbers)
                }
                guard let found = try? recoveryKey(from: typed) else { continue }
                passed += 1
                #expect(try recoveryKey(from: recoveryText(of: found)) == found)
            }
        }
        // Changes of case, of separators and behind the fourth letter are among them.
        #expect(passed > 0)
    }

    private func mutate(_ typed: inout [UInt8], with numbers: inout RecoveryNumbers) {
        let place = typed.indices.randomElement(using: &numbers) ?? 0
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0: typed[place] ^= 0x20
        case 1: typed[place] = UInt8.random(in: 0...255, using: &numbers)
        case 2: typed.remove(at: place)
        case 3: typed.insert(Array("1.-, \nae".utf8).randomElement(using: &numbers) ?? 0, at: place)
        default: typed.removeSubrange(place...)
        }
        if typed.isEmpty { typed = [0] }
    }
}
