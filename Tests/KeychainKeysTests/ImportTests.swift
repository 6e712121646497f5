// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainModel
import TestSeed
import Testing

@Suite struct ImportTests {
    @Test("what a key gives is what makes it again", arguments: TestKeys.all.filter { !$0.isHeldElsewhere })
    func returns(key: CryptoKey) throws {
        let bytes = try key.representation().array
        let again = try CryptoKey(key.type, key.part, representation: bytes)
        #expect(again.isEqual(to: key) && key.isEqual(to: again))
        #expect((again.bits, again.blockSize) == (key.bits, key.blockSize))
        let twice = try again.representation().array
        #expect(twice == bytes)
        #expect(try again.applicationLabel() == key.applicationLabel())
        #expect(try key.applicationLabel()?.count == 20)
        #expect("\(key)" == "CryptoKey(\(key.type), \(key.part), \(key.bits) bits)")
    }

    @Test("both halves have one label and are not equal", arguments: TestKeys.privateKeys)
    func halves(key: CryptoKey) throws {
        let other = try key.publicKey()
        #expect(try key.applicationLabel() == other.applicationLabel())
        #expect(!key.isEqual(to: other))
        #expect(key.publicRepresentation == other.publicRepresentation)
        for stranger in TestKeys.privateKeys
        where stranger !== key && !(stranger.isHeldElsewhere || key.isHeldElsewhere) {
            #expect(!stranger.isEqual(to: key))
        }
    }

    @Test(
        "a new key has the size it should, and is no other's",
        arguments: [
            (KeyType.rsa, 1024), (.rsa, 1025), (.rsa, 2048), (.rsa, 2049), (.rsa, 2056), (.ec, 256), (.ec, 384),
            (.ec, 521), (.ed25519, 256), (.x25519, 256),
            (.ed448, 448), (.x448, 448), (.aes, 128), (.aes, 192), (.aes, 256),
        ])
    func makes(type: KeyType, bits: Int) throws {
        let key = try CryptoKey.generate(type, bits: bits)
        #expect(key.bits == bits)
        #expect(key.part == (type == .aes ? .symmetric : .private))
        #expect(try !CryptoKey.generate(type, bits: bits).isEqual(to: key))
        let bytes = try key.representation().array
        let again = try CryptoKey(type, key.part, representation: bytes)
        #expect(again.isEqual(to: key))
    }

    @Test(
        "no key of another size is made",
        arguments: [
            (KeyType.rsa, 0), (.rsa, -1), (.rsa, 512), (.rsa, 1023), (.rsa, 8193), (.rsa, .max), (.rsa, .min), (.ec, 0),
            (.ec, 192), (.ec, 224), (.ec, 255), (.ec, 512), (.ec, .max), (.ed25519, 255), (.x25519, 0), (.ed448, 456),
            (.x448, 256), (.aes, 0), (.aes, 64), (.aes, 129), (.aes, 512),
        ])
    func unmade(type: KeyType, bits: Int) {
        #expect(throws: KeyError.unsupportedKey) { try CryptoKey.generate(type, bits: bits) }
    }

    @Test("a part that the kind does not have is refused")
    func parts() {
        let bytes = [UInt8](repeating: 1, count: 32)
        for type in KeyType.allCases {
            for part in KeyPart.allCases where (type == .aes) != (part == .symmetric) {
                #expect(throws: KeyError.unsupportedKey) { try CryptoKey(type, part, representation: bytes) }
            }
        }
    }

    @Test("what is no key is refused, and why", arguments: BadKeys.all)
    func bad(row: BadKeys.Row) {
        #expect(throws: row.error) { try CryptoKey(row.type, row.part, representation: row.bytes) }
    }

    @Test("no changed key is taken for a key it is not", arguments: TestKeys.all.filter { !$0.isHeldElsewhere })
    func mutated(key: CryptoKey) throws {
        var seed = Seed(for: "ImportTests.mutated \(key)")
        let bytes = try key.representation().array
        for _ in 0..<(key.bits > 2048 ? 50 : 200) {
            let changed = seed.mutated(bytes)
            // Nothing traps, and what is taken comes out as it went in.
            guard let read = try? CryptoKey(key.type, key.part, representation: changed) else { continue }
            let again = try read.representation().array
            #expect(again == changed)
            if key.part == .private && (key.type == .rsa || key.type == .ec) { #expect(changed == bytes) }
        }
    }
}
