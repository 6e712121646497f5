// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest

/// The object that programs hold for an item, or for what may become one; `SecKey`, `SecCertificate`, `SecIdentity` and
/// `SecKeychainItem` are such, and they live above this module.
package protocol ItemReferring: AnyObject {
    func referral(for purpose: ReferralPurpose) throws(KeychainError) -> ItemReferral
}

/// What a reference is looked at for.
package enum ReferralPurpose: Sendable {
    /// To find items like it: only what tells it from others is wanted.
    case finding
    /// To name the one item that it came from, where it came from one; else as to find it.
    case choosing
    /// To store it: everything is.
    case adding
}

/// What a reference refers to.
package enum ItemReferral: Sendable {
    case stored(PersistentReference)
    case item(ItemContent)
    case identity(certificate: ItemContent, key: ItemContent)

    var queriedClass: QueriedClass? {
        switch self {
        case .stored(let reference): reference.queriedClass
        case .item(let content): .stored(content.itemClass)
        case .identity: .identity
        }
    }

    var designation: ItemDesignation {
        switch self {
        case .stored(let reference): .persistent(reference)
        case .item(let content): .content(content.itemClass, content.attributes)
        case .identity(let certificate, let key):
            .identity(certificate: certificate.attributes, key: key.attributes)
        }
    }
}

/// What a certificate or a key says of itself.
package struct ItemContent: Sendable {
    package let itemClass: ItemClass
    package let attributes: AttributeList
    /// The bytes to be stored; nil when the reference is to find something, or to a key that may not leave.
    package let secret: SecretValue?
    package let origin: AddRequest.Origin
    /// Attributes that count before the caller's: what a key was made without it does not get by being stored.
    package var binding = AttributeList()
    /// The access control it was made with, unless the caller gives one.
    package var accessControl: AccessControl?

    package init(
        itemClass: ItemClass, attributes: AttributeList, secret: SecretValue?, origin: AddRequest.Origin = .caller
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.secret = secret
        self.origin = origin
    }
}
