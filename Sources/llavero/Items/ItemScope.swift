// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// The items that a verb searches: the person's own, or also those of programs.
struct ItemScope {
    let owners: ItemOwners
    let group: ItemPredicate.GroupScope
    private(set) var classes: [ItemClass]
    private(set) var user: String?
    let hasInvisible: Bool
    /// Whether what a keychain keeps of its circle is among them: nobody's items, for whoever names their group.
    private let hasCircleKeys: Bool
    /// The group given by --group.
    private let named: String?

    /// From `--apps`, `--all`, `--group`, `--kind` and `--user`, as far as the verb accepts them.
    init(_ options: Options) throws(CommandError) {
        named = options.value("--group")
        let everybody = options.has("--apps") || options.has("--all") || named != nil
        owners = everybody ? .everybody : .person
        if let named {
            guard AccessGroup(named) != nil else { throw .usage("--group requires the name of a group") }
            group = .named(named)
        } else {
            group = everybody ? .everyGroupOfCaller : .named(AccessGroup.passwords.name)
        }
        hasInvisible = options.has("--all")
        hasCircleKeys = named != nil
        user = options.value("--user")
        guard let kind = options.value("--kind") else {
            classes = ItemClass.allCases
            return
        }
        classes = ItemClass.allCases.filter { ToolItem.kind(of: $0) == kind }
        guard !classes.isEmpty else {
            throw .usage("--kind requires password, internet, certificate or key")
        }
    }

    /// Items of all groups, including invisible ones, of these classes and this user.
    private init(everythingOf classes: [ItemClass], _ user: String?) {
        (owners, group, hasInvisible, hasCircleKeys) = (.everybody, .everyGroupOfCaller, true, true)
        (self.classes, self.user, named) = (classes, user, nil)
    }

    /// The same of these classes alone.
    func narrowed(to classes: [ItemClass]) -> ItemScope {
        var scope = self
        scope.classes = classes
        return scope
    }

    /// The same of whichever user.
    var ofEveryUser: ItemScope {
        var scope = self
        scope.user = nil
        return scope
    }

    /// Those of all groups.
    static let certificates = ItemScope(everythingOf: [.certificate], nil)

    /// The same, with the conditions for excluded items.
    var everything: ItemScope { ItemScope(everythingOf: classes, user) }

    static let everything = ItemScope(everythingOf: ItemClass.allCases, nil)

    /// The person's items and those of programs, without invisible ones.
    static let browsed = ItemScope()

    /// The person's items alone.
    static let own = ItemScope(of: .person, .named(AccessGroup.passwords.name))

    private init(
        of owners: ItemOwners = .everybody, _ group: ItemPredicate.GroupScope = .everyGroupOfCaller
    ) {
        (self.owners, self.group, hasInvisible, hasCircleKeys) = (owners, group, false, false)
        (classes, user, named) = (ItemClass.allCases, nil, nil)
    }

    /// Lends the items in parts, and at least one part, which may be empty.
    ///
    /// Up to `mostSorted` items come in one part, the person's own first, by name. More come in the order in which they were
    /// stored, part by part: sorting them would require all of them in memory.
    func forEachPart(
        in keychains: [ToolKeychain], mostSorted: Int = ItemScope.mostSorted,
        _ visit: (ItemPart) throws(CommandError) -> Void
    ) throws(CommandError) {
        try forEachPart(in: keychains, mostSorted: mostSorted, where: { _ in true }, visit)
    }

    /// The same with the wanted items alone.
    func forEachPart(
        in keychains: [ToolKeychain], mostSorted: Int = ItemScope.mostSorted, where isWanted: (ToolItem) -> Bool,
        _ visit: (ItemPart) throws(CommandError) -> Void
    ) throws(CommandError) {
        var kept: [ToolItem] = []
        var damage = MetDamage()
        var isAll = true
        for keychain in keychains {
            for itemClass in classes {
                let pages = pages(itemClass, AttributeList(), in: keychain)
                while let part = try items(of: pages, in: keychain) {
                    for item in part {
                        let fits = isWanted(item)
                        // What cannot be read may be wanted, whatever can still be said of it.
                        if fits || item.damage == .everything { damage.note(item) }
                        if fits { kept.append(item) }
                    }
                    guard kept.count > (isAll ? mostSorted : 0) else { continue }
                    isAll = false
                    try visit(ItemPart(items: kept, isAll: false, damage: damage))
                    (kept, damage) = ([], MetDamage())
                }
            }
        }
        if isAll || damage.isAny {
            try visit(ItemPart(items: ItemScope.sorted(kept), isAll: isAll, damage: damage))
        }
    }

    /// The same one by one, in the order in which they were stored.
    func forEachItem(
        in keychains: [ToolKeychain], _ visit: (ToolItem) throws(CommandError) -> Void
    ) throws(CommandError) {
        try forEachPart(in: keychains, mostSorted: 0) { (part) throws(CommandError) in
            for item in part.items { try visit(item) }
        }
    }

    private static func sorted(_ items: [ToolItem]) -> [ToolItem] {
        let own = AccessGroup.passwords.name
        let keyed = items.map { (isOwn: $0.group.hasSameBytes(as: own), key: $0.name.lowercased(), item: $0) }
        return keyed.sorted { left, right in
            if left.isOwn != right.isOwn { return left.isOwn }
            if left.key != right.key { return left.key < right.key }
            return left.item.account < right.item.account
        }.map(\.item)
    }

    /// Longer lists are not sorted; so many items take about ten megabytes.
    static let mostSorted = 10_000

    /// The items of one class with these attributes, in parts.
    func pages(_ itemClass: ItemClass, _ attributes: AttributeList, in keychain: ToolKeychain) -> ItemPages {
        let predicate = ItemPredicate(
            queriedClass: .stored(itemClass), attributes: attributes, groups: group, synchronizable: .any,
            tombstones: false, accessibility: nil, restriction: .none, filters: [])
        return ItemPages(predicate, returning: [.attributes], in: keychain, of: owners)
    }

    /// The items of the next part that fit the other options; nil behind the last part.
    ///
    /// Further secrets of items are among them only where their own name is asked for, or everything is.
    func items(
        of pages: ItemPages, in keychain: ToolKeychain, byName: Bool = false
    ) throws(CommandError) -> [ToolItem]? {
        guard let found = try pages.next() else { return nil }
        return found.compactMap { found in
            guard let item = ToolItem(found, in: keychain, of: owners) else { return nil }
            guard byName || hasInvisible || !item.isFurther else { return nil }
            return admits(item) ? item : nil
        }
    }

    /// The item with that reference, in any group, unless it does not fit the other options.
    func item(
        _ itemClass: ItemClass, _ id: PersistentID, in keychain: ToolKeychain
    ) throws(CommandError) -> ToolItem? {
        let request = MatchRequest(
            predicate: ToolItem.predicate(of: itemClass, id), returning: [.attributes], limit: .single)
        guard let found = try keychain.matchWithDamaged(request, of: .everybody).first else { return nil }
        guard let item = ToolItem(found, in: keychain, of: .everybody), classes.contains(itemClass) else { return nil }
        if item.damage == .everything { return item }
        if let user, !item.account.hasSameBytes(as: user) { return nil }
        if let named, !item.group.hasSameBytes(as: named) { return nil }
        return item
    }

    private func admits(_ item: ToolItem) -> Bool {
        // Its group cannot be determined.
        if item.damage == .everything { return true }
        if item.isInvisible, !hasInvisible { return false }
        if !hasCircleKeys, item.group.hasSameBytes(as: AccessGroup.sync.name) { return false }
        if let user, !item.account.hasSameBytes(as: user) { return false }
        return true
    }
}

/// A part of a list of items.
struct ItemPart {
    let items: [ToolItem]
    /// Whether these are all items, sorted; else others come before or behind, in the order in which they were stored.
    let isAll: Bool
    /// What was met of damage on the way to them, among items that are not wanted too.
    let damage: MetDamage
}

/// Which of several keychains can be listed: the unlocked ones, or all of them where all are locked, so that the first access
/// reports the lock.
struct OpenKeychains {
    let open: [ToolKeychain]
    /// The others, which are reported.
    let locked: [ToolKeychain]

    init(among keychains: [ToolKeychain]) throws(CommandError) {
        var (open, locked): ([ToolKeychain], [ToolKeychain]) = ([], [])
        for keychain in keychains {
            let isLocked = keychains.count > 1 ? try keychain.state().isLocked : false
            isLocked ? locked.append(keychain) : open.append(keychain)
        }
        if open.isEmpty { (open, locked) = (locked, []) }
        (self.open, self.locked) = (open, locked)
    }

    func tellOfLocked() {
        for keychain in locked {
            Tool.say(
                "the keychain \(keychain.shownName) is locked, so its items are not listed; `\(keychain.unlockCommand)` unlocks it"
            )
        }
    }
}

extension KeychainState {
    var isLocked: Bool { lockState == .locked || lockState == .beforeFirstUnlock }
}
