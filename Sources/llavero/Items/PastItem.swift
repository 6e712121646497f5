// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainOneTimeCodes
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTools

/// An earlier version of an item, with its keychain.
struct PastItem {
    let version: PastVersion
    let item: ToolItem

    init?(_ version: PastVersion, in keychain: ToolKeychain, of owners: ItemOwners) {
        guard let item = ToolItem(.item(version.item), in: keychain, of: owners) else { return nil }
        (self.version, self.item) = (version, item)
    }

    var isRemoval: Bool { version.end == .removed }

    /// Whether it is the last version of an item that became one of the other kind.
    var becameOther: Bool { isRemoval && item.properties.isRemovedAlone && !item.isFurther }

    /// Makes the item what it was, or there again.
    ///
    /// What belongs to it stays with it: its `id` is not of one version alone. It stays shared, or here alone, as it is now, for a
    /// version from before would take it from all other machines. Codes of a seed that were given are not given again.
    /// An item that became one of the other kind since goes: there is one item of it.
    func bringBack() throws(CommandError) {
        let (own, successor) = (try? item.reread(), try PastItems.successor(of: item))
        let before = own ?? successor
        let (id, counter) = (before?.properties.id, before?.properties.counter)
        let seed = counter == nil ? nil : try? before?.secret()
        do throws(CommandError) {
            _ = try item.keychain.changing { () throws(CommandError) in
                try item.keychain.perform(.bringBack(version.number), of: item.owners)
            }
        } catch {
            guard case .keychain(let cause) = error, cause.reason == .duplicateItem else { throw error }
            throw .duplicate(
                "another item has the name of \(item.title) now; rename that one, and try again: nothing was changed")
        }
        if let successor {
            let now = try item.reread()
            if now.isShared != successor.isShared {
                try now.change(AttributeList(), secret: nil, isSynchronizable: successor.isShared)
            }
            try successor.setRemovedAlone(true)
            try successor.keychain.changing { () throws(CommandError) in
                try successor.keychain.delete(
                    DeleteRequest(predicate: successor.predicate, tombstones: .whenSynchronizable), of: successor.owners
                )
            }
        }
        if let before, !before.name.hasSameBytes(as: item.name) { try item.reread().nameFurtherItems() }
        guard id != nil || seed != nil || item.properties.isRemovedAlone else { return }
        let now = try item.reread()
        var given: UInt64?
        if let counter, let seed, OneTimeCode.isSameKey(try now.secret(), seed) { given = counter }
        try now.changeProperties { (_, properties) in
            guard !properties.isForeign else { return }
            if let id { properties.id = id }
            properties.isRemovedAlone = false
            if let given { properties.counter = max(given, properties.counter ?? 0) }
        }
    }

    /// The version with its secret.
    func secret() throws(CommandError) -> SecretValue {
        let reply = try item.keychain.perform(.pastVersion(version.number), of: item.owners)
        guard case .past(let versions) = reply, let version = versions.first else { throw ToolKeychain.otherReply }
        return version.item.secret ?? SecretValue(copying: [UInt8]())
    }

    static func time(_ seconds: Double) -> String { UTCTime(secondsSince2001: Int64(seconds.rounded(.down))).text }
    static func date(_ seconds: Double) -> String { String(time(seconds).prefix(10)) }
}

/// The earlier versions in some keychains, newest first.
struct PastItems {
    private(set) var all: [PastItem] = []
    /// The shared items that are there.
    private let lineages = Lineages()

    init(in keychains: [ToolKeychain], _ scope: ItemScope) throws(CommandError) {
        for keychain in keychains {
            all = PastItems.merged(
                all, try PastItems.versions(in: keychain, of: nil, scope.owners).filter { scope.isAbout($0) })
        }
    }

    /// Those of two keychains by their times; of one keychain they stay in the order of their numbers, which is right also
    /// where a clock was set back.
    private static func merged(_ some: [PastItem], _ others: [PastItem]) -> [PastItem] {
        var (merged, rest): ([PastItem], ArraySlice<PastItem>) = ([], others[...])
        for past in some {
            while let other = rest.first, other.version.until > past.version.until { merged.append(rest.removeFirst()) }
            merged.append(past)
        }
        return merged + rest
    }

    /// Those of every item that has a name now or had it once; with what belongs to it, or did, if that is asked for.
    init(
        named name: String, in keychains: Keychains, _ scope: ItemScope, withFurther: Bool = false
    ) throws(CommandError) {
        guard !name.isEmpty else { throw .usage("NAME is empty") }
        // What belongs to an item has no user, and is of one kind whatever its item is.
        let wide = withFurther ? scope.narrowed(to: ItemClass.allCases).ofEveryUser : scope
        try self.init(in: keychains.searched, wide)
        let there = try ItemName(name).items(in: keychains, scope)
        let lineages = Set(there.compactMap(\.lineage))
        let isNamed = { (past: PastItem) in
            past.item.isCalled(name) || past.item.lineage.map(lineages.contains) ?? false
        }
        let named = Set(all.filter { scope.isAbout($0) && isNamed($0) }.map(\.item.key)).union(there.map(\.key))
        let own = all.filter { scope.isAbout($0) && named.contains($0.item.key) }
        guard withFurther else {
            all = own
            return
        }
        let ids = Set(there.compactMap(\.properties.id) + own.compactMap(\.item.properties.id))
        let keys = Set(own.map(\.item.key))
        all = all.filter { past in
            keys.contains(past.item.key) || (FurtherItem(past.item).map { ids.contains($0.owner) } ?? false)
        }
    }

    /// The newest version of each item that is not there any more, and is not under another name or as one of another kind.
    func removed(_ scope: ItemScope) throws(CommandError) -> [PastItem] {
        var seen: Set<ToolItem.Key> = []
        var removed: [PastItem] = []
        for past in all where seen.insert(past.item.key).inserted && past.isRemoval {
            guard let id = past.item.persistentID else { continue }
            if past.becameOther { continue }
            guard try scope.item(past.item.itemClass, id, in: past.item.keychain) == nil else { continue }
            if try lineages.item(of: past.item) == nil { removed.append(past) }
        }
        return removed
    }

    /// The item that had a name, and goes on under another; nil where there is none.
    func renamed(from name: String) throws(CommandError) -> ToolItem? {
        for past in all where past.item.isCalled(name) && !past.item.isFurther {
            var now = try? past.item.reread()
            if now == nil { now = try PastItems.successor(of: past.item) }
            if let now, !now.isCalled(name) { return now }
        }
        return nil
    }

    /// Brings an item back, and what was removed with it and is not there now.
    static func bringBack(_ past: PastItem, _ scope: ItemScope) throws(CommandError) {
        try past.bringBack()
        guard past.isRemoval else { return }
        let all = try PastItems(in: [past.item.keychain], scope.narrowed(to: [.genericPassword]).ofEveryUser)
        for further in try all.removedWith(past) where (try? further.item.reread()) == nil { try further.bringBack() }
    }

    /// The further secrets that an item had when it was removed: those that were removed before say so.
    func removedWith(_ past: PastItem) throws(CommandError) -> [PastItem] {
        guard let id = past.item.properties.id else { return [] }
        var seen: Set<ToolItem.Key> = []
        let removed = all.filter { other in
            guard other.item.isFurther, FurtherItem(other.item)?.owner == id, seen.insert(other.item.key).inserted
            else {
                return false
            }
            return other.isRemoval && !other.item.properties.isRemovedAlone
        }
        let own = removed.filter { $0.item.isShared == past.item.isShared }
        guard own.count < removed.count, try !past.item.hasDouble() else { return own }
        return removed
    }

    /// The last version of something that an item had; nil where none is kept, or nobody can look.
    static func removal(of kind: FurtherItem.Kind, _ name: String, of item: ToolItem) -> PastItem? {
        guard let id = item.properties.id, !item.isFurther else { return nil }
        // The newest comes first.
        return (try? versions(in: item.keychain, of: nil, item.owners))?.first { past in
            guard past.isRemoval, let further = FurtherItem(past.item) else { return false }
            return further.kind == kind && further.owner == id && further.name.hasSameBytes(as: name)
        }
    }

    /// The version that a change or removal of an item has left of what it was; nil where none is kept of such an item.
    static func version(of item: ToolItem) throws(CommandError) -> PastItem? {
        guard let id = item.persistentID, case .date(let since)? = item.attributes[.modificationDate] else {
            return nil
        }
        return try versions(in: item.keychain, of: .item(item.itemClass, id), item.owners)
            .first { $0.version.since == since }
    }

    /// The earlier versions of one item, newest first, with those of what it was before it became one of the other kind.
    static func versions(of item: ToolItem) throws(CommandError) -> [PastItem] {
        let all = try own(of: item) + (try former(of: item))
        return all.sorted { $0.version.number > $1.version.number }
    }

    /// Those of the item that it is now.
    static func own(of item: ToolItem) throws(CommandError) -> [PastItem] {
        guard let id = item.persistentID else { return [] }
        return try versions(in: item.keychain, of: .item(item.itemClass, id), item.owners)
    }

    /// The versions of the items that one was, before it became one of the other kind: those have its `id`, and are no more.
    static func former(of item: ToolItem) throws(CommandError) -> [PastItem] {
        guard let id = item.properties.id, !item.isFurther else { return [] }
        let all = try versions(in: item.keychain, of: nil, item.owners)
        let moved = all.filter { past in
            past.becameOther && past.item.properties.id == id
                || past.isRemoval && item.lineage != nil && past.item.lineage == item.lineage
        }
        // With another item of this `id` only those are its own that were shared as it is.
        let hasDouble = moved.isEmpty ? false : try item.hasDouble()
        let keys = Set(moved.filter { !hasDouble || $0.item.isShared == item.isShared }.map(\.item.key))
            .subtracting([item.key])
        return all.filter { keys.contains($0.item.key) }
    }

    /// The items of which earlier versions are kept for one: itself, those that it was before it became one of the other kind, and
    /// what belongs to them, or did.
    static func kept(for item: ToolItem) throws(CommandError) -> [ToolItem] {
        let all = try versions(in: item.keychain, of: nil, item.owners)
        let now = (try? item.reread()) ?? item
        // What was before it had something of its own has no `id` yet.
        let ids = Set(all.filter { $0.item.isSame(as: item) }.compactMap(\.item.properties.id))
            .union([item, now].compactMap(\.properties.id))
        // Another item may have it, too, that the circle shares where this one is here alone, or the other way round.
        let hasDouble = try now.hasDouble()
        let its = all.map(\.item).filter { !hasDouble || $0.isShared == now.isShared || $0.isSame(as: item) }
        let keys = Set(its.filter { !$0.isFurther && $0.properties.id.map(ids.contains) ?? false }.map(\.key))
            .union([item.key])
        var seen: Set<ToolItem.Key> = []
        return its.filter { past in
            let isOfItem = keys.contains(past.key) || FurtherItem(past).map { ids.contains($0.owner) } ?? false
            return isOfItem && seen.insert(past.key).inserted
        }
    }

    /// What an item that is no more became, if that is still there.
    static func successor(of item: ToolItem) throws(CommandError) -> ToolItem? {
        guard let own = item.persistentID, !item.isFurther,
            let last = try versions(in: item.keychain, of: .item(item.itemClass, own), item.owners).first,
            last.isRemoval, let id = last.item.properties.id, try !item.isThere()
        else { return nil }
        if last.becameOther { return try item.other(identifiedBy: id, isShared: last.item.isShared) }
        return try Lineages().item(of: last.item)
    }

    private static func versions(
        in keychain: ToolKeychain, of reference: PersistentReference?, _ owners: ItemOwners
    ) throws(CommandError) -> [PastItem] {
        var (versions, last): ([PastItem], Int64?) = ([], nil)
        while true {
            let reply = try keychain.perform(.history(of: reference, before: last), of: owners)
            guard case .past(let part) = reply else { throw ToolKeychain.otherReply }
            guard let end = part.last else { return versions }
            versions += part.compactMap { PastItem($0, in: keychain, of: owners) }
            last = end.number
        }
    }
}

/// What stays the same of an item that the circle shares, whatever it is called: where another machine renames one, here the one of
/// the old name is removed, and another is added.
struct Lineage: Hashable {
    let id: String
    let created: Double
}

extension ToolItem {
    /// nil of one that has none, as what belongs to an item.
    var lineage: Lineage? {
        guard isShared, !isFurther, let id = properties.id, case .date(let created)? = attributes[.creationDate] else {
            return nil
        }
        return Lineage(id: id, created: created)
    }
}

/// The shared items of keychains by their lineage, read when they are asked for.
private final class Lineages {
    private var items: [Place: [Lineage: ToolItem]] = [:]

    /// The item as which another one goes on.
    func item(of past: ToolItem) throws(CommandError) -> ToolItem? {
        guard let lineage = past.lineage else { return nil }
        if items[past.keychain.place] == nil {
            var found: [Lineage: ToolItem] = [:]
            try past.keychain.eachOfPerson { item in if let lineage = item.lineage { found[lineage] = item } }
            items[past.keychain.place] = found
        }
        return items[past.keychain.place]?[lineage]
    }
}

extension ItemScope {
    fileprivate func isAbout(_ past: PastItem) -> Bool {
        guard classes.contains(past.item.itemClass) else { return false }
        if case .named(let group) = group, !past.item.group.hasSameBytes(as: group) { return false }
        return user.map { past.item.account.hasSameBytes(as: $0) } ?? true
    }
}

extension ToolItem {
    /// Whether a person may mean it by a name.
    func isCalled(_ name: String) -> Bool {
        identifier.hasSameBytes(as: name) || ItemName.names(of: self).contains { $0.hasSameBytes(as: name) }
    }
}
