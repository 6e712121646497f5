// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest

/// What a program keeps by the Secret Service is two passwords: the secret, and an invisible entry with its attributes. Neither is
/// worth anything without the other.
extension FoundItem {
    /// Whether it is an entry, which has no secret of its own.
    package var isSecretServiceEntry: Bool {
        attributes.map { ToolKeychain.isSecretServiceEntry(itemClass, $0) } ?? false
    }
}

extension ToolKeychain {
    fileprivate enum SecretServiceHalf { case entry, secret }

    package static func isSecretServiceEntry(_ itemClass: ItemClass, _ attributes: AttributeList) -> Bool {
        half(itemClass, attributes) == .entry
    }

    /// Which half of an item of the Secret Service's these attributes are; nil of any other item.
    fileprivate static func half(_ itemClass: ItemClass, _ attributes: AttributeList) -> SecretServiceHalf? {
        guard itemClass == .genericPassword,
            attributes[.accessGroup] == .string(AccessGroup.secretService.name)
        else { return nil }
        return attributes[.service] == .string(SecretServiceEntry.service) ? .entry : .secret
    }

    /// The half that belongs to an item of the Secret Service's, which damage or a hand may have made none or several; none of
    /// any other item.
    package func otherHalf(
        of itemClass: ItemClass, _ attributes: AttributeList, of owners: ItemOwners
    ) throws(CommandError) -> [FoundItem] {
        var other = AttributeList()
        switch ToolKeychain.half(itemClass, attributes) {
        case .entry: other[.viewHint] = attributes[.account]
        case .secret:
            other[.service] = .string(SecretServiceEntry.service)
            other[.account] = attributes[.viewHint]
        case nil: return []
        }
        // Without a name of its own an item has no half that could be told from others'.
        guard let name = other[.viewHint] ?? other[.account], name != .emptyString else { return [] }
        let request = MatchRequest(
            predicate: ItemPredicate(
                queriedClass: .stored(.genericPassword), attributes: other,
                groups: .named(AccessGroup.secretService.name), synchronizable: .only(false), tombstones: false,
                accessibility: nil, restriction: .none, filters: []),
            returning: [.attributes, .persistentReference], limit: .all)
        return try match(request, of: owners).compactMap { if case .item(let half) = $0 { half } else { nil } }
    }

    /// An item with the half that belongs to it, for they are removed at once.
    package func whole(
        _ itemClass: ItemClass, _ id: PersistentID?, _ attributes: AttributeList, of owners: ItemOwners
    ) throws(CommandError) -> ItemPredicate {
        let ids = (id.map { [$0] } ?? []) + (try otherHalf(of: itemClass, attributes, of: owners).map(\.persistentID))
        return ItemPredicate(
            queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil,
            restriction: .items(ids.map { .persistent(.item(itemClass, $0)) }), filters: [])
    }
}
