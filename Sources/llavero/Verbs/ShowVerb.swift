// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// `llavero show`.
enum ShowVerb: Verb {
    static let name = "show"
    static let summary = "tells everything about an item but its secret"
    static let help = """
        usage: llavero show NAME [--user USER] [--json | --plain]

        Tells what is known of an item: its attributes, when it was made and changed, whose it is, when it can be read, and who is
        asked before. The secret is not shown, `llavero get` does that.

          --user USER       the one of that user, where several have the name
          --apps            looks at what programs keep, too
          --all             at what is invisible, too
          --group GROUP     looks in that access group
          --kind KIND       looks at one kind only: password, internet, certificate, key
          --json            one object
          --plain           a line for each thing: its name, a tab, its value
          --keychain NAME   looks in another keychain, by its name or its path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let name = ItemName(try options.operand("NAME"))
        let form = try OutputForm(options)
        let item = try name.item(in: try Keychains(options), try ItemScope(options))
        if item.damage == .everything { try item.requireWhole() }
        ItemDetails(item).print(form)
        try item.requireWhole()
    }
}
