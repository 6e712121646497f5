// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel
internal import KeychainTools

/// `llavero search`.
enum SearchVerb: Verb {
    static let name = "search"
    static let summary = "lists items that contain a text"
    static let help = """
        usage: llavero search TEXT [--apps] [--all] [--json | --plain]

        Lists the items that have the text in their name, user, service or server, note, tags or fields that are shown, ignoring case
        and accents. Passwords, secret notes and secret fields are not searched. It ends with 44 when nothing was found. Of several keychains, locked ones are reported on
        standard error and the others are searched; it ends with 36 when nothing was found and one of them was locked, and with 1 when
        damage kept it from searching everything.

        \(ItemListing.options)
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let text = try options.operand("TEXT")
        let form = try OutputForm(options)
        let pattern = TextPattern(
            text, at: .anywhere, matching: TextMatching(ignoring: [.letterCase, .diacritics, .width]))
        let scope = try ItemScope(options)
        let keychains = try Keychains(options)
        let searched = try OpenKeychains(among: keychains.searched)
        var listing = ItemListing(form, of: scope, in: searched.open)
        let isWanted = { (item: ToolItem) in
            let properties = item.properties
            let extras = properties.tags + properties.fields.flatMap { [$0.name, $0.value] }
            return ([item.name, item.account, item.place] + texts.map { item.text($0) } + extras)
                .contains { pattern.matches($0) }
        }
        var damage = MetDamage()
        try scope.forEachPart(in: searched.open, where: isWanted) { (part) throws(CommandError) in
            damage.take(part.damage)
            if !part.items.isEmpty { listing.put(part) }
        }
        if listing.count > 0 { listing.end() }
        searched.tellOfLocked()
        guard listing.count == 0 else { return try damage.end() }
        try damage.refuse(notFound: "no item contains \(PlainText.shown(text))")
        guard searched.locked.isEmpty else {
            throw .needsPerson("no item in the unlocked keychains contains \(PlainText.shown(text))")
        }
        guard !keychains.isPartial else {
            throw .failure("no item contains \(PlainText.shown(text)) in what can be read")
        }
        throw .notFound(
            "no item contains \(PlainText.shown(text)); passwords, secret notes and secret fields are not searched")
    }

    private static let texts: [Attribute] = [.comment, .itemDescription, .service, .server, .path]
}
