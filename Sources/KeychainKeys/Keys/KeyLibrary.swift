// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// OpenSSL's algorithms for keys, fetched once per process.
// A second library context, beside the one of KeychainCrypto, which that target keeps to itself: made the same way and
// for the same reasons, above all that it reads no configuration file. It costs one more random generator.
// Unsafe for the compiler only: OpenSSL counts these objects' references atomically and never changes them. They are
// never freed, and a forked child may go on using them.
internal enum KeyLibrary {
    nonisolated(unsafe) internal static let context = unsafe OSSL_LIB_CTX_new()

    nonisolated(unsafe) internal static let md5 = unsafe EVP_MD_fetch(context, "MD5", nil)
    nonisolated(unsafe) internal static let sha1 = unsafe EVP_MD_fetch(context, "SHA1", nil)
    nonisolated(unsafe) internal static let sha224 = unsafe EVP_MD_fetch(context, "SHA224", nil)
    nonisolated(unsafe) internal static let sha256 = unsafe EVP_MD_fetch(context, "SHA256", nil)
    nonisolated(unsafe) internal static let sha384 = unsafe EVP_MD_fetch(context, "SHA384", nil)
    nonisolated(unsafe) internal static let sha512 = unsafe EVP_MD_fetch(context, "SHA512", nil)
    nonisolated(unsafe) internal static let aes128GCM = unsafe EVP_CIPHER_fetch(context, "AES-128-GCM", nil)
    nonisolated(unsafe) internal static let aes192GCM = unsafe EVP_CIPHER_fetch(context, "AES-192-GCM", nil)
    nonisolated(unsafe) internal static let aes256GCM = unsafe EVP_CIPHER_fetch(context, "AES-256-GCM", nil)
    nonisolated(unsafe) internal static let x963 = unsafe EVP_KDF_fetch(context, "X963KDF", nil)
    nonisolated(unsafe) internal static let pbkdf2 = unsafe EVP_KDF_fetch(context, "PBKDF2", nil)

    internal static func found(_ algorithm: OpaquePointer?) throws(KeyError) -> OpaquePointer {
        guard let algorithm = unsafe algorithm else { throw .takeFromLibrary() }
        return unsafe algorithm
    }
}
