// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero restore-version`.
enum RestoreVersionVerb: Verb {
    static let name = "restore-version"
    static let summary = "makes an item what it was before"
    static let help = """
        usage: llavero restore-version NAME N [--user USER]

        Makes an item again what it was in version N, as `llavero history NAME` lists them: its password, its name, and everything else.
        What it is now becomes an earlier version itself, so this can be taken back, too. A version of a field, an attachment or the
        code makes that alone what it was, and brings it back where it was removed. Whether it is shared with the circle stays as it is.

          --user USER       the item of that user, if several have the name
          --group GROUP     searches only that access group, and not among your own items
          --kind KIND       searches only that kind: password, internet, certificate, key
          --keychain NAME   uses another keychain, by name or path
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        guard options.operands.count == 2 else {
            throw .usage("restore-version requires a name, and the number of a version")
        }
        let past = try past(options.operands[0], options.operands[1], options)
        let now = try? past.item.reread()
        try PastItems.bringBack(past, try ItemScope(options))
        let name =
            now.map { $0.name.hasSameBytes(as: past.item.name) } ?? true
            ? "" : "; it was called \(PlainText.shown(now?.name ?? ""))"
        if let now, now.isShared { options.tell(CircleReach(of: now).told("changes on", of: past.item.title)) }
        options.tell(
            "\(past.item.title) is again what it was until \(PastItem.time(past.version.until)), in the keychain \(past.item.keychain.shownName)\(name)"
        )
    }

    /// The version of an item of that name with that number.
    static func past(_ name: String, _ number: String, _ options: Options) throws(CommandError) -> PastItem {
        guard let wanted = Int64(number), wanted > 0 else {
            throw .usage("\(PlainText.shown(number)) is not the number of a version; `llavero history` lists them")
        }
        let past = try PastItems(named: name, in: try Keychains(options), try ItemScope(options), withFurther: true)
        let versions = past.all.filter { $0.version.number == wanted }
        guard versions.count < 2 else {
            // Each keychain counts for itself.
            let lines = versions.map {
                "\n  --keychain \(ShellWord.quoted(KeychainNames.name(of: $0.item.keychain.place)))  (\($0.item.title))"
            }
            throw .ambiguous(
                "\(versions.count) keychains have a version \(wanted) of \(PlainText.shown(name)); say which:"
                    + lines.joined())
        }
        guard let version = versions.first else {
            let shown = PlainText.shown(name)
            throw .notFound(
                "\(shown) has no version \(wanted); `llavero history \(ShellWord.quoted(shown))` lists its versions")
        }
        return version
    }
}
