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
        let past = try PastItems(named: name, in: keychains, scope).all.map(\.item)
        // One that was never changed itself may have had other fields.
        let there = past.isEmpty ? try ItemName(name).items(in: keychains, scope) : []
        guard let first = past.first ?? there.first else { throw none(of: name) }
        let kept = try PastItems.kept(for: first)
        let keys = Set(kept.map(\.key)).union([first.key])
        guard (past + there).allSatisfy({ keys.contains($0.key) }) else {
            throw .ambiguous(
                "several items are or were called \(PlainText.shown(name)); --user or an identifier of `llavero history --plain` tells which"
            )
        }
        var count = 0
        for item in kept { count += try item.forgetVersions() }
        guard count > 0 else { throw none(of: name) }
        options.tell("destroyed \(counted(count)) of \(first.title)")
    }

    private static func none(of name: String) -> CommandError {
        .notFound("no earlier version of \(PlainText.shown(name)) is kept")
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
