// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainWire
import TestSeed
import Testing

/// Bytes that were changed on the way are refused, or mean something else that is written as those very bytes.
@Suite struct MutationTests {
    /// One message of the kind, with something in it, and not so long that all its changes take minutes.
    private func sample(_ kind: Int, _ name: String) throws -> [UInt8] {
        var seed = Seed(for: "MutationTests.\(name) \(kind)")
        var best: [UInt8] = []
        for _ in 0..<1000 where best.count < 120 {
            let bytes = try seed.message(kind).bytes()
            if bytes.count <= 200, bytes.count > best.count { best = bytes }
        }
        try #require(!best.isEmpty)
        return best
    }

    @Test("a message that ends early is refused", arguments: Seed.messages)
    func truncated(kind: Int) throws {
        let bytes = try sample(kind, "truncated")
        for count in bytes.indices {
            #expect(WireBytes.refusal(of: Array(bytes[..<count])) != nil)
        }
    }

    @Test("a message with a byte more is refused", arguments: Seed.messages)
    func longer(kind: Int) throws {
        let bytes = try sample(kind, "longer")
        for byte: UInt8 in [0, 5, 0x30, 0xFF] { #expect(WireBytes.refusal(of: bytes + [byte]) != nil) }
    }

    @Test("a message of which a byte was changed is refused or is another message", arguments: Seed.messages)
    func changed(kind: Int) throws {
        var bytes = try sample(kind, "changed")
        var seed = Seed(for: "MutationTests.differences \(kind)")
        var wrong = 0
        for index in bytes.indices {
            let original = bytes[index]
            for difference in Self.differences(&seed) {
                bytes[index] = original ^ difference
                guard let read = try? WireMessage(bytes) else { continue }
                if try read.bytes() != bytes { wrong += 1 }
            }
            bytes[index] = original
        }
        #expect(wrong == 0)
    }

    /// Each bit alone, all of them, and seven others by lot; `KEYCHAIN_MUTATIONS=all` takes every one there is.
    private static func differences(_ seed: inout Seed) -> [UInt8] {
        if Seed.takesAllMutations { return Array(1...UInt8.max) }
        return (0..<8).map { 1 << $0 } + [0xFF] + (0..<7).map { _ in UInt8(1 + seed.below(255)) }
    }

    @Test("a message of random bytes is refused or is written as the same bytes")
    func random() throws {
        var seed = Seed(for: "MutationTests.random")
        for _ in 0..<20_000 {
            var bytes = try seed.message(seed.below(24)).bytes()
            for _ in 0...seed.below(4) { bytes[seed.below(bytes.count)] = UInt8(truncatingIfNeeded: seed.next()) }
            if seed.oneIn(3) { bytes.removeSubrange(seed.below(bytes.count)...) }
            guard let read = try? WireMessage(bytes) else { continue }
            #expect(try read.bytes() == bytes)
        }
    }
}
