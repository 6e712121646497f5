// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero forget`.
enum ForgetVerb: Verb {
    static let name = "forget"
    static let summary = "destroys earlier versions of items"
    static let help = """
        usage: llavero forget NAME [--user USER]
               llavero forget --everything

        Destroys the earlier versions of an item, also of one that was removed, with those of its fields, attachments and one-time
        code, or those of all your passwords. The item itself stays
        as it is. Backups keep what they have.

          --everything      all earlier versions of all your passwords
          --user USER       the item of that user, if several have the name
          --kind KIND       searches only that kind: password, internet, certificate, key
          --keychain NAME   uses another keychain, by name or path
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let (keychains, scope) = (try Keychains(options), try ItemScope(options))
        if options.has("--everything") {
            try options.requireNoOperands(name)
            var count = 0
            for keychain in keychains.searched { count += try keychain.forgetVersions(of: nil, scope.owners) }
            options.tell("destroyed \(counted(count))")
            return
        }
        let name = try options.operand("NAME")
        let past = try PastItems(named: name, in: keychains, scope)
        guard let first = past.all.first else {
            throw .notFound("no earlier version of \(PlainText.shown(name)) is kept")
        }
        let all = try PastItems(in: [first.item.keychain], scope.narrowed(to: ItemClass.allCases).ofEveryUser).all
        // One that became an item of the other kind has the same `id`, which those before it may not have had.
        let ids = Set(all.filter { $0.item.isSame(as: first.item) }.compactMap(\.item.properties.id))
        // Another item may have it, too, that the circle shares where this one is here alone, or the other way round.
        let now = (try? first.item.reread()) ?? first.item
        let hasDouble = try now.hasDouble()
        func isIts(_ past: PastItem) -> Bool { !hasDouble || past.item.isShared == now.isShared }
        func isOfIDs(_ past: PastItem) -> Bool { isIts(past) && past.item.properties.id.map(ids.contains) ?? false }
        let keys = Set(all.filter { !$0.item.isFurther && isOfIDs($0) }.map(\.item.key)).union([first.item.key])
        guard past.all.allSatisfy({ keys.contains($0.item.key) }) else {
            throw .ambiguous(
                "several items are or were called \(PlainText.shown(name)); --user or an identifier of `llavero history --plain` tells which"
            )
        }
        var forgotten: Set<ToolItem.Key> = []
        var count = 0
        for past in all + past.all {
            let isOfItem =
                keys.contains(past.item.key)
                || isIts(past) && FurtherItem(past.item).map { ids.contains($0.owner) } ?? false
            guard isOfItem, forgotten.insert(past.item.key).inserted else { continue }
            count += try past.item.forgetVersions()
        }
        options.tell("destroyed \(counted(count)) of \(first.item.title)")
    }

    private static func counted(_ count: Int) -> String {
        count == 1 ? "one earlier version" : "\(count) earlier versions"
    }
}

extension ToolItem {
    /// Destroys its earlier versions; returns how many there were.
    @discardableResult
    func forgetVersions() throws(CommandError) -> Int {
        guard let persistentID else { return 0 }
        return try keychain.forgetVersions(of: .item(itemClass, persistentID), owners)
    }
}

extension ToolKeychain {
    fileprivate func forgetVersions(
        of reference: PersistentReference?, _ owners: ItemOwners
    ) throws(CommandError) -> Int {
        guard case .removed(let count) = try perform(.forget(reference), of: owners) else {
            throw ToolKeychain.otherReply
        }
        return count
    }
}
