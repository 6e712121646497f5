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
        _ kind: PasswordKind, _ attributes: AttributeList, in keychains: [ToolKeychain], returning: ReturnTypes,
        group: ItemPredicate.GroupScope = .everyGroupOfCaller
    ) throws(SecurityFailure) -> PlacedItem {
        var predicate = ItemPredicate.all(of: .stored(kind.itemClass), attributes)
        predicate.groups = group
        let request = MatchRequest(predicate: predicate, returning: returning, limit: .single)
        for keychain in keychains {
            let found = try Unlocking.retrying(keychain, SecurityFailure.CallName.content) { () throws(CommandError) in
                try keychain.matchWithDamaged(request, of: .programs)
            }
            switch found.first {
            case .item(let item)?: return PlacedItem(item: item, keychain: keychain)
            // Not another item of the next keychain: that would be the wrong password.
            case .damaged?: throw SecurityFailure(.damaged("The item"), in: SecurityFailure.CallName.content)
            case .identity?, nil: continue
            }
        }
        throw .notFound()
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
