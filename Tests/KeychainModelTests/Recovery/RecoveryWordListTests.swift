// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@Suite struct RecoveryWordListTests {
    @Test("the list has 1024 words of four to seven small letters, in alphabetical order, none twice")
    func shape() {
        #expect(recoveryWords.count == 1024)
        #expect(RecoveryWordList.count == 1024)
        #expect(recoveryWords == Set(recoveryWords).sorted())
        for word in recoveryWords {
            #expect((4...7).contains(word.utf8.count), "\(word)")
            #expect(word.utf8.allSatisfy { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }, "\(word)")
        }
    }

    @Test("four letters tell every word from all others")
    func starts() {
        #expect(Set(recoveryWords.map { $0.prefix(4) }).count == 1024)
    }

    @Test("no letter changed, added, left out or swapped with the next turns a word into another")
    func distance() {
        let words = Set(recoveryWords)
        var patterns: Set<[Character]> = []
        for word in recoveryWords {
            let letters = Array(word)
            for index in letters.indices {
                var changed = letters
                changed[index] = "?"
                #expect(patterns.insert(changed).inserted, "another word fits \(String(changed))")
                var shorter = letters
                shorter.remove(at: index)
                #expect(!words.contains(String(shorter)), "\(word) holds another word")
                guard index > 0, letters[index] != letters[index - 1] else { continue }
                var swapped = letters
                swapped.swapAt(index - 1, index)
                #expect(!words.contains(String(swapped)), "\(word) is another word swapped")
            }
        }
    }

    @Test("the list is still the one that recovery keys were written with")
    func frozen() {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in recoveryWords.joined(separator: " ").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        #expect(hash == 0x674D_CB7F_9951_59FE)
    }

    @Test("a word is found in any case, whole or abbreviated to four letters or more, and in no other way")
    func lookup() {
        for (index, word) in recoveryWords.enumerated() {
            for size in 4...word.count {
                let typed = String(word.prefix(size))
                #expect(recoveryWord(typed).flatMap(RecoveryWordList.index) == index)
                #expect(recoveryWord(typed.uppercased()).flatMap(RecoveryWordList.index) == index)
            }
            #expect(recoveryWord(String(word.prefix(3))) == nil)
            #expect(recoveryWord(word + "s").flatMap(RecoveryWordList.index) == nil)
        }
    }

    @Test(
        "what is not four to seven ASCII letters is no word",
        arguments: ["", "abc", "absently", "ab1e", "ábse", "@bse", "abs[", "abs{", "abs`", "ab\0e"])
    func noWord(typed: String) {
        #expect(recoveryWord(typed) == nil)
    }

    @Test(
        "words before, between and behind those of the list are not found",
        arguments: ["aaaa", "abseil", "llama", "zzzz"])
    func notFound(typed: String) {
        #expect(recoveryWord(typed) != nil)
        #expect(recoveryWord(typed).flatMap(RecoveryWordList.index) == nil)
    }
}
