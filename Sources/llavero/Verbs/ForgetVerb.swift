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
        guard past.all.allSatisfy({ $0.item.isSame(as: first.item) }) else {
            throw .ambiguous(
                "several items are or were called \(PlainText.shown(name)); --user or an identifier of `llavero history --plain` tells which"
            )
        }
        var count = try first.item.forgetVersions()
        let items = past.all.filter { $0.item.isSame(as: first.item) }
        let further = try PastItems(in: [first.item.keychain], scope.narrowed(to: [.genericPassword]).ofEveryUser).all
            .filter { past in
                guard let owner = FurtherItem(past.item)?.owner else { return false }
                return items.contains { $0.item.properties.id == owner }
            }
        for key in Set(further.map(\.item.key)) {
            if let item = further.first(where: { $0.item.key == key })?.item { count += try item.forgetVersions() }
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
