// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct PasswordDerivationTests {
    private static let salt = Data("NaClNaCl".utf8)

    @Test("the same password and parameters give the same key, and any other another")
    func derived() throws {
        func key(_ password: String, _ more: [CFString: Any] = [:]) -> SecKey? {
            let parameters: [CFString: Any] = [
                kSecAttrSalt: Self.salt, kSecAttrKeySizeInBits: 256, kSecAttrRounds: 1000,
            ]
            return SecKeyDeriveFromPassword(password as CFString, parameters.merging(more) { $1 } as CFDictionary, nil)
        }
        let one = try #require(key("password"))
        #expect(key("password") == one)
        #expect(key("password", [kSecAttrPRF: kSecAttrPRFHmacAlgSHA256]) == one)
        #expect(key("Password") != one)
        #expect(key("password", [kSecAttrRounds: 1001]) != one)
        #expect(key("password", [kSecAttrPRF: kSecAttrPRFHmacAlgSHA512]) != one)
        #expect(key("password", [kSecAttrSalt: Data("NaClNaC1".utf8)]) != one)
        #expect(SecKeyIsAlgorithmSupported(one, .encrypt, .aesEncryptionGCM))
    }

    static var refused: [[CFString: Any]] {
        [
            [:], [kSecAttrSalt: salt], [kSecAttrKeySizeInBits: 256],
            [kSecAttrSalt: Data(count: 7), kSecAttrKeySizeInBits: 256],
            [kSecAttrSalt: "salt", kSecAttrKeySizeInBits: 256],
            [kSecAttrSalt: salt, kSecAttrKeySizeInBits: 100],
            [kSecAttrSalt: salt, kSecAttrKeySizeInBits: 256, kSecAttrPRF: "md5"],
            [kSecAttrSalt: salt, kSecAttrKeySizeInBits: 256, kSecAttrRounds: 0],
            [kSecAttrSalt: salt, kSecAttrKeySizeInBits: 256, kSecAttrRounds: -1],
            [kSecAttrSalt: salt, kSecAttrKeySizeInBits: 256, kSecAttrKeyType: kSecAttrKeyTypeRSA],
        ]
    }

    @Test("parameters that are not right are refused", arguments: refused.indices)
    func refusals(index: Int) throws {
        let parameters = Self.refused[index] as CFDictionary
        let status = try KeyFailures.status { #expect(SecKeyDeriveFromPassword("password", parameters, $0) == nil) }
        #expect(status == errSecParam)
    }

    @Test("there is no key of no password")
    func empty() throws {
        let parameters: [CFString: Any] = [kSecAttrSalt: Self.salt, kSecAttrKeySizeInBits: 256, kSecAttrRounds: 1000]
        let status = try KeyFailures.status { _ = SecKeyDeriveFromPassword("", parameters as CFDictionary, $0) }
        #expect(status == errSecParam)
    }
}
