// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// `llavero list`.
enum ListVerb: Verb {
    static let name = "list"
    static let summary = "lists what is kept"
    static let help = """
        usage: llavero list [--apps] [--all] [--json | --plain]

        Lists your passwords by name, without what is secret of them. What programs keep for themselves comes behind them, with
        --apps. Of several keychains those that are locked are named on standard error, and the others listed all the same; it ends
        with 36 when all of them are locked.

        \(ItemListing.options)
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let form = try OutputForm(options)
        let keychains = try Keychains(options)
        let found = try ItemScope(options).openItems(in: keychains.searched)
        ItemListing.print(found.items, form)
        found.tellOfLocked()
        guard found.items.isEmpty, found.locked.isEmpty else { return }
        if keychains.searched.isEmpty {
            Tool.say("there is no keychain yet: `llavero add` makes one with its first item")
        } else {
            Tool.say("there are no items here; \(ListVerb.whereElse(options))")
        }
    }

    private static func whereElse(_ options: Options) -> String {
        if ["--user", "--group", "--kind"].contains(where: { options.value($0) != nil }) {
            return "without its options `llavero list` shows more"
        }
        return options.has("--apps") || options.has("--all")
            ? "`llavero add` adds one" : "--apps shows what programs keep, and `llavero add` adds one"
    }
}
