// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// Makes the name part of the identity of a person's items, so that one user and URL can be kept under two names.
///
/// Apple's unique key has no label. Where another item has the rest of the key already, a random mark goes into the view hint,
/// which is part of that key and has no other meaning here; it is stored unencrypted.
extension ToolKeychain {
    /// The stored item with the same identity as these attributes; nil without one.
    func duplicate(
        of itemClass: ItemClass, _ attributes: AttributeList, in group: AccessGroup = .passwords,
        isSynchronizable: Bool = false, of owners: ItemOwners = .person
    ) throws(CommandError) -> FoundItem? {
        try duplicates(of: itemClass, attributes, in: group, isSynchronizable: isSynchronizable, of: owners).first
    }

    /// The stored items with the same identity as these attributes.
    ///
    /// Among a person's items they also have the same name. A damaged item makes room for the new one.
    private func duplicates(
        of itemClass: ItemClass, _ attributes: AttributeList, in group: AccessGroup, isSynchronizable: Bool,
        of owners: ItemOwners
    ) throws(CommandError) -> [FoundItem] {
        guard try isThere else { return [] }
        var identity = AttributeList()
        for part in ItemIdentity.parts(of: itemClass) {
            identity[part.attribute] = attributes[part.attribute] ?? part.absent
        }
        if let hint = attributes[.viewHint], !NameMark.isOne(hint) { identity[.viewHint] = hint }
        let predicate = ItemPredicate(
            queriedClass: .stored(itemClass), attributes: identity, groups: .named(group.name),
            synchronizable: .only(isSynchronizable), tombstones: false, accessibility: nil, restriction: .none,
            filters: [])
        let request = MatchRequest(
            predicate: predicate, returning: [.attributes, .persistentReference], limit: .all)
        let isNamed = ToolKeychain.isNamed(itemClass, group)
        return try matchWithDamaged(request, of: owners).compactMap { found in
            guard case .item(let item) = found else { return nil }
            return !isNamed || NameMark.isSameName(item.attributes?[.label], attributes[.label]) ? item : nil
        }
    }

    /// All items with the same identifying attributes, whatever their names and view hints are.
    func alike(
        _ itemClass: ItemClass, _ attributes: AttributeList, in group: AccessGroup,
        synchronizable: ItemPredicate.Synchronizable, of owners: ItemOwners
    ) throws(CommandError) -> [FoundItem] {
        guard try isThere else { return [] }
        var identity = AttributeList()
        for part in ItemIdentity.parts(of: itemClass) {
            identity[part.attribute] = attributes[part.attribute] ?? part.absent
        }
        let predicate = ItemPredicate(
            queriedClass: .stored(itemClass), attributes: identity, groups: .named(group.name),
            synchronizable: synchronizable, tombstones: false, accessibility: nil, restriction: .none,
            filters: [])
        let request = MatchRequest(
            predicate: predicate, returning: [.attributes, .persistentReference], limit: .all)
        // A damaged item makes room for the new one.
        return try matchWithDamaged(request, of: owners).compactMap {
            if case .item(let item) = $0 { item } else { nil }
        }
    }

    /// A person's passwords with a name, without what belongs to other items.
    func called(_ name: String) throws(CommandError) -> [ToolItem] {
        var attributes = AttributeList()
        attributes[.label] = .string(name)
        var items: [ToolItem] = []
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            let predicate = ItemPredicate(
                queriedClass: .stored(itemClass), attributes: attributes, groups: .named(AccessGroup.passwords.name),
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
            let request = MatchRequest(predicate: predicate, returning: [.attributes], limit: .all)
            items += try matchWithDamaged(request, of: .person).compactMap { ToolItem($0, in: self, of: .person) }
        }
        return items.filter { !$0.isFurther }
    }

    /// Adds an item, a person's by its name; if it exists already the error names it, unless another one is meant.
    @discardableResult
    func addNamed(
        _ request: AddRequest, isAnother: Bool = false, of owners: ItemOwners
    ) throws(CommandError) -> FoundItem? {
        guard case .named(let name) = request.group, let group = AccessGroup(name) else {
            return try add(request, of: owners)
        }
        func inTheWay() throws(CommandError) -> CommandError? {
            if isAnother { return nil }
            return try duplicate(
                of: request.itemClass, request.attributes, in: group, isSynchronizable: request.isSynchronizable,
                of: owners
            ).map { conflict(with: $0, of: owners) }
        }
        if let conflict = try inTheWay() { throw conflict }
        do throws(CommandError) { return try add(request, of: owners) } catch {
            guard error.isDuplicate else { throw error }
            // Another process may have added it in the meantime.
            if let conflict = try inTheWay() { throw conflict }
            guard ToolKeychain.isNamed(request.itemClass, group) else { throw error }
        }
        var marked = request
        marked.attributes[.viewHint] = NameMark.fresh()
        return try add(marked, of: owners)
    }

    /// Changes an item, a person's by its name; if another item would then be the same, the error names it.
    ///
    /// With `onlyAsRead` one that was changed since is not found.
    func updateNamed(_ item: ToolItem, _ changes: ItemChanges, onlyAsRead: Bool = false) throws(CommandError) {
        func update(_ changes: ItemChanges) throws(CommandError) {
            try self.update(
                UpdateRequest(
                    predicate: onlyAsRead ? item.predicateAsRead : item.predicate, changes: changes,
                    tombstones: .whenSynchronizable),
                of: item.owners)
        }
        // A change of neither name nor key cannot make a duplicate; imported entries may be equal in both.
        let isOther =
            changes.isSynchronizable != nil
            || changes.attributes.entries.contains { entry in
                entry.attribute == .label
                    || ItemIdentity.parts(of: item.itemClass).contains { $0.attribute == entry.attribute }
            }
        guard item.itemClass.isPassword, let group = AccessGroup(item.group), isOther else {
            return try update(changes)
        }
        var attributes = item.attributes
        for entry in changes.attributes.entries { attributes[entry.attribute] = entry.value }
        let all = try duplicates(
            of: item.itemClass, attributes, in: group,
            isSynchronizable: changes.isSynchronizable ?? AttributeText.isTrue(item.attributes[.synchronizable]),
            of: item.owners)
        for there in all where there.persistentID != item.persistentID {
            // Two that nobody takes for one stay two when they are shared, too.
            let other = changes.isSynchronizable == nil ? nil : ToolItem(.item(there), in: self, of: item.owners)
            guard let other, try item.isApart(from: other) else { throw conflict(with: there, of: item.owners) }
        }
        do throws(CommandError) { try update(changes) } catch {
            guard error.isDuplicate, ToolKeychain.isNamed(item.itemClass, group) else { throw error }
            var marked = changes
            marked.attributes[.viewHint] = NameMark.fresh()
            try update(marked)
        }
    }

    /// The error for an item that exists already.
    func conflict(with found: FoundItem, of owners: ItemOwners) -> CommandError {
        guard let item = ToolItem(.item(found), in: self, of: owners) else {
            return .duplicate("such an item exists already")
        }
        return .duplicate("the item \(item.titleWithPlace) exists already; `llavero edit` changes it")
    }

    static func isNamed(_ itemClass: ItemClass, _ group: AccessGroup) -> Bool {
        itemClass.isPassword && group == .passwords
    }
}

/// The mark in the view hint of an item that shares the rest of its key with one of another name.
enum NameMark {
    private static let beginning = "name-"

    static func fresh() -> AttributeValue {
        let digits = String(UInt64.random(in: 1...UInt64.max), radix: 16)
        return .string(beginning + String(repeating: "0", count: 16 - digits.count) + digits)
    }

    static func isOne(_ hint: AttributeValue?) -> Bool {
        if case .string(let text)? = hint { text.hasPrefix(beginning) } else { false }
    }

    static func isSameName(_ first: AttributeValue?, _ second: AttributeValue?) -> Bool {
        func name(_ label: AttributeValue?) -> String { if case .string(let text)? = label { text } else { "" } }
        return name(first).hasSameBytes(as: name(second))
    }
}

extension CommandError {
    var isDuplicate: Bool {
        if case .keychain(let cause) = self { cause.reason == .duplicateItem } else { false }
    }
}
