// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// `llavero get`.
enum GetVerb: Verb {
    static let name = "get"
    static let summary = "prints a password"
    static let help = """
        usage: llavero get NAME [--user USER] [--version N | --field FIELD | --attachment FILE]
                           [--whole | --raw | --hex | --base64 | --json | --aws | --kubectl]

        Prints the password that is stored under a name, and a line feed. NAME is an item's label, its service or server (each also
        with the user after a slash), its URL, or the identifier that `llavero show` prints.

          --user USER       the item of that user, if several have the name
          --version N       what it was earlier; `llavero history NAME` lists the versions
          --field FIELD     another value: user, url, note, code (the one-time code), or a field that `llavero show NAME` lists
          --attachment FILE
                            an attachment of it, exactly its bytes
          --whole           prints all of the item in the form of an entry of `pass`: the password, and below it `login:` with its
                            user, `url:`, a line for each field, secret ones too, the otpauth:// URL of its codes, and its note. Of
                            an entry that was imported a line `user:` or `username:` is `login:`, too
          --json            prints all of the item as one object, with its password, secret fields and note, and the otpauth:// URL
                            of its codes, or the field alone; base64 where it is not UTF-8. Attachments are named in it
          --raw             prints exactly its bytes
          --hex             prints its bytes in hexadecimal
          --base64          prints its bytes in base64
          --aws             prints the JSON that AWS's credential_process expects; the item's user is the access key's ID
          --kubectl         prints the JSON that kubectl expects of an exec credential plugin, with the secret as the token
          --apps            also searches items that programs keep
          --all             also searches invisible items
          --group GROUP     searches only that access group
          --kind KIND       searches only that kind: password, internet, certificate, key
          --keychain NAME   uses another keychain, by name or path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        try CopyVerb.refuseLetter(in: words)
        let options = try Options(words, help: help)
        let name = ItemName(try options.operand("NAME"))
        let form = try SecretForm(options)
        let credential = try ProgramCredential(options)
        try options.requireOne(of: ["--version", "--field", "--attachment"])
        for option in ["--version", "--attachment"] { try options.requireOne(of: [option, "--json", "--whole"]) }
        for option in ["--field", "--raw", "--hex", "--base64", "--json", "--aws", "--kubectl"] {
            try options.requireOne(of: [option, "--whole"])
        }
        if let version = options.value("--version") {
            let past = try RestoreVersionVerb.past(name.text, version, options)
            let secret = try past.secret()
            return try form.print(FurtherItem(past.item)?.shown(secret) ?? secret)
        }
        let item = try name.item(in: try Keychains(options), try ItemScope(options))
        item.keychain.sayMissingChanges()
        if let file = options.value("--attachment") {
            try options.requireOne(of: ["--attachment", "--aws", "--kubectl"])
            return try form.printAttachment(try item.attachment(file))
        }
        let field = options.value("--field").map(ItemField.init)
        if options.has("--whole") { return try WholeItem(item).print() }
        if options.has("--json") { return try ItemJSON(item, field).print() }
        let secret = try item.value(of: field ?? .password)
        if field == nil, secret.count == 0, (try? item.code()) != nil {
            let code = "llavero code \(ShellWord.quoted(PlainText.shown(name.text)))"
            Tool.say("\(item.title) has an empty password, and a one-time code: `\(code)` prints that")
        }
        guard let credential else { return try form.print(secret) }
        try credential.print(secret, user: item.account)
    }
}
