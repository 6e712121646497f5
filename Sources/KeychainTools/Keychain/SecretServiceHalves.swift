// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
package import KeychainRequest

/// What a program keeps by the Secret Service is two passwords: the secret, and an invisible entry with its attributes. Neither is
/// worth anything without the other.
extension FoundItem {
    /// Whether it is an entry, which has no secret of its own.
    package var isSecretServiceEntry: Bool {
        isOfSecretService && attributes?[.service] == .string(SecretServiceEntry.service)
    }

    fileprivate var isOfSecretService: Bool {
        itemClass == .genericPassword && attributes?[.accessGroup] == .string(AccessGroup.secretService.name)
    }
}

extension ToolKeychain {
    /// An item with the half that belongs to it, as they are removed: at once. Of any other item it is that alone.
    package func whole(_ item: FoundItem, of owners: ItemOwners) throws(CommandError) -> ItemPredicate {
        var ids = [item.persistentID]
        if item.isOfSecretService {
            var half = AttributeList()
            if item.isSecretServiceEntry {
                half[.viewHint] = item.attributes?[.account]
            } else {
                half[.service] = .string(SecretServiceEntry.service)
                half[.account] = item.attributes?[.viewHint]
            }
            let request = MatchRequest(
                predicate: ItemPredicate(
                    queriedClass: .stored(.genericPassword), attributes: half,
                    groups: .named(AccessGroup.secretService.name), synchronizable: .only(false), tombstones: false,
                    accessibility: nil, restriction: .none, filters: []),
                returning: [.attributes, .persistentReference], limit: .all)
            // Without a name of its own an item has no half that could be told from others'.
            let name = half[.viewHint] ?? half[.account]
            if let name, name != .emptyString {
                for case .item(let other) in try match(request, of: owners) { ids.append(other.persistentID) }
            }
        }
        return ItemPredicate(
            queriedClass: .stored(item.itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil,
            restriction: .items(ids.map { .persistent(.item(item.itemClass, $0)) }), filters: [])
    }
}
