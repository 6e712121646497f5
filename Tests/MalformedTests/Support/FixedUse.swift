// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// A key and a way to use it.
// Sendable: a SecKey may be used by several threads, and nothing here changes.
struct FixedUse: @unchecked Sendable, CustomStringConvertible {
    static let message = Array("what is signed, and encrypted".utf8)

    let description: String
    let key: SecKey
    let algorithm: SecKeyAlgorithm

    private init(_ description: String, _ key: SecKey, _ algorithm: SecKeyAlgorithm) {
        self.description = description
        self.key = key
        self.algorithm = algorithm
    }

    /// The size of a modulus, or of a coordinate.
    var size: Int { SecKeyGetBlockSize(key) }

    func signature() throws -> [UInt8] {
        [UInt8](try #require(SecKeyCreateSignature(key, algorithm, Data(Self.message) as CFData, nil)) as Data)
    }

    func ciphertext() throws -> [UInt8] {
        let other = SecKeyCopyPublicKey(key) ?? key
        return [UInt8](
            try #require(SecKeyCreateEncryptedData(other, algorithm, Data(Self.message) as CFData, nil)) as Data)
    }

    static let p256 = Result { try key(kSecAttrKeyTypeECSECPrimeRandom, 256) }
    static let p521 = Result { try key(kSecAttrKeyTypeECSECPrimeRandom, 521) }
    static let p384 = Result { try key(kSecAttrKeyTypeECSECPrimeRandom, 384) }
    static let rsa = Result { try key(kSecAttrKeyTypeRSA, 2048) }
    static let ed25519 = Result { try key(kSecAttrKeyTypeEd25519, 256) }
    static let aes = Result { try key(kSecAttrKeyTypeAES, 256) }

    /// A key of a test's own.
    struct Key: @unchecked Sendable {
        let key: SecKey

        /// Its external bytes.
        func bytes(isPublic: Bool = false) throws -> [UInt8] {
            let part = isPublic ? try #require(SecKeyCopyPublicKey(key)) : key
            return [UInt8](try #require(SecKeyCopyExternalRepresentation(part, nil)) as Data)
        }

        func used(_ description: String, _ algorithm: SecKeyAlgorithm) -> FixedUse {
            FixedUse(description, key, algorithm)
        }
    }

    private static func key(_ type: CFString, _ bits: Int) throws -> Key {
        let parameters: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits]
        return Key(key: try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil)))
    }
}
