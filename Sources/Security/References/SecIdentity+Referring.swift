// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainParsing
internal import KeychainRequest

extension SecIdentity: ItemReferring {
    package func referral(for purpose: ReferralPurpose) throws(KeychainError) -> ItemReferral {
        let ofCertificate = certificate.content(for: purpose)
        switch purpose {
        case .adding: return .identity(certificate: ofCertificate, key: try privateKey.contentToAdd())
        case .finding, .choosing:
            // That it is the key of this certificate says which it is; the item may say less of it than it could.
            var attributes = AttributeList()
            attributes[.applicationLabel] = ofCertificate.attributes[.publicKeyHash]
            return .identity(
                certificate: ofCertificate, key: ItemContent(itemClass: .key, attributes: attributes, secret: nil))
        }
    }
}
