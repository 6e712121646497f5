// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// An item that was found, with its keychain.
struct PlacedItem {
    let item: FoundItem
    let keychain: ToolKeychain

    /// Exactly this item.
    var predicate: ItemPredicate { .item(item.itemClass, item.persistentID) }

    /// D26: a negative item, which records that the person is to be asked each time.
    var isNegative: Bool { item.attributes?[.isNegative].map { $0 != .number(0) } ?? false }
}

/// The first item that matches, in the order of the keychains.
enum ItemSearch {
    static func first(
        _ kind: PasswordKind, _ attributes: AttributeList, in keychains: [ToolKeychain], returning: ReturnTypes
    ) throws(SecurityFailure) -> PlacedItem {
        let item = try firstIfAny(kind, attributes, in: keychains, returning: returning)
        guard let item else { throw .notFound() }
        return item
    }

    static func firstIfAny(
        _ kind: PasswordKind, _ attributes: AttributeList, in keychains: [ToolKeychain], returning: ReturnTypes,
        call: String = SecurityFailure.CallName.content
    ) throws(SecurityFailure) -> PlacedItem? {
        let request = request(kind, attributes, returning: returning)
        for keychain in keychains {
            let found = try Unlocking.retrying(keychain, call) { () throws(CommandError) in
                try keychain.matchWithDamaged(request, of: .programs)
            }
            if let item = try first(of: found, in: keychain) { return item }
        }
        return nil
    }

    /// The same, but in the open keychains first: a locked one is named, or asked for when they do not have it.
    static func firstInOpen(
        _ kind: PasswordKind, _ attributes: AttributeList, in keychains: [ToolKeychain], returning: ReturnTypes,
        _ session: Session
    ) throws(SecurityFailure) -> PlacedItem {
        let request = request(kind, attributes, returning: returning)
        var locked: [ToolKeychain] = []
        for keychain in keychains {
            let found: [Found]
            do throws(CommandError) { found = try keychain.matchWithDamaged(request, of: .programs) } catch {
                guard Unlocking.isOfLock(error, keychain) else {
                    throw SecurityFailure(error, in: SecurityFailure.CallName.content)
                }
                locked.append(keychain)
                continue
            }
            guard let item = try first(of: found, in: keychain) else { continue }
            for one in locked { LockedKeychains.tell(of: one, session) }
            return item
        }
        return try first(kind, attributes, in: locked, returning: returning)
    }

    private static func request(
        _ kind: PasswordKind, _ attributes: AttributeList, returning: ReturnTypes
    ) -> MatchRequest {
        MatchRequest(
            predicate: .all(of: .stored(kind.itemClass), attributes), returning: returning, limit: .single)
    }

    private static func first(
        of found: [Found], in keychain: ToolKeychain
    ) throws(SecurityFailure) -> PlacedItem? {
        switch found.first {
        case .item(let item)?: return PlacedItem(item: item, keychain: keychain)
        // Not another item of the next keychain: that would be the wrong password.
        case .damaged(let item)?:
            // Without a reference it may be any that lies on a part of the database which cannot be read.
            let isNamed = item.rest != nil || item.persistentID != nil
            throw SecurityFailure(
                isNamed ? .damaged("The item") : .mayBeDamaged("the item"), in: SecurityFailure.CallName.content)
        case .identity?, nil: return nil
        }
    }
}

extension ItemPredicate {
    /// Every item of a class that has these attributes.
    static func all(of queriedClass: QueriedClass, _ attributes: AttributeList) -> ItemPredicate {
        ItemPredicate(
            queriedClass: queriedClass, attributes: attributes, groups: .everyGroupOfCaller, synchronizable: .any,
            tombstones: false, accessibility: nil, restriction: .none, filters: [])
    }

    static func item(_ itemClass: ItemClass, _ id: PersistentID) -> ItemPredicate {
        ItemPredicate(
            queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil,
            restriction: .items([.persistent(.item(itemClass, id))]), filters: [])
    }
}
