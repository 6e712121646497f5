// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

extension ToolKeychain {
    /// Whether there is an item already that a new one with these attributes would be the same as.
    func hasDuplicate(
        of itemClass: ItemClass, _ attributes: AttributeList, in group: AccessGroup = .passwords,
        isSynchronizable: Bool = false, of owners: ItemOwners = .person
    ) throws(CommandError) -> Bool {
        try duplicate(of: itemClass, attributes, in: group, isSynchronizable: isSynchronizable, of: owners) != nil
    }

    /// The one that an item of these would be; nil where there is none.
    func duplicate(
        of itemClass: ItemClass, _ attributes: AttributeList, in group: AccessGroup = .passwords,
        isSynchronizable: Bool = false, of owners: ItemOwners = .person
    ) throws(CommandError) -> FoundItem? {
        guard isThere else { return nil }
        var identity = AttributeList()
        for part in ItemIdentity.parts(of: itemClass) {
            identity[part.attribute] = attributes[part.attribute] ?? part.absent
        }
        if let hint = attributes[.viewHint] { identity[.viewHint] = hint }
        let predicate = ItemPredicate(
            queriedClass: .stored(itemClass), attributes: identity, groups: .named(group.name),
            synchronizable: .only(isSynchronizable), tombstones: false, accessibility: nil, restriction: .none,
            filters: [])
        let request = MatchRequest(predicate: predicate, returning: [.persistentReference], limit: .single)
        // What is damaged makes room for the new one.
        for case .item(let item) in try matchWithDamaged(request, of: owners) { return item }
        return nil
    }
}
