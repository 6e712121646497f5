// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
package import KeychainModel
package import KeychainParsing
internal import KeychainRequest

extension SecCertificate: ItemReferring {
    package func referral(for purpose: ReferralPurpose) throws(KeychainError) -> ItemReferral {
        .item(content(for: purpose))
    }

    /// The attributes of semantics §11.2; who adds it without a label gets the subject's summary as one.
    func content(for purpose: ReferralPurpose) -> ItemContent {
        var attributes = AttributeList(reservingCapacity: 8)
        attributes.append(unchecked: .certificateType, .number(Int64(certificate.version)))
        attributes.append(unchecked: .certificateEncoding, .number(Self.derEncoding))
        attributes.append(unchecked: .subject, .data(certificate.subject.normalizedContent))
        attributes.append(unchecked: .issuer, .data(certificate.issuer.normalizedContent))
        attributes.append(unchecked: .serialNumber, .data(certificate.serialNumber))
        if let identifier = certificate.subjectKeyIdentifier {
            attributes.append(unchecked: .subjectKeyID, .data(identifier))
        }
        attributes.append(unchecked: .publicKeyHash, .data(certificate.publicKey.hash))
        guard purpose == .adding else {
            return ItemContent(itemClass: .certificate, attributes: attributes, secret: nil)
        }
        if let summary = certificate.subjectSummary { attributes.append(unchecked: .label, .string(summary)) }
        return ItemContent(
            itemClass: .certificate, attributes: attributes, secret: SecretValue(copying: certificate.der))
    }

    /// `kSecAttrCertificateEncodingDER` (decision D45).
    private static let derEncoding: Int64 = 3
}

extension SecCertificate {
    /// The certificate in an item; nil when its bytes are none.
    convenience init?(_ found: FoundItem) {
        guard let secret = found.secret,
            let certificate = unsafe secret.withUnsafeBytes({ bytes in unsafe Certificate(uncheckedRow: Array(bytes)) })
        else { return nil }
        self.init(certificate)
    }
}
