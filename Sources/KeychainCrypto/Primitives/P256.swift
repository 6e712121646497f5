// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// The common curve of NIST's: ECDSA and ECDH on P-256.
///
/// A private key is the scalar, 32 bytes BE; a public key the point as X9.63 has it, uncompressed: 04, x, y.
package enum P256 {
    /// Both halves of a key.
    package struct Key: ~Copyable, Sendable {
        package let privateKey: SecretBytes
        package let publicKey: [UInt8]

        package init(privateKey: consuming SecretBytes, publicKey: [UInt8]) {
            self.privateKey = privateKey
            self.publicKey = publicKey
        }
    }

    package static func makeKey() throws(CryptoError) -> Key {
        let key = try unsafe LibraryKey(llv_openssl_p256_new_key(FetchedAlgorithm.library))
        return try unsafe key.withUnsafePointer { (key) throws(CryptoError) in
            let privateKey = try unsafe SecretBytes(count: privateKeySize) { (output) throws(CryptoError) in
                guard unsafe llv_openssl_p256_scalar(key, output.baseAddress) == 1 else { throw .takeFromLibrary() }
            }
            let publicKey = try unsafe [UInt8](count: publicKeySize) { (output) throws(CryptoError) in
                guard unsafe llv_openssl_p256_point(key, output.baseAddress) == 1 else { throw .takeFromLibrary() }
            }
            return Key(privateKey: privateKey, publicKey: publicKey)
        }
    }

    /// Both halves of the key that a scalar is, which was derived and not drawn.
    ///
    /// Throws `invalidParameters` for one that is not below the curve's order; one in 2^32 random ones is not.
    package static func key(of scalar: borrowing SecretBytes) throws(CryptoError) -> Key {
        let publicKey = try unsafe scalar.withPrivateKey { (scalar) throws(CryptoError) in
            var borrow = 0
            for index in (0..<privateKeySize).reversed() {
                borrow = unsafe (Int(scalar[index]) - Int(order[index]) - borrow) < 0 ? 1 : 0
            }
            guard borrow == 1 else { throw .invalidParameters }
            return try unsafe [UInt8](count: publicKeySize) { (output) throws(CryptoError) in
                guard
                    unsafe llv_keys_ec_point_of_scalar(
                        FetchedAlgorithm.library, 256, scalar.baseAddress, scalar.count, output.baseAddress,
                        output.count) == 1
                else { throw .takeFromLibrary() }
            }
        }
        return Key(privateKey: scalar.clone(), publicKey: publicKey)
    }

    /// The one key of a secret that is hard to guess, for a purpose.
    package static func key(of secret: borrowing SecretBytes, for purpose: String) throws(CryptoError) -> Key {
        // The second is wanted once in four billion times.
        for attempt in UInt8(0)...7 {
            let scalar = try unsafe SecretBytes(count: privateKeySize) { (output) throws(CryptoError) in
                try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                    try unsafe KeyDerivation.hkdf(
                        secret: secret, salt: [], info: Array(purpose.utf8) + [attempt], into: output)
                }
            }
            do throws(CryptoError) { return try key(of: scalar) } catch {
                guard error == .invalidParameters else { throw error }
            }
        }
        throw .invalidParameters
    }

    /// An ECDSA signature (DER) of a digest: of its leftmost 32 bytes, or of all when it is shorter.
    ///
    /// Throws `invalidParameters` when the signature is not valid under `publicKey`: the two halves then belong to
    /// different keys, or the computation went wrong, and a wrong signature can tell the private key.
    package static func signature(
        of digest: [UInt8], with privateKey: borrowing SecretBytes, publicKey: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let key = try LibraryKey(p256: privateKey)
        let signature = try unsafe key.withUnsafePointer { (key) throws(CryptoError) in
            let context = unsafe EVP_PKEY_CTX_new_from_pkey(FetchedAlgorithm.library, key, nil)
            defer { unsafe EVP_PKEY_CTX_free(context) }
            let signed = signed(digest)
            var count = largestSignature
            var signature = [UInt8](repeating: 0, count: count)
            guard unsafe context != nil && EVP_PKEY_sign_init(context) == 1,
                unsafe EVP_PKEY_sign(context, &signature, &count, signed, signed.count) == 1
            else { throw .takeFromLibrary() }
            return Array(signature.prefix(count))
        }
        guard isValid(signature: signature, of: digest, publicKey: publicKey) else { throw .invalidParameters }
        return signature
    }

    /// Whether `signature` (DER) is one of the digest under `publicKey`; false also when that is no point of the curve.
    package static func isValid(signature: [UInt8], of digest: [UInt8], publicKey: [UInt8]) -> Bool {
        do throws(CryptoError) {
            return try unsafe LibraryKey(p256Point: publicKey).withUnsafePointer { (key) throws(CryptoError) in
                let context = unsafe EVP_PKEY_CTX_new_from_pkey(FetchedAlgorithm.library, key, nil)
                // What was refused is no error of the next call's.
                defer {
                    unsafe EVP_PKEY_CTX_free(context)
                    ERR_clear_error()
                }
                let signed = signed(digest)
                return unsafe context != nil && EVP_PKEY_verify_init(context) == 1
                    && EVP_PKEY_verify(context, signature, signature.count, signed, signed.count) == 1
            }
        } catch { return false }
    }

    /// Whether it is a point of the curve, in the one form that we read.
    package static func isPublicKey(_ bytes: [UInt8]) -> Bool {
        do throws(CryptoError) {
            _ = try LibraryKey(p256Point: bytes)
            return true
        } catch { return false }
    }

    /// The x coordinate of the point that both sides compute, 32 bytes.
    ///
    /// Throws `invalidParameters` when the other's public key is no point of the curve.
    package static func sharedSecret(
        of privateKey: borrowing SecretBytes, with publicKey: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        let own = try LibraryKey(p256: privateKey)
        let other = try LibraryKey(p256Point: publicKey)
        do throws(CryptoError) {
            return try own.sharedSecret(with: other)
        } catch {
            throw error == .authenticationFailed ? .invalidParameters : error
        }
    }

    /// What a key that was made for one message shares with the one that it goes to.
    package struct Agreement: ~Copyable {
        package let publicKey: [UInt8]
        /// The x coordinate, as `sharedSecret` gives it.
        package let shared: SecretBytes

        package init(publicKey: [UInt8], shared: consuming SecretBytes) {
            self.publicKey = publicKey
            self.shared = shared
        }
    }

    /// Makes a key, agrees with another's public key, and forgets its private half, which never leaves the library.
    ///
    /// Throws `invalidParameters` when the other's public key is no point of the curve.
    package static func agreement(with publicKey: [UInt8]) throws(CryptoError) -> Agreement {
        let other = try LibraryKey(p256Point: publicKey)
        let key = try unsafe LibraryKey(llv_openssl_p256_new_key(FetchedAlgorithm.library))
        let own = try unsafe key.withUnsafePointer { (key) throws(CryptoError) in
            try unsafe [UInt8](count: publicKeySize) { (output) throws(CryptoError) in
                guard unsafe llv_openssl_p256_point(key, output.baseAddress) == 1 else { throw .takeFromLibrary() }
            }
        }
        do throws(CryptoError) {
            return Agreement(publicKey: own, shared: try key.sharedSecret(with: other))
        } catch {
            throw error == .authenticationFailed ? .invalidParameters : error
        }
    }

    /// What of a digest is signed: as many of its leftmost bits as the curve's order has.
    // OpenSSL cuts by itself; the digest then has no size of which other versions could think otherwise.
    private static func signed(_ digest: [UInt8]) -> [UInt8] { Array(digest.prefix(privateKeySize)) }

    package static let privateKeySize = 32
    package static let publicKeySize = 65
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]
    // SEQUENCE of two INTEGERs of at most 33 bytes.
    private static let largestSignature = 72
}

extension LibraryKey {
    fileprivate init(p256 privateKey: borrowing SecretBytes) throws(CryptoError) {
        self = try unsafe privateKey.withPrivateKey { (scalar) throws(CryptoError) in
            try unsafe LibraryKey(llv_openssl_p256_key(FetchedAlgorithm.library, scalar.baseAddress, nil))
        }
    }

    /// Throws `invalidParameters` when it is no point of the curve.
    fileprivate init(p256Point publicKey: [UInt8]) throws(CryptoError) {
        // Only this form: OpenSSL would read the point at infinity, and the compressed and hybrid ones.
        guard publicKey.count == P256.publicKeySize, publicKey[0] == 4 else { throw .invalidParameters }
        do throws(CryptoError) {
            self = try unsafe LibraryKey(llv_openssl_p256_key(FetchedAlgorithm.library, nil, publicKey))
        } catch {
            throw error == .outOfMemory ? error : .invalidParameters
        }
    }
}
