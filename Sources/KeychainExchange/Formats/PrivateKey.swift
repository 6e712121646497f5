// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainCertificates
internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainKeys
package import KeychainModel
internal import KeychainSystem

/// A private key out of a file, or on its way into one: always PKCS#8, with its public half beside it.
package final class PrivateKey: Sendable {
    package let pkcs8: SecretBytes
    package let publicKey: PublicKeyInfo

    /// The key that is all of `bytes`, not encrypted: PKCS#8, PKCS#1 or SEC 1 in DER.
    ///
    /// Throws `undecodable`, also when its two halves do not belong together.
    package convenience init(der bytes: UnsafeRawBufferPointer) throws(ExchangeError) {
        guard unsafe Self.isDER(bytes), let key = unsafe LibraryPrivateKey.parse(bytes) else { throw .undecodable }
        try self.init(key)
    }

    /// Whether the bytes are one element, written as DER demands: OpenSSL reads more.
    private static func isDER(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.count <= largest && DERReader.isStrict(bytes)
    }

    /// The largest RSA key takes a third of it.
    private static let largest = 1 << 14

    /// The key that is all of `bytes`: PKCS#8 encrypted under `password`.
    package convenience init(
        encrypted bytes: [UInt8], password: borrowing SecretBytes
    ) throws(ExchangeError) {
        try self.init(try EncryptedKey.decrypt(bytes, password))
    }

    internal init(_ key: borrowing LibraryPrivateKey) throws(ExchangeError) {
        guard let pkcs8 = key.pkcs8(), let info = key.publicKey(),
            let publicKey = DERValue(info[...]).flatMap({ PublicKeyInfo($0, uncompressed: { nil }) })
        else { throw .undecodable }
        if publicKey.kind == .rsa, !Self.isSound(key) { throw .undecodable }
        self.pkcs8 = pkcs8
        self.publicKey = publicKey
    }

    /// The form of its own that its kind has: PKCS#1 of an RSA key, SEC 1 of one on a curve.
    ///
    /// Throws `unsupportedAlgorithm` for others.
    package func ownForm() throws(ExchangeError) -> SecretBytes {
        guard let form = try libraryKey().ownForm() else { throw .unsupportedAlgorithm }
        return form
    }

    /// PKCS#8 encrypted under `password`: AES-256 under a key from PBKDF2 with HMAC-SHA256.
    package func encrypted(_ password: borrowing SecretBytes) throws(ExchangeError) -> [UInt8] {
        try EncryptedKey.encrypt(self, password)
    }

    /// Whether an RSA key is of two primes, with numbers that belong together.
    ///
    /// One of a size that keys here do not have is sound too: the caller refuses it in its own words.
    private static func isSound(_ key: borrowing LibraryPrivateKey) -> Bool {
        guard let form = key.ownForm() else { return false }
        return unsafe form.withUnsafeBytes { bytes in
            do throws(KeyError) {
                _ = try unsafe CryptoKey(.rsa, .private, representation: bytes)
                return true
            } catch {
                return error == .unsupportedKey
            }
        }
    }

    internal func libraryKey() throws(ExchangeError) -> LibraryPrivateKey {
        guard let key = unsafe pkcs8.withUnsafeBytes({ unsafe LibraryPrivateKey.parse($0) })
        else { throw .undecodable }
        return key
    }
}

extension PrivateKey {
    /// The key in a block of PEM; `password` is for an encrypted one.
    ///
    /// Throws `passwordRequired` when an encrypted one comes with an empty password.
    package convenience init(_ block: PEMBlock, password: borrowing SecretBytes) throws(ExchangeError) {
        if let encryption = block.oldEncryption {
            guard password.count > 0 else { throw .passwordRequired }
            let bytes = try OldEncryption(encryption).decrypt(block.content, password)
            guard
                let key = unsafe bytes.withUnsafeBytes({
                    unsafe LibraryPrivateKey.parse($0)
                })
            else { throw .wrongPassword }
            try self.init(key)
            return
        }
        switch block.label {
        case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY":
            let key = unsafe block.content.withUnsafeBytes {
                unsafe LibraryPrivateKey.parse($0)
            }
            guard let key else { throw .undecodable }
            try self.init(key)
        case "ENCRYPTED PRIVATE KEY":
            guard password.count > 0 else { throw .passwordRequired }
            let bytes = unsafe block.content.withUnsafeBytes { unsafe [UInt8]($0) }
            try self.init(encrypted: bytes, password: password)
        default: throw .undecodable
        }
    }
}

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
        let library = unsafe LegacyLibrary.context
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

/// How OpenSSL encrypted keys in PEM before PKCS#8 said how: one round of MD5.
private struct OldEncryption {
    private let name: String
    private let initialisation: [UInt8]

    /// From the line's value: the cipher's name, a comma, the initialisation vector in hexadecimal digits.
    init(_ info: String) throws(ExchangeError) {
        let parts = info.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, Self.names.contains(String(parts[0])), parts[1].utf8.count % 2 == 0 else {
            throw parts.count == 2 ? .unsupportedAlgorithm : .undecodable
        }
        name = String(parts[0])
        guard let bytes = Hexadecimal.bytes(of: parts[1]) else { throw .undecodable }
        initialisation = bytes
    }

    func decrypt(
        _ content: borrowing SecretBytes, _ password: borrowing SecretBytes
    ) throws(ExchangeError) -> SecretBytes {
        defer { ERR_clear_error() }
        let library = unsafe LegacyLibrary.context
        guard let cipher = unsafe EVP_CIPHER_fetch(library, name, nil) else { throw .unsupportedAlgorithm }
        defer { unsafe EVP_CIPHER_free(cipher) }
        guard let digest = unsafe EVP_MD_fetch(library, "MD5", nil) else { throw .unsupportedAlgorithm }
        defer { unsafe EVP_MD_free(digest) }
        guard unsafe Int(EVP_CIPHER_get_iv_length(cipher)) == initialisation.count, initialisation.count >= 8 else {
            throw .undecodable
        }
        let key = unsafe SecretBytes(count: Int(EVP_MAX_KEY_LENGTH)) { key in
            unsafe password.withUnsafeBytes { password in
                _ = unsafe EVP_BytesToKey(
                    cipher, digest, initialisation, password.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    Int32(password.count), 1, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
            }
        }
        var count: Int32 = 0
        let plain = try unsafe SecretBytes(count: content.count + 64) { (output) throws(ExchangeError) in
            let context = unsafe EVP_CIPHER_CTX_new()
            defer { unsafe EVP_CIPHER_CTX_free(context) }
            let start = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var last: Int32 = 0
            let isDecrypted = unsafe key.withUnsafeBytes { key in
                unsafe content.withUnsafeBytes { content in
                    unsafe EVP_DecryptInit_ex2(
                        context, cipher, key.baseAddress?.assumingMemoryBound(to: UInt8.self), initialisation, nil) == 1
                        && EVP_DecryptUpdate(
                            context, start, &count, content.baseAddress?.assumingMemoryBound(to: UInt8.self),
                            Int32(content.count)) == 1
                        && EVP_DecryptFinal_ex(context, start.map { unsafe $0 + Int(count) }, &last) == 1
                }
            }
            guard isDecrypted else { throw .wrongPassword }
            count += last
        }
        return unsafe plain.withUnsafeBytes { bytes in
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<Int(count)]))
        }
    }

    // What the command line tool wrote.
    private static let names: Set<String> = [
        "DES-CBC", "DES-EDE3-CBC", "AES-128-CBC", "AES-192-CBC", "AES-256-CBC", "CAMELLIA-128-CBC",
        "CAMELLIA-192-CBC", "CAMELLIA-256-CBC",
    ]
}
