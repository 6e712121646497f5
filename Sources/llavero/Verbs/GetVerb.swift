// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// `llavero get`.
enum GetVerb: Verb {
    static let name = "get"
    static let summary = "prints a password"
    static let help = """
        usage: llavero get NAME [--user USER] [--raw | --hex | --base64]

        Prints the password that is kept under a name, and a line feed. NAME is an item's label, its service or server with the
        user behind a slash, its service or server, or what `llavero show` calls its identifier.

          --user USER       the one of that user, where several have the name
          --raw             exactly its bytes
          --hex             its bytes in hexadecimal
          --base64          its bytes in base64
          --apps            looks at what programs keep, too
          --all             at what is invisible, too
          --group GROUP     looks in that access group
          --kind KIND       looks at one kind only: password, internet, certificate, key
          --keychain NAME   looks in another keychain, by its name or its path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let name = ItemName(try options.operand("NAME"))
        let form = try SecretForm(options)
        let item = try name.item(in: try Keychains(options), try ItemScope(options))
        try form.print(try item.secret())
    }
}
