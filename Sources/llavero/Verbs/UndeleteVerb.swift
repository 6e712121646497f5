// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero undelete`.
enum UndeleteVerb: Verb {
    static let name = "undelete"
    static let summary = "brings a removed item back"
    static let help = """
        usage: llavero undelete NAME… [--user USER]

        Brings items back, each as it was when it was removed, up to 30 days before; `llavero history` lists the items there are. It gets
        its identifier back, too, so programs that keep that find it again. The fields, attachments and one-time code that it had
        then come back, too; what had been removed from it before does not. Where one of several names is none of a removed item, none
        is brought back. Of several that were removed under one name, user and
        place it brings the last one back, and names the one before.

          --user USER       the item of that user, if several have the name
          --group GROUP     searches only that access group, and not among your own items
          --kind KIND       searches only that kind: password, internet, certificate, key
          --keychain NAME   uses another keychain, by name or path
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        guard !options.operands.isEmpty else { throw .usage("NAME is missing") }
        let (keychains, scope) = (try Keychains(options), try ItemScope(options))
        var removed: [Removed] = []
        for name in options.operands {
            let one = try Removed(name, in: keychains, scope)
            // Two names may be one item's.
            if !removed.contains(where: { $0.last.item.key == one.last.item.key }) { removed.append(one) }
        }
        for one in removed {
            try PastItems.bringBack(one.last, scope)
            let item = one.last.item
            if item.isShared { options.tell(CircleReach(of: item).told("comes back on", of: item.title)) }
            options.tell("brought back \(item.title) in the keychain \(item.keychain.shownName)\(one.before)")
        }
    }

    /// What a name means of what was removed.
    private struct Removed {
        let last: PastItem
        /// The command for the one that was removed under the name before it, if there is one.
        let before: String

        init(_ name: String, in keychains: Keychains, _ scope: ItemScope) throws(CommandError) {
            let past = try PastItems(named: name, in: keychains, scope)
            let removed = try past.removed(scope)
            let shown = PlainText.shown(name)
            guard let last = removed.first else {
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
            func command(_ past: PastItem) -> String {
                "llavero restore-version\(past.item.keychain.option) \(ShellWord.quoted(shown)) \(past.version.number)"
            }
            // The newest first: of one that was removed, made again and removed, it is about that one.
            let earlier = removed.dropFirst().filter { $0.isOfOneName(as: last) }
            guard removed.count == 1 + earlier.count else {
                let lines = removed.map { past in
                    "\n  \(command(past))  (\(past.item.title), removed \(PastItem.date(past.version.until)))"
                }
                throw .ambiguous(
                    "\(removed.count) removed items are called \(shown); use one of these commands:" + lines.joined())
            }
            self.last = last
            before = earlier.first.map { "; the one that was removed before it: `\(command($0))`" } ?? ""
        }
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
