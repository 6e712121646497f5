// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
package import KeychainModel

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

    /// The certificate in bytes that `init(der:)` once took, and that cannot have changed since: a sealed row's.
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

extension Certificate {
    /// A line that tells people whose certificate it is: from the subject, else an e-mail address, else a DNS name.
    package var subjectSummary: String? {
        subject.summary ?? emailAddresses.first ?? dnsNames.first
    }

    /// The last common name, which is the most specific.
    package var commonName: String? { subject.texts(of: .commonName).last }

    /// Of the alternative names first, then of the subject.
    package var emailAddresses: [String] {
        extensions.alternativeNames.emailAddresses + subject.texts(of: .emailAddress)
    }

    package var dnsNames: [String] { extensions.alternativeNames.dnsNames }

    /// IP addresses, 4 or 16 bytes each.
    package var addresses: [[UInt8]] { extensions.alternativeNames.addresses }

    package var subjectKeyIdentifier: [UInt8]? { extensions.subjectKeyIdentifier }

    /// Whether it says that its key may sign certificates of others; version 1 cannot say so.
    package var isCertificateAuthority: Bool { extensions.isCertificateAuthority }

    /// Whether it names itself as its issuer, which only its signature could prove.
    package var isSelfIssued: Bool { issuer.normalizedContent == subject.normalizedContent }

    /// Whether it is valid at `date`, seconds since 2001.
    package func isValid(on date: Double) -> Bool {
        notBefore <= date && date <= notAfter
    }

    /// What an item of it says of it, but for the label (semantics §11.2).
    package var itemAttributes: AttributeList {
        var attributes = AttributeList(reservingCapacity: 8)
        attributes.append(unchecked: .certificateType, .number(Int64(version)))
        attributes.append(unchecked: .certificateEncoding, .number(Self.derEncoding))
        attributes.append(unchecked: .subject, .data(subject.normalizedContent))
        attributes.append(unchecked: .issuer, .data(issuer.normalizedContent))
        attributes.append(unchecked: .serialNumber, .data(serialNumber))
        if let identifier = subjectKeyIdentifier { attributes.append(unchecked: .subjectKeyID, .data(identifier)) }
        attributes.append(unchecked: .publicKeyHash, .data(publicKey.hash))
        return attributes
    }

    /// The attributes that `itemAttributes` may have: what an item says under these it says of its certificate.
    package static let ownAttributes: [Attribute] = [
        .certificateType, .certificateEncoding, .subject, .issuer, .serialNumber, .subjectKeyID, .publicKeyHash,
    ]

    /// `kSecAttrCertificateEncodingDER` (decision D45).
    private static let derEncoding: Int64 = 3

    /// Whether the pattern is found in the subject: in the text of any of its attributes, or in the summary.
    // Apple documents the keys for this and never honoured them (D1), so what "the subject" is as a text is ours to say:
    // each attribute by itself, so that "whole string" means a name and not a notation, and the line people see.
    package func subjectMatches(_ pattern: TextPattern) -> Bool {
        subject.attributes.contains { attribute in attribute.text.map { pattern.matches($0) } ?? false }
            || subjectSummary.map { pattern.matches($0) } ?? false
    }

    /// Whether it has the e-mail address, or has none at all (D2); case does not count.
    package func hasEmailAddressOrNone(_ address: String) -> Bool {
        let addresses = emailAddresses
        guard !addresses.isEmpty else { return true }
        let matching = TextMatching(ignoring: .letterCase)
        let wanted = matching.folded(address)
        return addresses.contains { matching.folded($0) == wanted }
    }

    /// Whether its issuer is in `issuers`, or that of a certificate by which one comes to it.
    ///
    /// `issuers` are normalized names; `certificates(subject)` gives those whose normalized subject that is. At most ten
    /// steps are taken, and none to a name twice. Signatures are not looked at: this is a search, not a decision.
    package func isIssued<Failure: Error>(
        underAnyOf issuers: Set<[UInt8]>, certificates: ([UInt8]) throws(Failure) -> [Certificate]
    ) throws(Failure) -> Bool {
        var names: [[UInt8]] = [issuer.normalizedContent]
        var seen = Set(names)
        for _ in 0..<Self.deepestSearch {
            var next: [[UInt8]] = []
            for name in names {
                if issuers.contains(name) { return true }
                for certificate in try certificates(name) {
                    let issuer = certificate.issuer.normalizedContent
                    if seen.insert(issuer).inserted { next.append(issuer) }
                }
            }
            names = next
        }
        return names.contains { issuers.contains($0) }
    }

    /// Apple's limit.
    private static let deepestSearch = 10
}

/// The parts of a certificate, read by our own strict reader (RFC 5280 §4.1).
internal struct CertificateFields {
    let version: Int
    let serialNumber: DERValue
    let issuer: DistinguishedName
    let notBefore: Double
    let notAfter: Double
    let subject: DistinguishedName
    let publicKey: DERValue
    let extensions: CertificateExtensions
    /// The certificate with its algorithm said twice in the same way; nil when it is so already.
    let restated: [UInt8]?

    init?(_ der: ArraySlice<UInt8>) {
        guard let certificate = DERValue(der, tag: DERTag.sequence), certificate.isStrict,
            let outer = certificate.elements, outer.count == 3, outer[0].tag == DERTag.sequence,
            let algorithm = AlgorithmIdentifier(outer[1]),
            let signature = outer[2].wholeBytesOfBitString, !signature.isEmpty
        else { return nil }

        var cursor = DERCursor(outer[0].content)
        guard let version = Self.version(&cursor),
            let serialNumber = cursor.next(DERTag.integer), serialNumber.content.first ?? 0x80 < 0x80,
            // Said twice, so that it is signed too; two opinions would leave the choice to a forger.
            let signed = cursor.next(DERTag.sequence), AlgorithmIdentifier(signed)?.isSame(as: algorithm) == true,
            let issuer = cursor.next(DERTag.sequence).flatMap({ DistinguishedName($0) }),
            let validity = cursor.next(DERTag.sequence)?.elements, validity.count == 2,
            let notBefore = validity[0].time, let notAfter = validity[1].time,
            let subject = cursor.next(DERTag.sequence).flatMap({ DistinguishedName($0) }),
            let publicKey = cursor.next(DERTag.sequence)
        else { return nil }

        var extensions = CertificateExtensions()
        for number: UInt8 in 1...2 {
            let identifier = cursor.next(DERTag.context(number, isConstructed: false))
            guard identifier == nil || version >= 2 else { return nil }
        }
        if let wrapped = cursor.next(DERTag.context(3, isConstructed: true)) {
            guard version == 3, let sequence = DERValue(wrapped.content), let read = CertificateExtensions(sequence)
            else { return nil }
            extensions = read
        }
        guard cursor.isAtEnd else { return nil }

        self.version = version
        self.serialNumber = serialNumber
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.subject = subject
        self.publicKey = publicKey
        self.extensions = extensions
        // What stands outside is not signed, so nothing is lost by saying it as the signed part does.
        restated =
            signed.encoding == outer[1].encoding
            ? nil
            : DERWriter.sequence(Array(outer[0].encoding), Array(signed.encoding), Array(outer[2].encoding))
    }

    /// nil when it is none of the three, or the first one is written although it is what is meant without.
    private static func version(_ cursor: inout DERCursor) -> Int? {
        guard let wrapped = cursor.next(DERTag.context(0, isConstructed: true)) else { return 1 }
        guard let number = DERValue(wrapped.content)?.smallNumber, (1...2).contains(number) else { return nil }
        return number + 1
    }
}
