// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// Signatures of a private key, which the public key checks: Ed25519 (RFC 8032).
///
/// A private key is any 32 random bytes.
package enum Ed25519 {
    package static func makePrivateKey() throws(CryptoError) -> SecretBytes {
        try unsafe SecretBytes(count: keySize) { (bytes) throws(CryptoError) in try unsafe fillRandom(bytes) }
    }

    /// The 32 bytes of a private key's public one; throws `invalidLength`, or `zeroKey`.
    package static func publicKey(of privateKey: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        try unsafe key(privateKey).withUnsafePointer { (key) throws(CryptoError) in
            try unsafe [UInt8](count: keySize) { (output) throws(CryptoError) in
                var count = output.count
                guard unsafe EVP_PKEY_get_raw_public_key(key, output.baseAddress, &count) == 1, count == keySize else {
                    throw .takeFromLibrary()
                }
            }
        }
    }

    /// The 64 bytes of the one signature that the key gives a message.
    package static func signature(
        of message: [UInt8], with privateKey: borrowing SecretBytes
    ) throws(CryptoError) -> [UInt8] {
        try unsafe key(privateKey).withUnsafePointer { (key) throws(CryptoError) in
            let context = unsafe EVP_MD_CTX_new()
            defer { unsafe EVP_MD_CTX_free(context) }
            return try unsafe [UInt8](count: signatureSize) { (output) throws(CryptoError) in
                var count = output.count
                guard
                    unsafe context != nil
                        && EVP_DigestSignInit_ex(context, nil, nil, FetchedAlgorithm.library, nil, key, nil) == 1
                        && EVP_DigestSign(context, output.baseAddress, &count, message, message.count) == 1,
                    count == signatureSize
                else { throw .takeFromLibrary() }
            }
        }
    }

    /// Whether `signature` is the message's under `publicKey`; false also when that is no key.
    package static func isValid(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
        guard signature.count == signatureSize, publicKey.count == keySize else { return false }
        do throws(CryptoError) {
            let key = try unsafe LibraryKey(
                llv_openssl_ed25519_public_key(FetchedAlgorithm.library, publicKey, publicKey.count))
            return try unsafe key.withUnsafePointer { (key) throws(CryptoError) in
                let context = unsafe EVP_MD_CTX_new()
                // What was refused is no error of the next call's.
                defer {
                    unsafe EVP_MD_CTX_free(context)
                    ERR_clear_error()
                }
                let library = unsafe FetchedAlgorithm.library
                return unsafe context != nil
                    && EVP_DigestVerifyInit_ex(context, nil, nil, library, nil, key, nil) == 1
                    && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
            }
        } catch { return false }
    }

    private static func key(_ privateKey: borrowing SecretBytes) throws(CryptoError) -> LibraryKey {
        try unsafe privateKey.withPrivateKey { (bytes) throws(CryptoError) in
            try unsafe LibraryKey(
                llv_openssl_ed25519_private_key(FetchedAlgorithm.library, bytes.baseAddress, bytes.count))
        }
    }

    package static let keySize = 32
    package static let signatureSize = 64
}

/// Agreement on a secret with the owner of a public key: X25519 (RFC 7748).
///
/// A private key is any 32 random bytes.
package enum KeyAgreement {
    /// The 32 bytes of a private key's public one; throws `invalidLength`, or `zeroKey`.
    package static func publicKey(of privateKey: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        let own = try key(privateKey)
        return try unsafe own.withUnsafePointer { (own) throws(CryptoError) in
            try unsafe [UInt8](count: keySize) { (output) throws(CryptoError) in
                var count = output.count
                guard unsafe EVP_PKEY_get_raw_public_key(own, output.baseAddress, &count) == 1, count == keySize else {
                    throw .takeFromLibrary()
                }
            }
        }
    }

    /// The 32 bytes that both sides compute: to derive keys from, not to use as one.
    ///
    /// Throws `authenticationFailed` when they would be zeros: the other side then sent a point of small order, which
    /// gives the same result with every private key (RFC 7748 §6.1).
    package static func sharedSecret(
        of privateKey: borrowing SecretBytes, with publicKey: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        guard publicKey.count == keySize else { throw .invalidLength }
        let own = try key(privateKey)
        let other = try unsafe LibraryKey(
            llv_openssl_x25519_public_key(FetchedAlgorithm.library, publicKey, publicKey.count))
        let secret = try own.sharedSecret(with: other)
        // OpenSSL refuses it as well; but that is a detail of the version, and this is the promise.
        guard !secret.isAllZero else { throw .authenticationFailed }
        return secret
    }

    private static func key(_ privateKey: borrowing SecretBytes) throws(CryptoError) -> LibraryKey {
        try unsafe privateKey.withPrivateKey { (bytes) throws(CryptoError) in
            try unsafe LibraryKey(
                llv_openssl_x25519_private_key(FetchedAlgorithm.library, bytes.baseAddress, bytes.count))
        }
    }

    package static let keySize = 32
}
