// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// `llavero groups`.
enum GroupsVerb: Verb {
    static let name = "groups"
    static let summary = "lists access groups, and how many items they have"
    static let help = """
        usage: llavero groups [--json | --plain]

        Lists the access groups that have items: llavero.passwords has yours, llavero.open those of programs that declare no group.
        A daemon lists only groups that this program may use.

          --json            a list of objects
          --plain           a line for each, with fields separated by tabs
          --keychain NAME   groups of another keychain, by name or path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let form = try OutputForm(options)
        var counts: [AccessGroup: [ItemClass: Int64]] = [:]
        var damage = MetDamage()
        try ItemScope.everything.forEachItem(in: try Keychains(options).searched) { (item) throws(CommandError) in
            damage.note(item)
            guard let group = AccessGroup(item.group) else { return }
            counts[group, default: [:]][item.itemClass, default: 0] += 1
        }
        var listing = Listing([
            .init("GROUP", "group"), .init("PASSWORDS", "passwords"), .init("CERTIFICATES", "certificates"),
            .init("KEYS", "keys"),
        ])
        let groups = counts.sorted { left, right in
            if (left.key == .passwords) != (right.key == .passwords) { return left.key == .passwords }
            return left.key.name < right.key.name
        }
        listing.rows = groups.map { group, counts in
            let passwords = (counts[.genericPassword] ?? 0) + (counts[.internetPassword] ?? 0)
            return [
                .text(group.name), .number(passwords), .number(counts[.certificate] ?? 0), .number(counts[.key] ?? 0),
            ]
        }
        listing.print(form)
        try damage.end()
    }
}
