// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// `llavero rename`.
enum RenameVerb: Verb {
    static let name = "rename"
    static let summary = "gives an item another name"
    static let help = """
        usage: llavero rename NAME NEW [--user USER]

        Gives an item another name. A password that is kept for a service of the same name, as `llavero add` makes them, is for the
        service of the new name then.

          --user USER       the one of that user, where several have the name
          --apps            looks at what programs keep, too
          --all             at what is invisible, too
          --group GROUP     looks in that access group
          --kind KIND       looks at one kind only: password, internet, certificate, key
          --keychain NAME   looks in another keychain, by its name or its path
          --quiet           says nothing of what was done
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        guard options.operands.count == 2 else { throw .usage("rename takes the name and the new one") }
        let (name, fresh) = (options.operands[0], options.operands[1])
        guard !fresh.isEmpty else { throw .usage("the new name is empty") }
        let item = try ItemName(name, isForChange: true).item(in: try Keychains(options), try ItemScope(options))
        var attributes = AttributeList()
        attributes[.label] = .string(fresh)
        if item.itemClass == .genericPassword, item.text(.service).hasSameBytes(as: item.text(.label)) {
            attributes[.service] = .string(fresh)
        }
        try item.change(attributes, secret: nil)
        options.tell("renamed \(item.title) to \(PlainText.shown(fresh))")
    }
}
