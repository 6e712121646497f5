// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// Items in a table.
enum ItemListing {
    /// The lines of the help for the options that say which items, and how they are shown.
    static let options = """
          --apps            what programs keep, too
          --all             what is invisible, too
          --user USER       those of one user
          --group GROUP     those of one access group
          --kind KIND       those of one kind: password, internet, certificate, key
          --json            a list of objects
          --plain           a line for each, with tabs between; backslashes stand before what would break it
          --keychain NAME   those of another keychain, by its name or its path
        """

    static func print(_ items: [Item], _ form: OutputForm) {
        // Whose it is says nothing where all are the person's.
        let hasGroups = form != .people || items.contains { $0.group != AccessGroup.passwords.name }
        let hasKeychains = form != .people || Set(items.map { $0.keychain.place }).count > 1
        let hasDamage = form != .people || items.contains { $0.damage != nil }
        var columns: [Listing.Column] = [
            .init("NAME", "name"), .init("USER", "user"), .init("FOR", "for"), .init("KIND", "kind"),
            .init("CHANGED", "changed"),
        ]
        if hasGroups { columns.append(.init("GROUP", "group")) }
        if hasKeychains { columns.append(.init("KEYCHAIN", "keychain")) }
        if form != .people { columns.append(.init("IDENTIFIER", "id")) }
        if hasDamage { columns.append(.init("DAMAGED", "damaged")) }
        var listing = Listing(columns)
        listing.rows = items.map { item in
            let changed = item.text(.modificationDate)
            var row: [JSONText] = [
                .text(item.name), .text(item.account), .text(item.place), .text(item.kind),
                .text(form == .people ? String(changed.prefix(10)) : changed),
            ]
            if hasGroups { row.append(.text(item.group)) }
            if hasKeychains { row.append(.text(KeychainNames.name(of: item.keychain.place))) }
            if form != .people { row.append(.text(item.identifier)) }
            if hasDamage { row.append(.optional(item.damage?.rawValue)) }
            return row
        }
        listing.print(form)
        sayDamage(of: items)
    }

    /// Says that some cannot be read, if that is so.
    static func sayDamage(of items: [Item]) {
        let damaged = items.count { $0.damage != nil }
        guard damaged > 0 else { return }
        Tool.say(
            "\(damaged) \(damaged == 1 ? "item is" : "items are") damaged; nothing was deleted, and `llavero check` says more"
        )
    }
}
