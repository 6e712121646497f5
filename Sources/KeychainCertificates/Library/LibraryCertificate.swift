// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainCrypto

/// A certificate as OpenSSL holds it: for one check, never longer.
// Safe: the pointer is private, made here, and freed in deinit.
@safe
package struct LibraryCertificate: ~Copyable {
    private let pointer: OpaquePointer

    /// The certificate that is all of `der`; nil when OpenSSL reads none, or would write another.
    package init?(der: [UInt8]) {
        // What was refused is no error of the next call's.
        defer { ERR_clear_error() }
        guard let parsed = unsafe llv_x509_parse(CertificateLibrary.context, der, der.count) else { return nil }
        unsafe pointer = parsed
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// Lends what OpenSSL's functions take.
    package borrowing func withUnsafePointer<Result: ~Copyable, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(pointer)
    }

    /// Whether OpenSSL can use the public key: it refuses a point that is not on its curve.
    internal var hasReadableKey: Bool {
        defer { ERR_clear_error() }
        return unsafe X509_get0_pubkey(pointer) != nil
    }

    /// The key's point as 04, x, y; nil when it has none.
    internal var uncompressedPoint: [UInt8]? {
        defer { ERR_clear_error() }
        guard let key = unsafe X509_get0_pubkey(pointer) else { return nil }
        var point = [UInt8](repeating: 0, count: Self.largestPoint)
        let count = unsafe llv_ec_uncompressed_point(key, &point, point.count)
        return count > 0 ? Array(point.prefix(count)) : nil
    }

    // P-521, with room for what else OpenSSL knows.
    private static let largestPoint = 256
}

extension Certificate {
    /// A certificate that OpenSSL holds.
    package convenience init?(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return nil }
        let count = unsafe i2d_X509(pointer, nil)
        guard count > 0 else { return nil }
        var der = [UInt8](repeating: 0, count: Int(count))
        let written = unsafe der.withUnsafeMutableBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe i2d_X509(pointer, &position)
        }
        guard written == count else { return nil }
        self.init(der: der)
    }
}

/// Certificates as OpenSSL takes a list of them.
// Safe: the pointer is private, made here, and freed in deinit with what was put in.
@safe
package struct CertificateStack: ~Copyable {
    private let pointer: OpaquePointer

    package init(_ certificates: some Sequence<Certificate>) throws(CryptoError) {
        guard let stack = unsafe llv_x509_stack_new() else { throw .takeFromLibrary() }
        for certificate in certificates {
            let der = certificate.libraryDER
            let parsed = unsafe llv_x509_parse(CertificateLibrary.context, der, der.count)
            // Takes it, also when there is no room.
            guard unsafe llv_x509_stack_push(stack, parsed) == 1 else {
                unsafe llv_x509_stack_free(stack)
                throw .takeFromLibrary()
            }
        }
        unsafe pointer = stack
    }

    deinit {
        unsafe llv_x509_stack_free(pointer)
    }

    package var unsafePointer: OpaquePointer { unsafe pointer }
}

/// Revocation lists as OpenSSL takes a list of them.
// Safe: the pointer is private, made here, and freed in deinit with what was put in.
@safe
internal final class RevocationListStack {
    private let pointer: OpaquePointer

    /// The lists that can be read; one that cannot says nothing, as if it were not there.
    internal init(_ lists: [[UInt8]]) throws(CryptoError) {
        guard let stack = unsafe llv_x509_crl_stack_new() else { throw .takeFromLibrary() }
        for list in lists where list.count <= Self.largest {
            guard let parsed = unsafe llv_x509_crl_parse(CertificateLibrary.context, list, list.count) else {
                ERR_clear_error()
                continue
            }
            guard unsafe llv_x509_crl_stack_push(stack, parsed) == 1 else {
                unsafe llv_x509_crl_stack_free(stack)
                throw .takeFromLibrary()
            }
        }
        unsafe pointer = stack
    }

    deinit {
        unsafe llv_x509_crl_stack_free(pointer)
    }

    internal var unsafePointer: OpaquePointer { unsafe pointer }

    private static let largest = 64 << 20
}

/// OpenSSL's library context that certificates, and keys of files, are worked with in.
///
/// A context of our own: the one of the process reads its configuration file, which lets a user who can write that file
/// decide which algorithms check a certificate.
// Unsafe for the compiler only: OpenSSL guards a context by locks of its own. It is never freed.
package enum CertificateLibrary {
    nonisolated(unsafe) package static let context = unsafe OSSL_LIB_CTX_new()
}
