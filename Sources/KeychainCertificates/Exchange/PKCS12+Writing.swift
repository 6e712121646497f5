// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

extension PKCS12 {
    /// A file of everything this holds: AES-256 and HMAC-SHA256, under keys from PBKDF2 and PKCS#12's own derivation.
    ///
    /// A key and its certificate get the hash of the public key as identifier, unless they have one. Throws
    /// `passwordRequired` when the password is empty or has a zero in it, which would cut it short.
    package func write(password: borrowing SecretBytes) throws(ExchangeError) -> [UInt8] {
        defer { ERR_clear_error() }
        let isUsable = unsafe password.withUnsafeBytes { unsafe !$0.isEmpty && !$0.contains(0) }
        guard isUsable else { throw .passwordRequired }
        let library = unsafe CertificateLibrary.context
        var safes: OpaquePointer?
        defer { unsafe llv_pkcs12_safes_free(safes) }
        if !certificates.isEmpty {
            let bags = try unsafe certificateBags()
            defer { unsafe llv_pkcs12_bags_free(bags) }
            let isAdded = unsafe password.withCString { password, _ in
                unsafe PKCS12_add_safe_ex(
                    &safes, bags, NID_aes_256_cbc, PasswordCost.ours, password, library, nil) == 1
            }
            guard isAdded else { throw .takeFromLibrary() }
        }
        if !keys.isEmpty {
            let bags = try unsafe keyBags(password)
            defer { unsafe llv_pkcs12_bags_free(bags) }
            guard unsafe PKCS12_add_safe_ex(&safes, bags, -1, 0, nil, library, nil) == 1 else {
                throw .takeFromLibrary()
            }
        }
        return try unsafe sealed(safes, password)
    }

    private func sealed(_ safes: OpaquePointer?, _ password: borrowing SecretBytes) throws(ExchangeError) -> [UInt8] {
        let library = unsafe CertificateLibrary.context
        guard unsafe safes != nil, let file = unsafe PKCS12_add_safes_ex(safes, 0, library, nil) else {
            throw .takeFromLibrary()
        }
        defer { unsafe PKCS12_free(file) }
        guard let digest = unsafe EVP_MD_fetch(library, "SHA256", nil) else { throw .takeFromLibrary() }
        defer { unsafe EVP_MD_free(digest) }
        let isSealed = unsafe password.withCString { password, count in
            unsafe PKCS12_set_mac(file, password, count, nil, 0, PasswordCost.ours, digest) == 1
        }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe isSealed ? i2d_PKCS12(file, &bytes) : 0
        defer { unsafe llv_openssl_free(bytes) }
        guard count > 0, let start = unsafe bytes else { throw .takeFromLibrary() }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    private func certificateBags() throws(ExchangeError) -> OpaquePointer? {
        let hashes = Set(keys.map { $0.content.publicKey.hash })
        var bags: OpaquePointer?
        for entry in certificates {
            let hash = entry.content.publicKey.hash
            let identifier = entry.localIdentifier ?? (hashes.contains(hash) ? hash : nil)
            let bag = unsafe LibraryCertificate(der: entry.content.der)?.withUnsafePointer { certificate in
                unsafe PKCS12_add_cert(&bags, certificate)
            }
            guard let bag = unsafe bag ?? nil, unsafe Self.name(bag, entry.friendlyName, identifier) else {
                unsafe llv_pkcs12_bags_free(bags)
                throw .takeFromLibrary()
            }
        }
        return unsafe bags
    }

    private func keyBags(_ password: borrowing SecretBytes) throws(ExchangeError) -> OpaquePointer? {
        var bags: OpaquePointer?
        for entry in keys {
            let bag: OpaquePointer?
            do throws(ExchangeError) {
                let key = try entry.content.libraryKey()
                unsafe bag = password.withCString { password, _ in
                    unsafe PKCS12_add_key_ex(
                        &bags, key.unsafePointer, 0, PasswordCost.ours, NID_aes_256_cbc, password,
                        CertificateLibrary.context, nil)
                }
            } catch {
                unsafe llv_pkcs12_bags_free(bags)
                throw error
            }
            let identifier = entry.localIdentifier ?? entry.content.publicKey.hash
            guard let bag = unsafe bag, unsafe Self.name(bag, entry.friendlyName, identifier) else {
                unsafe llv_pkcs12_bags_free(bags)
                throw .takeFromLibrary()
            }
        }
        return unsafe bags
    }

    private static func name(_ bag: OpaquePointer, _ name: String?, _ identifier: [UInt8]?) -> Bool {
        if let name, unsafe PKCS12_add_friendlyname_utf8(bag, name, -1) != 1 { return false }
        guard let identifier else { return true }
        var bytes = identifier
        return unsafe PKCS12_add_localkeyid(bag, &bytes, Int32(bytes.count)) == 1
    }
}
