// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// A kind of software key, to be stored as one that may not leave.
enum KeptKey: String, Sendable, Codable, CaseIterable, CustomTestStringConvertible {
    case rsa2048 = "RSA 2048"
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"
    case ed25519 = "Ed25519"
    case x25519 = "X25519"
    case aes128 = "AES 128"
    case aes256 = "AES 256"

    var testDescription: String { rawValue }

    var type: CFString {
        switch self {
        case .rsa2048: kSecAttrKeyTypeRSA
        case .p256, .p384, .p521: kSecAttrKeyTypeECSECPrimeRandom
        case .ed25519: kSecAttrKeyTypeEd25519
        case .x25519: kSecAttrKeyTypeX25519
        case .aes128, .aes256: kSecAttrKeyTypeAES
        }
    }

    var bits: Int {
        switch self {
        case .rsa2048: 2048
        case .p256, .ed25519, .x25519, .aes256: 256
        case .p384: 384
        case .p521: 521
        case .aes128: 128
        }
    }

    var isSymmetric: Bool { self == .aes128 || self == .aes256 }
    var part: CFString { isSymmetric ? kSecAttrKeyClassSymmetric : kSecAttrKeyClassPrivate }

    /// How a key came into the keychain and was bound to stay there.
    enum Way: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case made = "SecKeyCreateRandomKey"
        case read = "SecKeyCreateWithData"
        case added = "SecItemAdd of a reference"
        case described = "SecItemAdd of attributes and data"
        case sensitive = "as a sensitive one"

        var testDescription: String { rawValue }
    }

    /// A stored key that may not leave; `bytes` are its own where somebody outside has seen them.
    struct Kept {
        let reference: SecKey
        /// The public half, or the symmetric key itself, as somebody outside has it.
        let outside: SecKey?
        let bytes: Data?
    }

    /// Stores one, which is labelled by the way it came.
    func keep(_ way: Way) throws -> Kept {
        let kind: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits]
        let binding: [CFString: Any] =
            way == .sensitive ? [kSecAttrIsSensitive: true] : [kSecAttrIsExtractable: false]
        let terms = binding.merging([kSecAttrLabel: way.rawValue]) { $1 }
        let permanent = terms.merging([kSecAttrIsPermanent: true]) { $1 }
        if way == .made {
            let alone = permanent.merging([kSecPublicKeyAttrs: [kSecAttrIsPermanent: false]]) { $1 }
            let key = try Keys.made(kind.merging(alone) { $1 })
            return Kept(reference: key, outside: SecKeyCopyPublicKey(key), bytes: nil)
        }
        let loose = try Keys.made(kind)
        let bytes = try Keys.bytes(loose)
        let outside = isSymmetric ? loose : SecKeyCopyPublicKey(loose)
        switch way {
        case .made, .read, .sensitive:
            let key = try #require(Keys.read(bytes, type, part, permanent))
            return Kept(reference: key, outside: outside, bytes: bytes)
        case .added, .described:
            let what: [CFString: Any] =
                way == .added
                ? [kSecValueRef: loose]
                : kind.merging([kSecClass: kSecClassKey, kSecAttrKeyClass: part, kSecValueData: bytes]) { $1 }
            let add = what.merging(terms) { $1 }.merging([kSecReturnRef: true]) { $1 }
            var result: CFTypeRef?
            try #require(SecItemAdd(add as CFDictionary, &result) == errSecSuccess)
            return Kept(reference: try #require(result as? SecKey), outside: outside, bytes: bytes)
        }
    }
}
