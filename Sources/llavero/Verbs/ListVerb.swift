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

          --apps            what programs keep, too
          --all             what is invisible, too
          --user USER       those of one user
          --group GROUP     those of one access group
          --kind KIND       those of one kind: password, internet, certificate, key
          --json            a list of objects
          --plain           a line for each, with tabs between; backslashes stand before what would break it
          --keychain NAME   those of another keychain, by its name or its path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let form = try OutputForm(options)
        let scope = try ItemScope(options)
        ItemListing.print(try scope.items(in: try Keychains(options).searched), form)
    }
}
