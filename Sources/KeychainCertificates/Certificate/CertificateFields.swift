// SPDX-License-Identifier: Apache-2.0

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
            // Said twice, so that it is signed too; two opinions would leave the choice to whoever forges.
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
            : DERBuilder.sequence(Array(outer[0].encoding), Array(signed.encoding), Array(outer[2].encoding))
    }

    /// nil when it is none of the three, or the first one is written although it is what is meant without.
    private static func version(_ cursor: inout DERCursor) -> Int? {
        guard let wrapped = cursor.next(DERTag.context(0, isConstructed: true)) else { return 1 }
        guard let number = DERValue(wrapped.content)?.smallNumber, (1...2).contains(number) else { return nil }
        return number + 1
    }
}
