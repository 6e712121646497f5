// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero add`.
enum AddVerb: Verb {
    static let name = "add"
    static let summary = "keeps a new password"
    static let help = """
        usage: llavero add NAME [--user USER] [--url URL] [--note TEXT] [--stdin | --fd N | --generate | --empty]

        Asks for a password, twice, and keeps it under a name. The password never stands on the command line, where every program
        could read it. It may be any bytes: a key, a token, a file.

          --user USER       whose password it is
          --url URL         what it is for; makes it an internet password, which programs find by its server
          --note TEXT       anything else, which is encrypted too, but shown with the item
          --stdin           reads the password from standard input; one line feed at its end does not count
          --fd N            reads it from descriptor N, in the same way
          --raw             with --stdin or --fd: a line feed at the end counts
          --empty           keeps an empty password; with --stdin or --fd, one where nothing comes in
          --generate        makes one up, as `llavero generate` does, with its options:
          --length N        so many letters and digits
          --symbols         other characters too
          --groups N        so many groups of six, with dashes between
          --words N         so many words, with dashes between
          --rules RULES     what a site asks for, as in Apple's password rules
          --keychain NAME   keeps it in another keychain, by its name or its path
          --quiet           says nothing of what was done
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let name = try options.operand("NAME")
        guard !name.isEmpty else { throw .usage("NAME is empty") }
        let address: WebAddress? = if let url = options.value("--url") { try WebAddress(url) } else { nil }
        if let user = address?.user, let given = options.value("--user"), user != given {
            throw .usage("--user and --url name two users")
        }
        let source = try SecretSource(options)
        var attributes = AttributeList()
        attributes[.label] = .string(name)
        attributes[.account] = .string(options.value("--user") ?? address?.user ?? "")
        if let note = options.value("--note") { attributes[.comment] = .string(note) }
        if let address {
            for (attribute, value) in address.attributes { attributes[attribute] = value }
        } else {
            attributes[.service] = .string(name)
        }
        let keychain = try Keychains(options).standard
        let itemClass: ItemClass = address == nil ? .genericPassword : .internetPassword
        // Before anybody types a password in vain; the keychain looks again.
        let wasThere = try keychain.isThere
        if let there = try keychain.duplicate(of: itemClass, attributes) {
            throw keychain.conflict(with: there, of: .person)
        }
        let request = AddRequest(
            itemClass: itemClass, attributes: attributes, group: .named(AccessGroup.passwords.name),
            protection: .byClassAndGroup, isSynchronizable: false,
            isTombstone: false, secret: try source.secret(for: name), returning: [], origin: .caller)
        try keychain.addNamed(request, of: .person)
        options.tell("added \(PlainText.shown(name)) to the keychain \(keychain.shownName)")
        if !wasThere { keychain.tellWhoCanReadIt(options) }
    }
}
