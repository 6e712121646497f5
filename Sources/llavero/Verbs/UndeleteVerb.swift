// SPDX-License-Identifier: Apache-2.0

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
        then come back, too; what had been removed from it before does not.

          --user USER       the item of that user, if several have the name
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
            throw .notFound(
                past.all.isEmpty
                    ? "no removed item \(shown) is kept; `llavero history` lists those that are"
                    : "\(shown) is there; `llavero history \(ShellWord.quoted(shown))` lists its earlier versions, and what was removed from it"
            )
        }
        guard removed.count == 1 else {
            let lines = removed.map { past in
                "\n  llavero restore-version\(past.item.keychain.option) \(ShellWord.quoted(PlainText.shown(name))) \(past.version.number)  "
                    + "(\(past.item.title), removed \(PastItem.date(past.version.until)))"
            }
            throw .ambiguous(
                "\(removed.count) removed items are called \(PlainText.shown(name)); use one of these commands:"
                    + lines.joined())
        }
        try PastItems.bringBack(last, scope)
        options.tell("brought back \(last.item.title) in the keychain \(last.item.keychain.shownName)")
    }
}
