// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel
internal import KeychainRequest

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
            throw KeychainError(.parameter, "an element of the item list is no reference", subject: key)
        }
        return .persistent(reference)
    }
}
