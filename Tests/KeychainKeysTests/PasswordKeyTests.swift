// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainModel
import Testing

@Suite struct PasswordKeyTests {
    static let salt = [UInt8](repeating: 1, count: 8)

    @Test("the functions have Apple's names")
    func names() {
        #expect(
            ["hsha1", "hsha224", "hsha256", "hsha384", "hsha512"].map { PasswordKey.hash(named: $0) }
                == [.sha1, .sha224, .sha256, .sha384, .sha512])
        for name in ["", "hmd5", "sha256", "HSHA1"] { #expect(PasswordKey.hash(named: name) == nil) }
    }

    @Test("parameters outside the bounds are refused")
    func bounds() {
        #expect(PasswordKey(salt: Self.salt)?.rounds == UInt32(PasswordKey.defaultRounds))
        #expect(PasswordKey.defaultRounds >= 1000)
        #expect(PasswordKey(salt: Self.salt.dropLast()) == nil)
        #expect(PasswordKey(salt: []) == nil)
        #expect(PasswordKey(salt: [UInt8](repeating: 1, count: 1 << 17)) == nil)
        #expect(PasswordKey(hash: .md5, salt: Self.salt) == nil)
        for rounds in [0, -1, .min, .max] { #expect(PasswordKey(salt: Self.salt, rounds: rounds) == nil) }
    }

    @Test("an AES key of each size is derived, the same each time")
    func keys() throws {
        let derivation = try #require(PasswordKey(salt: Self.salt, rounds: 10))
        for bits in [128, 192, 256] {
            let key = try [UInt8]("pw".utf8).lend { (word) throws(KeyError) in
                try derivation.key(from: word, bits: bits)
            }
            let again = try [UInt8]("pw".utf8).lend { (word) throws(KeyError) in
                try derivation.key(from: word, bits: bits)
            }
            let other = try [UInt8]("px".utf8).lend { (word) throws(KeyError) in
                try derivation.key(from: word, bits: bits)
            }
            #expect(key.isEqual(to: again) && !key.isEqual(to: other) && key.bits == bits)
        }
        for bits in [0, 64, 127, 512, .max] {
            #expect(throws: KeyError.unsupportedKey) {
                try [1].lend { (word) throws(KeyError) in try derivation.key(from: word, bits: bits) }
            }
        }
        #expect(throws: KeyError.invalidLength) {
            try [].lend { (word) throws(KeyError) in try derivation.key(from: word, bits: 128) }
        }
        for count in [0, -1, .max] {
            #expect(throws: KeyError.invalidLength) {
                try [1].lend { (word) throws(KeyError) in try derivation.derive(from: word, count: count).count }
            }
        }
    }
}
