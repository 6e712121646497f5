// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero edit`.
enum EditVerb: Verb {
    static let name = "edit"
    static let summary = "changes an item or its password"
    static let help = """
        usage: llavero edit NAME [--user USER] [--stdin | --fd N | --generate | --empty]
               llavero edit NAME [--user USER] [--new-user USER] [--url URL] [--note TEXT]

        Changes an item: its password, which is asked for twice when no other change is told, its user, what it is for, its note.
        What is not told stays. `llavero rename` gives it another name.

          --user USER       the one of that user, where several have the name
          --new-user USER   whose password it is from now on; "" for nobody's
          --url URL         what an internet password is for
          --note TEXT       its note; "" for none
          --stdin           reads the new password from standard input; one line feed at its end does not count
          --fd N            reads it from descriptor N, in the same way
          --raw             with --stdin or --fd: a line feed at the end counts
          --empty           keeps an empty password; with --stdin or --fd, one where nothing comes in
          --generate        makes one up, as `llavero generate` does, with its options:
          --length N        so many letters and digits
          --symbols         other characters too
          --groups N        so many groups of six, with dashes between
          --words N         so many words, with dashes between
          --rules RULES     what a site asks for, as in Apple's password rules
          --apps            looks at what programs keep, too
          --all             at what is invisible, too
          --group GROUP     looks in that access group
          --kind KIND       looks at one kind only: password, internet, certificate, key
          --keychain NAME   looks in another keychain, by its name or its path
          --quiet           says nothing of what was done
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help, empty: ["--user", "--new-user", "--note"])
        let name = try options.operand("NAME")
        let source = try SecretSource(options)
        let address: WebAddress? = if let url = options.value("--url") { try WebAddress(url) } else { nil }
        let item = try ItemName(name, isForChange: true).item(in: try Keychains(options), try ItemScope(options))
        try item.requireWhole()
        guard item.itemClass.isPassword else {
            throw .failure("a \(item.kind) is what it is; remove it, and import another one")
        }
        var attributes = AttributeList()
        if let address {
            guard item.itemClass == .internetPassword else {
                throw .failure("\(PlainText.shown(item.name)) is for no server; add another one with --url")
            }
            for (attribute, value) in address.attributes { attributes[attribute] = value }
        }
        if let user = options.value("--new-user") ?? address?.user { attributes[.account] = .string(user) }
        if let note = options.value("--note") { attributes[.comment] = .string(note) }
        let hasSecret = source.isGiven || attributes.isEmpty
        try item.change(attributes, secret: hasSecret ? try source.secret(for: item.name) : nil)
        var changed = hasSecret ? ["password"] : []
        if options.value("--new-user") != nil || address?.user != nil { changed.append("user") }
        if address != nil { changed.append("URL") }
        if options.value("--note") != nil { changed.append("note") }
        options.tell("changed \(item.title): \(changed.joined(separator: ", "))")
    }
}

extension Item {
    func change(_ attributes: AttributeList, secret: SecretValue?) throws(CommandError) {
        try requireWhole()
        let changes = ItemChanges(
            attributes: attributes, group: nil, accessControl: nil, isSynchronizable: nil, secret: secret)
        try keychain.updateNamed(self, changes)
    }
}
