// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainModel

/// PKCS#8 under a password.
internal enum EncryptedKey {
    internal static func decrypt(
        _ bytes: [UInt8], _ password: borrowing SecretBytes
    ) throws(ExchangeError) -> LibraryPrivateKey {
        defer { ERR_clear_error() }
        guard bytes.count <= largest, DERValue(bytes[...], tag: DERTag.sequence)?.isStrict == true,
            let encrypted = unsafe llv_x509_sig_parse(bytes, bytes.count)
        else { throw .undecodable }
        defer { unsafe X509_SIG_free(encrypted) }
        guard unsafe llv_pbe_rounds(llv_x509_sig_algorithm(encrypted)) <= PasswordCost.most else { throw .tooCostly }
        let library = unsafe CertificateLibrary.reading
        let info = unsafe password.withUnsafeBytes { password in
            unsafe PKCS8_decrypt_ex(
                encrypted, password.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(password.count), library,
                nil)
        }
        guard let info = unsafe info else { throw failureOfDecryption() }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        // Decrypted to something that is a key of no kind: one wrong password in 256 ends in well-formed padding.
        guard let key = unsafe LibraryPrivateKey(EVP_PKCS82PKEY_ex(info, CertificateLibrary.context, nil)) else {
            throw .undecodable
        }
        return key
    }

    internal static func encrypt(
        _ key: PrivateKey, _ password: borrowing SecretBytes
    ) throws(ExchangeError) -> [UInt8] {
        guard password.count > 0 else { throw .passwordRequired }
        let library = unsafe CertificateLibrary.context
        guard let cipher = unsafe EVP_CIPHER_fetch(library, "AES-256-CBC", nil) else { throw .takeFromLibrary() }
        defer { unsafe EVP_CIPHER_free(cipher) }
        let info = unsafe key.pkcs8.withUnsafeBytes { unsafe llv_pkcs8_parse($0.baseAddress, $0.count) }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        let encrypted = unsafe password.withUnsafeBytes { password in
            unsafe PKCS8_encrypt_ex(
                -1, cipher, password.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(password.count), nil, 0,
                PasswordCost.ours, info, library, nil)
        }
        defer { unsafe X509_SIG_free(encrypted) }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509_SIG(encrypted, &bytes)
        defer { unsafe llv_openssl_free(bytes) }
        guard count > 0, let start = unsafe bytes else { throw .takeFromLibrary() }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// Why something could not be decrypted: the algorithm is not there, or the password is another.
    internal static func failureOfDecryption() -> ExchangeError {
        var isUnsupported = false
        while case let number = ERR_get_error(), number != 0 {
            if llv_openssl_is_out_of_memory(number) != 0 { return .outOfMemory }
            isUnsupported = isUnsupported || llv_openssl_is_unsupported(number) != 0
        }
        return isUnsupported ? .unsupportedAlgorithm : .wrongPassword
    }

    private static let largest = 1 << 20
}

/// How often a password may be hashed.
internal enum PasswordCost {
    /// Rounds of what we write.
    internal static let ours: Int32 = 100_000
    /// Rounds of what we read, in all of one file: some ten seconds; more is an attack, not a precaution.
    internal static let most: Int64 = 20_000_000
}
