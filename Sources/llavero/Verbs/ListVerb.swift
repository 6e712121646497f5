// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// `llavero list`.
enum ListVerb: Verb {
    static let name = "list"
    static let summary = "lists what is kept"
    static let help = """
        usage: llavero list [--apps] [--all] [--json | --plain]

        Lists your passwords by name, without what is secret of them. What programs keep for themselves comes behind them, with
        --apps.

        \(ItemListing.options)
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let form = try OutputForm(options)
        let scope = try ItemScope(options)
        ItemListing.print(try scope.items(in: try Keychains(options).searched), form)
    }
}
