// SPDX-License-Identifier: Apache-2.0

internal import Foundation
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

/// One element of an item list (decision D4).
enum ItemListElement {
    case persistent(PersistentReference)
    case referral(ItemReferral)

    var designation: ItemDesignation {
        switch self {
        case .persistent(let reference): .persistent(reference)
        case .referral(let referral): referral.designation
        }
    }

    /// The elements of a list: persistent references or reference objects, and nothing beside them.
    static func list(
        _ object: AnyObject, _ key: String, _ purpose: ReferralPurpose
    ) throws(KeychainError) -> [ItemListElement] {
        let purpose = purpose == .finding ? .choosing : purpose
        guard let array = object as? NSArray else {
            throw KeychainError(.parameter, "the item list is not an array", subject: key)
        }
        var elements: [ItemListElement] = []
        elements.reserveCapacity(array.count)
        for index in 0..<array.count {
            elements.append(try element(array.object(at: index) as AnyObject, key, purpose))
        }
        let referrals = elements.count { if case .referral = $0 { true } else { false } }
        guard referrals == 0 || referrals == elements.count else {
            throw KeychainError(.parameter, "the item list mixes persistent references and objects", subject: key)
        }
        return elements
    }

    private static func element(
        _ object: AnyObject, _ key: String, _ purpose: ReferralPurpose
    ) throws(KeychainError) -> ItemListElement {
        if let referring = object as? any ItemReferring {
            return .referral(try referring.referral(for: purpose))
        }
        guard let data = object as? NSData, let reference = PersistentReference(ValueReading.bytes(data)) else {
            throw KeychainError(.parameter, "an element of the item list is not a reference", subject: key)
        }
        return .persistent(reference)
    }
}

/// The object that programs hold for an access control; `SecAccessControl` is one, and it lives above this module.
package protocol AccessControlCarrying: AnyObject {
    /// nil for one that is not finished, which no item takes.
    var accessControl: AccessControl? { get }
}

/// The object that programs hold for a keychain; `SecKeychain` is one, and it lives above this module.
package protocol KeychainCarrying: AnyObject, Sendable {}

/// The keychains that a dictionary names; without any, the program's own is meant.
package struct NamedKeychains: Sendable {
    /// The one that is used: `kSecUseKeychain`.
    package internal(set) var used: (any KeychainCarrying)?
    /// Those to search, in this order: `kSecMatchSearchList`; an empty list counts as none.
    package internal(set) var searched: [any KeychainCarrying] = []
}

/// The object that programs hold for a policy; `SecPolicy` is one, and it lives above this module.
package protocol PolicyCarrying: AnyObject {
    /// What a certificate has to be good for.
    var purpose: TrustPolicy { get }
}
