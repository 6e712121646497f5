// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// `llavero list`.
enum ListVerb: Verb {
    static let name = "list"
    static let summary = "lists items"
    static let help = """
        usage: llavero list [--tag TAG] [--expired] [--apps] [--all] [--json | --plain]

        Lists your passwords by name, without their secrets; with --apps, also the items of programs after them. More than 10000 items
        are listed in the order in which they were stored. Of several keychains, locked ones are reported on standard error and the
        others are listed; it ends with 36 when all of them are locked. It ends with 1 when an item, or a part of the database,
        is so damaged that not even a name can be read.

          --tag TAG         only items with this tag, or one in it such as TAG/SUBTAG, and those whose name begins with TAG/
          --expired         only items that have expired
        \(ItemListing.options)
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        if let text = options.operands.first {
            if text.utf8.last == UInt8(ascii: "/") {
                let tag = ShellWord.quoted(PlainText.shown(String(text.dropLast())))
                throw .usage("unexpected argument: \(text); `llavero list --tag \(tag)` lists what is in that folder")
            }
            throw .usage(
                "unexpected argument: \(text); `llavero search \(ShellWord.quoted(PlainText.shown(text)))` lists what contains it"
            )
        }
        let form = try OutputForm(options)
        let keychains = try Keychains(options)
        let scope = try ItemScope(options)
        let searched = try OpenKeychains(among: keychains.searched)
        var listing = ItemListing(form, of: scope, in: searched.open)
        let tag = options.value("--tag")
        let now = options.has("--expired") ? BackupText.now : nil
        let isWanted = { (item: ToolItem) in
            guard tag != nil || now != nil else { return true }
            return (tag.map(item.isIn) ?? true) && (now.map { item.properties.isExpired(at: $0) } ?? true)
        }
        try scope.forEachPart(in: searched.open, where: isWanted) { (part) throws(CommandError) in listing.put(part) }
        listing.end()
        searched.tellOfLocked()
        try listing.damage.end()
        guard listing.count == 0, searched.locked.isEmpty else { return }
        if keychains.searched.isEmpty {
            Tool.say(keychains.standard.noneYet)
        } else {
            let near = try tag.flatMap { (tag) throws(CommandError) in try nearTag(tag, in: searched.open, scope) }
            let question = near.map { "; did you mean --tag \(ShellWord.operand(PlainText.shown($0)))?" }
            Tool.say("no items were found\(question ?? "; \(ListVerb.whereElse(options))")")
        }
    }

    /// A tag that ends in what was looked for, as that of a group below the root of a KeePass database.
    private static func nearTag(
        _ tag: String, in keychains: [ToolKeychain], _ scope: ItemScope
    ) throws(CommandError) -> String? {
        let ending = "/\(ItemProperties.withoutSlash(tag).lowercased())"
        var near: String?
        try scope.forEachItem(in: keychains) { (item) throws(CommandError) in
            near = near ?? item.properties.tags.first { $0.lowercased().hasSuffix(ending) }
        }
        return near
    }

    private static func whereElse(_ options: Options) -> String {
        if ["--user", "--group", "--kind", "--tag"].contains(where: { options.value($0) != nil })
            || options.has("--expired")
        {
            return "`llavero list` without these options shows more"
        }
        return options.has("--apps") || options.has("--all")
            ? "`llavero add` adds one" : "--apps also lists items of programs, and `llavero add` adds one"
    }
}
