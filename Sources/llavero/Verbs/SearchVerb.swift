// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// `llavero search`.
enum SearchVerb: Verb {
    static let name = "search"
    static let summary = "lists what has a text in its name"
    static let help = """
        usage: llavero search TEXT [--apps] [--all] [--json | --plain]

        Lists what has the text anywhere in its name, its user, its service or server, or its note. Capital letters and accents
        make no difference. Passwords themselves are not searched. Ends with 44 when there is nothing. Of several keychains those that
        are locked are named on standard error, and the others searched all the same; it ends with 36 when nothing was found, and
        one was locked.

        \(ItemListing.options)
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let text = try options.operand("TEXT")
        let form = try OutputForm(options)
        let pattern = TextPattern(
            text, at: .anywhere, matching: TextMatching(ignoring: [.letterCase, .diacritics, .width]))
        let scope = try ItemScope(options)
        let found = try scope.openItems(in: try Keychains(options).searched)
        let items = found.items.filter { item in
            ([item.name, item.account, item.place] + texts.map { item.text($0) }).contains { pattern.matches($0) }
        }
        if !items.isEmpty { ItemListing.print(items, form) }
        found.tellOfLocked()
        guard items.isEmpty else { return }
        guard found.locked.isEmpty else {
            throw .needsPerson("nothing that is open has \(PlainText.shown(text)) in its name")
        }
        throw .notFound("nothing has \(PlainText.shown(text)) in its name")
    }

    private static let texts: [Attribute] = [.comment, .itemDescription, .service, .server, .path]
}
