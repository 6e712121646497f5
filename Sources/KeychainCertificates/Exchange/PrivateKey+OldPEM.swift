// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

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
        var bytes: [UInt8] = []
        var rest = parts[1]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { throw .undecodable }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        initialisation = bytes
    }

    func decrypt(
        _ content: borrowing SecretBytes, _ password: borrowing SecretBytes
    ) throws(ExchangeError) -> SecretBytes {
        defer { ERR_clear_error() }
        let library = unsafe CertificateLibrary.reading
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
