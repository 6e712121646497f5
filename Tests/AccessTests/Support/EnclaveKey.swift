// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A key that the enclave makes for a test, in the keychain that is in use.
struct EnclaveKey: Sendable {
    let label: String

    init(_ label: String) { self.label = label }

    /// Makes the key; 0, or why there is none.
    func make(_ control: SecAccessControl, _ terms: Password.Terms = [:]) -> OSStatus {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: true, kSecAttrAccessControl: control, kSecAttrLabel: label,
                kSecAttrApplicationTag: Data(label.utf8),
            ] as [CFString: Any],
        ]
        var error: Unmanaged<CFError>?
        let key = SecKeyCreateRandomKey(attributes.merging(terms) { $1 } as CFDictionary, &error)
        return key == nil ? EnclaveKey.status(of: error) : errSecSuccess
    }

    /// The reference to it, found in this way.
    func reference(_ terms: Password.Terms = [:]) -> (status: OSStatus, key: SecKey?) {
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrLabel: label,
            kSecReturnRef: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query.merging(terms) { $1 } as CFDictionary, &result)
        return (status, result as? SecKey)
    }

    /// Finds it in this way and signs with it; 0 for a signature that is right, or why there is none.
    func sign(_ terms: Password.Terms = [:]) -> OSStatus {
        let (status, key) = reference(terms)
        return key.map { EnclaveKey.sign(with: $0) } ?? status
    }

    /// Signs; 0 for a signature that is right, or why there is none.
    static func sign(
        with key: SecKey, _ algorithm: SecKeyAlgorithm = .ecdsaSignatureMessageX962SHA256
    ) -> OSStatus {
        let message = "a message".data as CFData
        var error: Unmanaged<CFError>?
        guard let signature = SecKeyCreateSignature(key, algorithm, message, &error) else { return status(of: error) }
        guard error == nil, let publicKey = SecKeyCopyPublicKey(key),
            SecKeyVerifySignature(publicKey, algorithm, message, signature, nil)
        else { return errSecVerifyFailed }
        return errSecSuccess
    }

    static func status(of error: Unmanaged<CFError>?) -> OSStatus {
        error.map { OSStatus(CFErrorGetCode($0.takeRetainedValue())) } ?? errSecInternalError
    }
}
