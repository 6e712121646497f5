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
        var attributes = certificate.itemAttributes
        guard purpose == .adding else {
            return ItemContent(itemClass: .certificate, attributes: attributes, secret: nil)
        }
        if let summary = certificate.subjectSummary { attributes.append(unchecked: .label, .string(summary)) }
        return ItemContent(
            itemClass: .certificate, attributes: attributes, secret: SecretValue(copying: certificate.der))
    }
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
