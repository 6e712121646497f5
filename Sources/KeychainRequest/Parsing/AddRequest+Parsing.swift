// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import KeychainModel

/// What SecItemAdd was asked: to store one item, or items that are references (decision D4).
package enum ParsedAdd {
    case item(AddRequest)
    case existing([PersistentReference], MatchRequest)
}

extension AddRequest {
    package static func parse(_ dictionary: NSDictionary) throws(KeychainError) -> ParsedAdd {
        let parsed = try ParsedDictionary(dictionary)
        if let key = parsed.matchKey {
            throw KeychainError(.parameter, "an Add takes no search key", subject: key)
        }
        try parsed.refuseSkip()
        if let items = parsed.useItems { return try existing(items, parsed) }
        switch parsed.persistentReference {
        case .rowNumber, .token:
            throw KeychainError(.parameter, "an Add takes no such persistent reference", subject: "v_PersistentRef")
        case .item, .identity, nil: break
        }
        guard let queriedClass = parsed.queriedClass else {
            throw KeychainError(.parameter, "kSecClass is missing", subject: "class")
        }
        guard case .stored(let itemClass) = queriedClass else {
            throw KeychainError(.parameter, "an identity is added as a certificate and a key", subject: "class")
        }
        if let token = parsed.attributes[.tokenID], token != .emptyString {
            throw KeychainError(.parameter, "there is no token of this name to hold an item", subject: "tkid")
        }
        let isSynchronizable = try parsed.settledSynchronizable() ?? false
        let protection = try parsed.protection()
        if isSynchronizable { try SynchronizableRule.check(protection) }
        return .item(
            AddRequest(
                itemClass: itemClass, attributes: parsed.attributes, group: parsed.group ?? .everyGroupOfCaller,
                protection: protection.map { .accessControl($0) } ?? .byClassAndGroup,
                isSynchronizable: isSynchronizable, isTombstone: parsed.tombstone ?? false, secret: parsed.secret,
                returning: parsed.returning))
    }

    /// Persistent references name items that are here already, so all that can be said is how they are found.
    private static func existing(
        _ items: [PersistentReference], _ parsed: ParsedDictionary
    ) throws(KeychainError) -> ParsedAdd {
        for item in items {
            if case .stored(let itemClass) = item.queriedClass, itemClass.isPassword {
                throw KeychainError(.parameter, "passwords cannot be added by an item list", subject: "u_ItemList")
            }
        }
        guard !items.isEmpty else {
            throw KeychainError(.itemNotFound, "the item list is empty", subject: "u_ItemList")
        }
        let predicate = try parsed.predicate()
        try parsed.checkItemsAgree(with: predicate.queriedClass)
        return .existing(items, MatchRequest(predicate: predicate, returning: [], limit: .all))
    }
}

extension ParsedDictionary {
    /// What was said of synchronizing, where "any" makes no sense (decision D8).
    func settledSynchronizable() throws(KeychainError) -> Bool? {
        switch synchronizable {
        case .only(let value): return value
        case .any:
            throw KeychainError(.parameter, "kSecAttrSynchronizableAny is for queries alone", subject: "sync")
        case nil: return nil
        }
    }

    /// The access control that `kSecAttrAccessible` or `kSecAttrAccessControl` asks for, or nil when neither is given.
    func protection() throws(KeychainError) -> AccessControl? {
        guard let accessibility else { return accessControl }
        guard let accessControl else { return AccessControl(protection: accessibility) }
        // Dictionaries we return have both, and they agree (decision D13).
        guard accessControl.protection == accessibility, !accessControl.isConstrained else {
            throw KeychainError(
                .parameter, "kSecAttrAccessible and kSecAttrAccessControl exclude each other", subject: "accc")
        }
        return accessControl
    }
}

/// What may travel to other devices: nothing bound to this one, nothing constrained (decision D9, semantics §3.10).
package enum SynchronizableRule {
    package static func check(_ accessControl: AccessControl?) throws(KeychainError) {
        guard let accessControl else { return }
        guard accessControl.operations == .unrestricted else {
            throw KeychainError(.parameter, "a synchronizable item takes no access control flags", subject: "accc")
        }
        guard !accessControl.protection.isThisDeviceOnly else {
            throw KeychainError(.parameter, "a synchronizable item cannot be ThisDeviceOnly", subject: "pdmn")
        }
    }
}
