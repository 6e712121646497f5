// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero history`.
enum HistoryVerb: Verb {
    static let name = "history"
    static let summary = "lists earlier versions of items"
    static let help = """
        usage: llavero history [NAME] [--user USER] [--group GROUP] [--json | --plain]

        Lists what an item was before it was changed or removed, newest first; without NAME, the items that were removed and can be
        brought back. `llavero get NAME --version N` prints an earlier password, `llavero restore-version NAME N` makes it the current
        one, and `llavero undelete NAME` brings a removed item back. With NAME, earlier versions of its fields, attachments and code
        are listed too, also of those that it has not any more; `llavero restore-version NAME N` brings one back.

        Earlier versions are kept for 30 days, five of an item, of your own passwords. They are not kept of items of programs and of
        other groups (but for a change of yours that lost against another machine's), nor of items that require a passcode or a finger. Of those over 64 KiB, 128 MiB of an item stay and 512 MiB of a keychain: the
        oldest go first, the newest of an item stays in any case.

          --user USER       the item of that user, if several have the name
          --group GROUP     searches only that access group, and not among your own items
          --kind KIND       searches only that kind: password, internet, certificate, key
          --json            a list of objects
          --plain           a line for each, with fields separated by tabs and special characters escaped by backslashes
          --keychain NAME   uses another keychain, by name or path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let form = try OutputForm(options)
        let (keychains, scope) = (try Keychains(options), try ItemScope(options))
        guard options.operands.count <= 1 else { throw .usage("history takes one name") }
        guard let name = options.operands.first else {
            let past = try PastItems(in: keychains.searched, scope)
            let all = try past.removed(scope)
            // What was removed with its item comes back with it.
            var with: Set<ToolItem.Key> = []
            for item in all { with.formUnion(try past.removedWith(item).map(\.item.key)) }
            let removed = all.filter { !with.contains($0.item.key) }
            PastListing.print(removed, form)
            if removed.isEmpty { Tool.say("no removed item can be brought back") }
            return
        }
        let past = try PastItems(named: name, in: keychains, scope, withFurther: true)
        PastListing.print(past.all, form)
        guard past.all.isEmpty else { return }
        // Which item has that name has to be told, too.
        for item in try ItemName(name).items(in: keychains, scope) { try item.requireReadable() }
        throw .notFound("no earlier version of \(PlainText.shown(name)) is kept")
    }
}

/// The table of `llavero history`.
enum PastListing {
    static func print(_ past: [PastItem], _ form: OutputForm) {
        let hasKeychains = form != .people || Set(past.map { $0.item.keychain.place }).count > 1
        var columns: [Listing.Column] = [
            .init("VERSION", "version"), .init("NAME", "name"), .init("USER", "user"), .init("FOR", "for"),
            .init("FROM", "from", isWhole: true), .init("UNTIL", "until", isWhole: true), .init("ENDED BY", "ended"),
        ]
        if hasKeychains { columns.append(.init("KEYCHAIN", "keychain")) }
        if form != .people { columns.append(.init("IDENTIFIER", "id")) }
        var listing = Listing(columns)
        for past in past {
            // By what tells them apart a program knows them; people know whose they are.
            let further = form == .people ? FurtherItem(past.item) : nil
            var row: [JSONText] = [
                .number(past.version.number), .text(further?.titleInItem ?? past.item.name),
                .text(further == nil ? past.item.account : ""), .text(further == nil ? past.item.place : ""),
                .text(time(past.version.since, form)), .text(time(past.version.until, form)),
                .text(past.isRemoval ? "removal" : "change"),
            ]
            if hasKeychains { row.append(.text(KeychainNames.name(of: past.item.keychain.place))) }
            if form != .people { row.append(.text(past.item.identifier)) }
            listing.rows.append(row)
        }
        listing.print(form)
    }

    private static func time(_ seconds: Double, _ form: OutputForm) -> String {
        let text = PastItem.time(seconds)
        return form == .people ? String(text.prefix(16)).replacing("T", with: " ") : text
    }
}
