// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// How keys are made here.
enum Keys {
    static var ofEnclave: [CFString: Any] {
        [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
        ]
    }

    /// A key that the enclave makes.
    static func inEnclave(_ more: [CFString: Any] = [:]) throws -> SecKey {
        try made(ofEnclave.merging(more) { $1 })
    }

    /// A key that is in this process.
    static func software(_ type: CFString = kSecAttrKeyTypeEC, _ bits: Int = 256) throws -> SecKey {
        try made([kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits])
    }

    static func made(_ parameters: [CFString: Any]) throws -> SecKey {
        var error: Unmanaged<CFError>?
        let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
        return try #require(key, "\(error?.takeRetainedValue().localizedDescription ?? "no error")")
    }

    static func publicHalf(_ key: SecKey) throws -> SecKey { try #require(SecKeyCopyPublicKey(key)) }

    static func bytes(_ key: SecKey) throws -> Data { try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data }

    static func read(_ bytes: Data, _ type: CFString, _ part: CFString, _ more: [CFString: Any] = [:]) -> SecKey? {
        let attributes = [kSecAttrKeyType: type, kSecAttrKeyClass: part] as [CFString: Any]
        return SecKeyCreateWithData(bytes as CFData, attributes.merging(more) { $1 } as CFDictionary, nil)
    }

    static func control(
        _ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlocked
    ) throws -> SecAccessControl {
        try #require(SecAccessControlCreateWithFlags(nil, protection, flags, nil))
    }

    /// Whether a private key signs something that its public half, read anew from its bytes, takes for signed.
    static func signs(_ key: SecKey) throws -> Bool {
        let bytes = try bytes(publicHalf(key))
        let other = try #require(read(bytes, kSecAttrKeyTypeEC, kSecAttrKeyClassPublic))
        let message = Data("a message".utf8) as CFData
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        guard let signature = SecKeyCreateSignature(key, algorithm, message, nil) else { return false }
        return SecKeyVerifySignature(other, algorithm, message, signature, nil)
    }
}
