// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import TestSeed
import Testing

@Suite struct MutationTests {
    @Test("random and damaged bytes are refused, or are the one encoding of what they say")
    func whatDecodesReencodes() {
        var seed = Seed(for: "Mutation")
        var accepted = 0
        for round in 0..<20_000 {
            let bytes: [UInt8] =
                switch round % 5 {
                case 0: seed.bytes(Int(seed.next() % 40))
                case 1: seed.mutated(corpus.randomElement(using: &seed) ?? [])
                case 2: seed.mutated((try? seed.propertyList().encoded()) ?? [])
                case 3: seed.mutated((try? AttributeCoding.encode(seed.attributes())) ?? [])
                default: seed.mutated(SecretCodingTests.encode(seed.bytes(seed.size()), digest: seed.bytes(20)))
                }
            do {
                accepted += try check(bytes)
            } catch {
                Issue.record("\(bytes) decodes and encodes to something else")
                return
            }
        }
        // Were nearly everything refused at once, the test would show nothing.
        #expect(accepted > 500)
    }

    private struct Changed: Error {}

    /// How many of the three decoders took the bytes; throws when one would write others.
    private func check(_ bytes: [UInt8]) throws(Changed) -> Int {
        var accepted = 0
        let value = try? PropertyList(decoding: bytes)
        if let value {
            accepted += 1
            guard (try? value.encoded()) == bytes else { throw Changed() }
        }
        // What the two narrow decoders take, the wide one takes too.
        if let list = try? AttributeCodingTests.decode(bytes) {
            accepted += 1
            guard value != nil, (try? AttributeCoding.encode(list)) == bytes else { throw Changed() }
        }
        if let secret = try? SecretCodingTests.decode(bytes) {
            accepted += 1
            guard value != nil, SecretCodingTests.encode(secret.data, digest: secret.digest) == bytes else {
                throw Changed()
            }
        }
        return accepted
    }
}

extension Seed {
    /// The bytes after up to three accidents.
    fileprivate mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<next() % 4 {
            guard !bytes.isEmpty else { return bytes }
            let index = Int.random(in: bytes.indices, using: &self)
            switch next() % 7 {
            case 0: bytes[index] ^= 1 << UInt8(next() % 8)
            case 1: bytes[index] = UInt8.random(in: 0...255, using: &self)
            case 2: bytes[index] = [0, 1, 0x7F, 0x80, 0x81, 0x82, 0x88, 0xFF].randomElement(using: &self) ?? 0
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &self), at: index)
            case 4: bytes.remove(at: index)
            case 5: bytes.removeSubrange(index...)
            default: bytes.append(contentsOf: bytes[index...])
            }
        }
        return bytes
    }
}
