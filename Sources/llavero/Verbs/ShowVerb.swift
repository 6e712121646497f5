// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools
internal import SecurityTool

/// `llavero show`.
enum ShowVerb: Verb {
    static let name = "show"
    static let summary = "shows an item without its secret"
    static let help = """
        usage: llavero show NAME [--user USER] [--json | --plain]

        Shows an item: its attributes, when it was created and changed, its access group, when it can be read, and which authentication
        it requires; of a certificate also what stands in it. The secret is not shown: `llavero get NAME` prints it, with --field FIELD
        one of its fields, with --attachment FILE a file.

          --user USER       the item of that user, if several have the name
          --apps            also searches items that programs keep
          --all             also searches invisible items
          --group GROUP     searches only that access group
          --kind KIND       searches only that kind: password, internet, certificate, key
          --json            one object
          --plain           a line for each field: its name, a tab, its value
          --keychain NAME   uses another keychain, by name or path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        try CopyVerb.refuseLetter(in: words)
        let options = try Options(words, help: help)
        let name = ItemName(try options.operand("NAME"))
        let form = try OutputForm(options)
        let item = try name.item(in: try Keychains(options), try ItemScope(options))
        if item.damage == .everything { try item.requireWhole() }
        var details = ItemDetails(item)
        if item.itemClass == .certificate, item.damage == nil, let der = try item.secretIfAny() {
            details.add(CertificateDescription.lines(unsafe der.withUnsafeBytes { unsafe Array($0) }))
        }
        let further = item.damage == nil ? try item.furtherItems() : []
        details.add(further)
        details.print(form)
        if !further.isEmpty, Screen.output.isTerminal, Screen.complaints.isTerminal {
            let word = ShellWord.operand(PlainText.shown(name.text))
            Tool.say("`llavero get \(word) --whole` prints all of it, with what is secret")
        }
        try item.requireWhole()
    }
}
