// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCertificates
internal import KeychainModel

/// A private key as OpenSSL holds it: for one conversion, never longer.
// Safe: the pointer is private, made here, and freed in deinit, which wipes it.
@safe
internal struct LibraryPrivateKey: ~Copyable {
    private let pointer: OpaquePointer

    /// A key that OpenSSL made, when it is one we take: its two halves belong together, and it is not absurdly large.
    internal init?(_ made: OpaquePointer?) {
        guard let made = unsafe made else { return nil }
        guard unsafe Self.isAcceptable(made) else {
            unsafe EVP_PKEY_free(made)
            return nil
        }
        unsafe pointer = made
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    internal var unsafePointer: OpaquePointer { unsafe pointer }

    /// The key that is all of `bytes`: PKCS#8, or the form of its own that its kind has (PKCS#1, SEC 1).
    internal static func parse(_ bytes: UnsafeRawBufferPointer) -> LibraryPrivateKey? {
        let library = unsafe CertificateLibrary.context
        defer { ERR_clear_error() }
        guard bytes.count <= largest else { return nil }
        if let info = unsafe llv_pkcs8_parse(bytes.baseAddress, bytes.count) {
            defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
            return unsafe LibraryPrivateKey(EVP_PKCS82PKEY_ex(info, library, nil))
        }
        for kind in [EVP_PKEY_RSA, EVP_PKEY_EC] {
            let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress
            var position = unsafe start
            let made = unsafe d2i_PrivateKey_ex(kind, nil, &position, bytes.count, library, nil)
            guard let made = unsafe made else { continue }
            guard let start = unsafe start, unsafe position == start + bytes.count else {
                unsafe EVP_PKEY_free(made)
                continue
            }
            return unsafe LibraryPrivateKey(made)
        }
        return nil
    }

    /// PKCS#8 of the key; nil when OpenSSL cannot write it.
    internal borrowing func pkcs8() -> SecretBytes? {
        defer { ERR_clear_error() }
        guard let info = unsafe EVP_PKEY2PKCS8(pointer) else { return nil }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PKCS8_PRIV_KEY_INFO(info, &bytes)
        return unsafe SecretBytes(taking: bytes, count: count)
    }

    /// PKCS#1 of an RSA key, SEC 1 of one on a curve; nil for others, which have only PKCS#8.
    internal borrowing func ownForm() -> SecretBytes? {
        defer { ERR_clear_error() }
        let kind = unsafe EVP_PKEY_get_base_id(pointer)
        guard kind == EVP_PKEY_RSA || kind == EVP_PKEY_EC else { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PrivateKey(pointer, &bytes)
        return unsafe SecretBytes(taking: bytes, count: count)
    }

    /// The SubjectPublicKeyInfo of its public half.
    internal borrowing func publicKey() -> [UInt8]? {
        defer { ERR_clear_error() }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PUBKEY(pointer, &bytes)
        defer { unsafe llv_openssl_free(bytes) }
        guard count > 0, let start = unsafe bytes else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    private static func isAcceptable(_ key: OpaquePointer) -> Bool {
        defer { ERR_clear_error() }
        let bits = unsafe EVP_PKEY_get_bits(key)
        switch unsafe EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA:
            // Whether the numbers are primes would take seconds; a signature that fits takes milliseconds.
            guard (512...8192).contains(bits), unsafe llv_rsa_numbers_fit(key) == 1 else { return false }
            return unsafe llv_rsa_signs_for_itself(CertificateLibrary.context, key) == 1
        case EVP_PKEY_EC:
            return unsafe llv_key_halves_belong_together(CertificateLibrary.context, key) == 1
        case EVP_PKEY_ED25519, EVP_PKEY_X25519, EVP_PKEY_ED448, EVP_PKEY_X448: return true
        default: return false
        }
    }

    private static let largest = 1 << 20
}

extension SecretBytes {
    /// A secret that OpenSSL wrote into memory of its own, which is wiped and freed; nil when it wrote none.
    internal init?(taking bytes: UnsafeMutablePointer<UInt8>?, count: Int32) {
        guard count > 0, let start = unsafe bytes else { return nil }
        unsafe self.init(copying: UnsafeRawBufferPointer(start: start, count: Int(count)))
        unsafe llv_openssl_clear_free(start, Int(count))
    }
}
