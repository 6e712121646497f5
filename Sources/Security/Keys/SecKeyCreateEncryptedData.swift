// SPDX-License-Identifier: Apache-2.0

internal import KeychainEngine
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Encrypts with a public key, or with a symmetric one; nil, and an error, when it cannot.
///
/// - Parameters:
///   - key: A public or symmetric key.
///   - algorithm: How to encrypt; ``SecKeyAlgorithm/aesEncryptionGCM`` for a symmetric key.
///   - plaintext: What is to be encrypted.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe KeyCall.result("SecKeyCreateEncryptedData", error) { () throws(KeychainError) in
        try unsafe plaintext.lendingBytes { (bytes) throws(KeychainError) in
            NSData(copying: try unsafe key.encrypted(bytes, algorithm))
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Decrypts with a private key, or with a symmetric one; nil, and an error, when it cannot.
///
/// The data is the caller's own; it is wiped when it goes.
///
/// - Parameters:
///   - key: A private or symmetric key.
///   - algorithm: How it was encrypted.
///   - ciphertext: What is to be decrypted.
///   - error: Set when nil is returned, and does not tell what was wrong; the caller releases it.
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe KeyCall.result("SecKeyCreateDecryptedData", error) { () throws(KeychainError) in
        try unsafe ciphertext.lendingBytes { (bytes) throws(KeychainError) in
            try unsafe key.decrypted(bytes, algorithm)
        }
    }
}

/// What the functions of either generation do; each checks the terms of the key first.
extension SecKey {
    func encrypted(
        _ plain: UnsafeRawBufferPointer, _ algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> [UInt8] {
        let algorithm = try allowed(.encrypt, algorithm)
        if let keeper {
            let sealed = try keeper.perform(
                .encrypt(unsafe SecretValue(copying: plain), algorithm: algorithm.name))
            return sealed.unsecretBytes
        }
        return try KeyCall.using { () throws(KeyError) in try unsafe key.encrypt(plain, with: algorithm) }
    }

    func decrypted(
        _ sealed: UnsafeRawBufferPointer, _ algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> SecretData {
        let algorithm = try allowed(.decrypt, algorithm)
        if let keeper {
            return SecretData(
                try keeper.perform(.decrypt(unsafe SecretValue(copying: sealed), algorithm: algorithm.name)))
        }
        return try KeyCall.using { () throws(KeyError) in
            SecretData(copying: try unsafe key.decrypt(sealed, with: algorithm))
        }
    }
}
