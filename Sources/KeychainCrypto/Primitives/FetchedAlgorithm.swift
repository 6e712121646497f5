// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The algorithms, fetched from OpenSSL once per process: a fetch costs more than most uses.
// Unsafe for the compiler only: OpenSSL counts these objects' references atomically and never changes them. They are
// never freed, and a forked child may go on using them.
internal enum FetchedAlgorithm {
    internal static var aes256Block: OpaquePointer {
        get throws(CryptoError) { try unsafe found(aes256BlockOrNil) }
    }

    internal static var aes256GCM: OpaquePointer {
        get throws(CryptoError) { try unsafe found(aes256GCMOrNil) }
    }

    internal static var hmac: OpaquePointer {
        get throws(CryptoError) { try unsafe found(hmacOrNil) }
    }

    internal static var hkdf: OpaquePointer {
        get throws(CryptoError) { try unsafe found(hkdfOrNil) }
    }

    internal static var sha1: OpaquePointer {
        get throws(CryptoError) { try unsafe found(sha1OrNil) }
    }

    internal static var sha256: OpaquePointer {
        get throws(CryptoError) { try unsafe found(sha256OrNil) }
    }

    private static func found(_ algorithm: OpaquePointer?) throws(CryptoError) -> OpaquePointer {
        guard let algorithm = unsafe algorithm else { throw .takeFromLibrary() }
        return unsafe algorithm
    }

    nonisolated(unsafe) private static let aes256BlockOrNil = unsafe EVP_CIPHER_fetch(nil, "AES-256-ECB", nil)
    nonisolated(unsafe) private static let aes256GCMOrNil = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    nonisolated(unsafe) private static let hmacOrNil = unsafe EVP_MAC_fetch(nil, "HMAC", nil)
    nonisolated(unsafe) private static let hkdfOrNil = unsafe EVP_KDF_fetch(nil, "HKDF", nil)
    nonisolated(unsafe) private static let sha1OrNil = unsafe EVP_MD_fetch(nil, "SHA1", nil)
    nonisolated(unsafe) private static let sha256OrNil = unsafe EVP_MD_fetch(nil, "SHA256", nil)
}
