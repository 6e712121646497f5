// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// Among which items a verb looks: the person's own, or programs' too.
struct ItemScope {
    let owners: ItemOwners
    let group: ItemPredicate.GroupScope
    let classes: [ItemClass]
    let user: String?
    let hasInvisible: Bool
    /// The group that was named, if one was.
    private let named: String?

    /// By `--apps`, `--all`, `--group`, `--kind` and `--user`, as far as the verb has them.
    init(_ options: Options) throws(CommandError) {
        named = options.value("--group")
        let everybody = options.has("--apps") || options.has("--all") || named != nil
        owners = everybody ? .everybody : .person
        if let named {
            guard AccessGroup(named) != nil else { throw .usage("--group wants the name of a group") }
            group = .named(named)
        } else {
            group = everybody ? .everyGroupOfCaller : .named(AccessGroup.passwords.name)
        }
        hasInvisible = options.has("--all")
        user = options.value("--user")
        guard let kind = options.value("--kind") else {
            classes = ItemClass.allCases
            return
        }
        classes = ItemClass.allCases.filter { Item.kind(of: $0) == kind }
        guard !classes.isEmpty else {
            throw .usage("--kind knows password, internet, certificate and key")
        }
    }

    /// Everybody's, the invisible too; of these classes and this user.
    private init(everythingOf classes: [ItemClass], _ user: String?) {
        (owners, group, hasInvisible) = (.everybody, .everyGroupOfCaller, true)
        (self.classes, self.user, named) = (classes, user, nil)
    }

    /// The same with what it leaves out.
    var everything: ItemScope { ItemScope(everythingOf: classes, user) }

    static let everything = ItemScope(everythingOf: ItemClass.allCases, nil)

    /// All of them, the person's own first, by name.
    func items(in keychains: [ToolKeychain]) throws(CommandError) -> [Item] {
        let own = AccessGroup.passwords.name
        var items: [(isOwn: Bool, key: String, item: Item)] = []
        for keychain in keychains {
            for itemClass in classes {
                for item in try self.items(itemClass, AttributeList(), in: keychain) {
                    items.append((item.group.hasSameBytes(as: own), item.name.lowercased(), item))
                }
            }
        }
        return items.sorted { left, right in
            if left.isOwn != right.isOwn { return left.isOwn }
            if left.key != right.key { return left.key < right.key }
            return left.item.account < right.item.account
        }.map(\.item)
    }

    /// The same of those that are open; those that are locked are named.
    ///
    /// Where all are, that is the error.
    func openItems(in keychains: [ToolKeychain]) throws(CommandError) -> OpenItems {
        var (open, locked): ([ToolKeychain], [ToolKeychain]) = ([], [])
        for keychain in keychains {
            let isLocked = keychains.count > 1 ? try keychain.state().isLocked : false
            isLocked ? locked.append(keychain) : open.append(keychain)
        }
        if open.isEmpty { (open, locked) = (locked, []) }
        return OpenItems(items: try items(in: open), locked: locked)
    }

    /// Those of one class with these attributes.
    func items(
        _ itemClass: ItemClass, _ attributes: AttributeList, in keychain: ToolKeychain
    ) throws(CommandError) -> [Item] {
        let predicate = ItemPredicate(
            queriedClass: .stored(itemClass), attributes: attributes, groups: group, synchronizable: .any,
            tombstones: false, accessibility: nil, restriction: .none, filters: [])
        let request = MatchRequest(predicate: predicate, returning: [.attributes], limit: .all)
        return try keychain.matchWithDamaged(request, of: owners).compactMap { found in
            guard let item = Item(found, in: keychain, of: owners) else { return nil }
            return admits(item) ? item : nil
        }
    }

    /// The one with that reference, whosever it is, unless it is another than what was said of it.
    func item(
        _ itemClass: ItemClass, _ id: PersistentID, in keychain: ToolKeychain
    ) throws(CommandError) -> Item? {
        let request = MatchRequest(
            predicate: Item.predicate(of: itemClass, id), returning: [.attributes], limit: .single)
        guard let found = try keychain.matchWithDamaged(request, of: .everybody).first else { return nil }
        guard let item = Item(found, in: keychain, of: .everybody), classes.contains(itemClass) else { return nil }
        if item.damage == .everything { return item }
        if let user, !item.account.hasSameBytes(as: user) { return nil }
        if let named, !item.group.hasSameBytes(as: named) { return nil }
        return item
    }

    private func admits(_ item: Item) -> Bool {
        // Nobody can tell whose it is.
        if item.damage == .everything { return true }
        if item.isInvisible, !hasInvisible { return false }
        if let user, !item.account.hasSameBytes(as: user) { return false }
        return true
    }
}

/// What was found in keychains of which some are locked.
struct OpenItems {
    let items: [Item]
    let locked: [ToolKeychain]

    func tellOfLocked() {
        for keychain in locked {
            Tool.say(
                "the keychain \(keychain.shownName) is locked, and what it has is not among these; `\(keychain.unlockCommand)` unlocks it"
            )
        }
    }
}

extension KeychainState {
    var isLocked: Bool { lockState == .locked || lockState == .beforeFirstUnlock }
}
