// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero undelete`.
enum UndeleteVerb: Verb {
    static let name = "undelete"
    static let summary = "brings a removed item back"
    static let help = """
        usage: llavero undelete NAME [--user USER]

        Brings an item back as it was when it was removed, up to 30 days before; `llavero history` lists the items there are. It gets
        its identifier back, too, so programs that keep that find it again. The fields, attachments and one-time code that it had
        then come back, too; what had been removed from it before does not. Of several that were removed under one name, user and
        place it brings the last one back, and names the one before.

          --user USER       the item of that user, if several have the name
          --group GROUP     searches only that access group, and not among your own items
          --kind KIND       searches only that kind: password, internet, certificate, key
          --keychain NAME   uses another keychain, by name or path
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let name = try options.operand("NAME")
        let (keychains, scope) = (try Keychains(options), try ItemScope(options))
        let past = try PastItems(named: name, in: keychains, scope)
        let removed = try past.removed(scope)
        guard let last = removed.first else {
            let shown = PlainText.shown(name)
            if let now = try past.renamed(from: name) {
                throw .notFound(
                    "\(shown) is called \(now.title) now; `llavero history \(ShellWord.operand(PlainText.shown(now.name)))` lists its earlier versions"
                )
            }
            throw .notFound(
                past.all.isEmpty
                    ? "no removed item \(shown) is kept; `llavero history` lists those that are"
                    : "\(shown) is there; `llavero history \(ShellWord.quoted(shown))` lists its earlier versions, and what was removed from it"
            )
        }
        // The newest first: of one that was removed, made again and removed, it is about that one.
        let earlier = removed.dropFirst().filter { $0.isOfOneName(as: last) }
        guard removed.count == 1 + earlier.count else {
            let lines = removed.map { past in
                "\n  llavero restore-version\(past.item.keychain.option) \(ShellWord.quoted(PlainText.shown(name))) \(past.version.number)  "
                    + "(\(past.item.title), removed \(PastItem.date(past.version.until)))"
            }
            throw .ambiguous(
                "\(removed.count) removed items are called \(PlainText.shown(name)); use one of these commands:"
                    + lines.joined())
        }
        try PastItems.bringBack(last, scope)
        let before = earlier.first.map {
            "; the one that was removed before it: `llavero restore-version\($0.item.keychain.option) \(ShellWord.quoted(PlainText.shown(name))) \($0.version.number)`"
        }
        if last.item.isShared {
            options.tell(CircleReach(of: last.item).told("comes back on", of: last.item.title))
        }
        options.tell(
            "brought back \(last.item.title) in the keychain \(last.item.keychain.shownName)\(before ?? "")")
    }
}

extension PastItem {
    /// Whether both were of one keychain, name, user and place, so that one of them came after the other.
    fileprivate func isOfOneName(as other: PastItem) -> Bool {
        item.keychain.place == other.item.keychain.place && item.itemClass == other.item.itemClass
            && item.name.hasSameBytes(as: other.item.name) && item.account.hasSameBytes(as: other.item.account)
            && item.url.hasSameBytes(as: other.item.url)
    }
}
