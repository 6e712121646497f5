// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest

/// What a program keeps by the Secret Service is two passwords: the secret, and an invisible entry with its attributes. Neither is
/// worth anything without the other.
extension FoundItem {
    /// Whether it is an entry, which has no secret of its own.
    package var isSecretServiceEntry: Bool {
        attributes.map { ToolKeychain.half(itemClass, $0) == .entry } ?? false
    }
}

extension ToolKeychain {
    fileprivate enum SecretServiceHalf { case entry, secret }

    /// Which half of an item of the Secret Service's these attributes are; nil of any other item.
    fileprivate static func half(_ itemClass: ItemClass, _ attributes: AttributeList) -> SecretServiceHalf? {
        guard itemClass == .genericPassword,
            attributes[.accessGroup] == .string(AccessGroup.secretService.name)
        else { return nil }
        return attributes[.service] == .string(SecretServiceEntry.service) ? .entry : .secret
    }

    /// An item with the half that belongs to it, for they are removed at once.
    package func whole(
        _ itemClass: ItemClass, _ id: PersistentID?, _ attributes: AttributeList, of owners: ItemOwners
    ) throws(CommandError) -> ItemPredicate {
        var ids = id.map { [$0] } ?? []
        var other = AttributeList()
        switch ToolKeychain.half(itemClass, attributes) {
        case .entry: other[.viewHint] = attributes[.account]
        case .secret:
            other[.service] = .string(SecretServiceEntry.service)
            other[.account] = attributes[.viewHint]
        case nil: break
        }
        // Without a name of its own an item has no half that could be told from others'.
        if let name = other[.viewHint] ?? other[.account], name != .emptyString {
            let request = MatchRequest(
                predicate: ItemPredicate(
                    queriedClass: .stored(.genericPassword), attributes: other,
                    groups: .named(AccessGroup.secretService.name), synchronizable: .only(false), tombstones: false,
                    accessibility: nil, restriction: .none, filters: []),
                returning: [.attributes, .persistentReference], limit: .all)
            for case .item(let half) in try match(request, of: owners) { ids.append(half.persistentID) }
        }
        return ItemPredicate(
            queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil,
            restriction: .items(ids.map { .persistent(.item(itemClass, $0)) }), filters: [])
    }
}
