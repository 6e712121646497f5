// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

/// An X.509 certificate that was read to its last byte; equal to one of the same bytes.
///
/// It says what stands in it. Whether that can be believed, `Trust` says.
package final class Certificate: Sendable {
    package let der: [UInt8]
    /// The bytes that OpenSSL is given: its verifier compares the two places that name the signature's algorithm byte by
    /// byte, so they are made equal where they differ in a NULL (`AlgorithmIdentifier.isSame`).
    internal var libraryDER: [UInt8] { restated ?? der }
    internal let restated: [UInt8]?
    /// 1, 2 or 3.
    package let version: Int
    /// The content of the INTEGER, with the zero that keeps a number from being negative.
    package let serialNumber: [UInt8]
    package let issuer: DistinguishedName
    package let subject: DistinguishedName
    /// Seconds since 2001; it is valid at this second.
    package let notBefore: Double
    /// Seconds since 2001; it is valid at this second.
    package let notAfter: Double
    package let publicKey: PublicKeyInfo
    package let extensions: CertificateExtensions
    /// SHA-256 of all of it.
    package let fingerprint: [UInt8]

    /// The certificate that is all of `der`; nil for anything malformed.
    ///
    /// OpenSSL has to be able to read it and its key, it must be DER to the letter, without a byte more, and its
    /// extensions, times and numbers must make sense: a negative serial number, an extension that is there twice or in
    /// a certificate of version 1, or a key outside its curve is refused.
    package convenience init?(der: [UInt8]) {
        guard der.count <= Self.largest, let parsed = LibraryCertificate(der: der) else { return nil }
        self.init(der, uncompressed: { parsed.uncompressedPoint })
        guard !publicKey.isOfKnownKind || parsed.hasReadableKey else { return nil }
    }

    /// The certificate in bytes that `init(der:)` once took, and that nobody can have changed since: a sealed row's.
    ///
    /// OpenSSL is not asked again, which is most of the time that reading takes; our own reader is.
    package convenience init?(uncheckedRow der: [UInt8]) {
        self.init(der, uncompressed: { LibraryCertificate(der: der)?.uncompressedPoint })
    }

    private init?(_ der: [UInt8], uncompressed: () -> [UInt8]?) {
        guard der.count <= Self.largest, let fields = CertificateFields(der[...]),
            let publicKey = PublicKeyInfo(fields.publicKey, uncompressed: uncompressed),
            let fingerprint = unsafe try? der.lendingBytes({ (bytes) throws(CryptoError) in
                try unsafe Digest.sha256(bytes)
            })
        else { return nil }
        self.der = der
        restated = fields.restated
        version = fields.version
        serialNumber = Array(fields.serialNumber.content)
        issuer = fields.issuer
        subject = fields.subject
        notBefore = fields.notBefore
        notAfter = fields.notAfter
        self.publicKey = publicKey
        extensions = fields.extensions
        self.fingerprint = fingerprint
    }

    // Ten times what the longest lists of names take.
    package static let largest = 1 << 20
}

extension Certificate: Hashable {
    package static func == (left: Certificate, right: Certificate) -> Bool {
        left === right || left.der == right.der
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(fingerprint)
    }
}
