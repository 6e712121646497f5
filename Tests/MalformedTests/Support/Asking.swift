// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The public functions, as the cases call them.
enum Asking {
    /// What bytes are said to be.
    enum Kind: String, Sendable, CaseIterable {
        case rsaPublic = "RSA public key"
        case rsaPrivate = "RSA private key"
        case ecPublic = "EC public key"
        case ecPrivate = "EC private key"
        case ed25519Public = "Ed25519 public key"
        case ed25519Private = "Ed25519 private key"
        case x25519Public = "X25519 public key"
        case aes = "AES key"

        fileprivate var attributes: [CFString: Any] {
            let (type, part): (CFString, CFString) =
                switch self {
                case .rsaPublic: (kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic)
                case .rsaPrivate: (kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate)
                case .ecPublic: (kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClassPublic)
                case .ecPrivate: (kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClassPrivate)
                case .ed25519Public: (kSecAttrKeyTypeEd25519, kSecAttrKeyClassPublic)
                case .ed25519Private: (kSecAttrKeyTypeEd25519, kSecAttrKeyClassPrivate)
                case .x25519Public: (kSecAttrKeyTypeX25519, kSecAttrKeyClassPublic)
                case .aes: (kSecAttrKeyTypeAES, kSecAttrKeyClassSymmetric)
                }
            return [kSecAttrKeyType: type, kSecAttrKeyClass: part]
        }
    }

    static func certificate(_ der: [UInt8]) -> MalformedCase.Answer {
        SecCertificateCreateWithData(nil, Data(der) as CFData) == nil ? .refused : .taken
    }

    static func read(_ kind: Kind, _ bytes: [UInt8]) -> SecKey? {
        SecKeyCreateWithData(Data(bytes) as CFData, kind.attributes as CFDictionary, nil)
    }

    static func key(_ kind: Kind, _ bytes: [UInt8]) -> MalformedCase.Answer {
        var error: Unmanaged<CFError>?
        let key = SecKeyCreateWithData(Data(bytes) as CFData, kind.attributes as CFDictionary, &error)
        return answer(key != nil, error)
    }

    static func signature(_ use: FixedUse, _ bytes: [UInt8]) -> MalformedCase.Answer {
        guard let key = SecKeyCopyPublicKey(use.key) else { return .refused }
        var error: Unmanaged<CFError>?
        let isValid = SecKeyVerifySignature(
            key, use.algorithm, Data(FixedUse.message) as CFData, Data(bytes) as CFData, &error)
        return answer(isValid, error)
    }

    static func ciphertext(_ use: FixedUse, _ bytes: [UInt8]) -> MalformedCase.Answer {
        var error: Unmanaged<CFError>?
        let plain = SecKeyCreateDecryptedData(use.key, use.algorithm, Data(bytes) as CFData, &error)
        return answer(plain != nil, error)
    }

    static func file(_ bytes: [UInt8], _ passphrase: String) -> MalformedCase.Answer {
        let options: [CFString: Any] = [kSecImportExportPassphrase: passphrase]
        var items: CFArray?
        let status = SecPKCS12Import(Data(bytes) as CFData, options as CFDictionary, &items)
        if status == errSecSuccess { return .taken }
        return items == nil ? .failed(status) : .taken
    }

    /// A failure has an error, a success has none.
    private static func answer(_ isTaken: Bool, _ error: Unmanaged<CFError>?) -> MalformedCase.Answer {
        let failure = error?.takeRetainedValue()
        if isTaken { return failure == nil ? .taken : .refused }
        return failure.map { .failed(OSStatus(CFErrorGetCode($0))) } ?? .refused
    }
}
