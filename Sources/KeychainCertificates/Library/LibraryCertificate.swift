// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// A certificate as OpenSSL holds it: for one check, never longer.
// Safe: the pointer is private, made here, and freed in deinit.
@safe
internal struct LibraryCertificate: ~Copyable {
    private let pointer: OpaquePointer

    /// The certificate that is all of `der`; nil when OpenSSL reads none, or would write another.
    internal init?(der: [UInt8]) {
        // What was refused is no error of the next call's.
        defer { ERR_clear_error() }
        guard let parsed = unsafe llv_x509_parse(CertificateLibrary.context, der, der.count) else { return nil }
        unsafe pointer = parsed
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// Lends what OpenSSL's functions take.
    internal borrowing func withUnsafePointer<Result: ~Copyable, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(pointer)
    }

    /// Whether OpenSSL can use the public key: a point that is none of its curve it refuses.
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
    internal convenience init?(_ pointer: OpaquePointer?) {
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
