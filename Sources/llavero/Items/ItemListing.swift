// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
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

/// Everything that is known of an item, but its secret.
struct ItemDetails {
    let members: [(String, JSONText)]

    init(_ item: Item) {
        var members: [(String, JSONText)] = [("name", .text(item.name)), ("kind", .text(item.kind))]
        if item.itemClass == .internetPassword { members.append(("url", .text(item.url))) }
        for attribute in ItemDetails.order {
            for entry in item.attributes.entries where entry.attribute == attribute {
                members += ItemDetails.member(entry)
            }
        }
        for entry in item.attributes.entries
        where !ItemDetails.order.contains(entry.attribute) && !ItemDetails.left.contains(entry.attribute)
            && !(entry.attribute == .viewHint && NameMark.isOne(entry.value))
        {
            members += ItemDetails.member(entry)
        }
        if let control = item.accessControl {
            members.append(("protection", .text(AccessWords.protection(control.protection))))
            members.append(("access", .text(AccessWords.access(control, to: item.itemClass))))
        }
        if let damage = item.damage { members.append(("damaged", .text(damage.rawValue))) }
        members.append(("keychain", .text(KeychainNames.name(of: item.keychain.place))))
        members.append(("id", .text(item.identifier)))
        self.members = members
    }

    func print(_ form: OutputForm) {
        switch form {
        case .json: Swift.print(JSONText.object(members).line)
        case .plain: for (name, value) in members { Swift.print("\(name)\t\(PlainText.field(value))") }
        case .people:
            let width = members.map(\.0.count).max() ?? 0
            for (name, value) in members {
                let text = PlainText.shown(value)
                Swift.print("\(Screen.output.bold(TextWidth.padded(name, to: width)))  \(text)")
            }
        }
    }

    /// What says nothing is left out: an empty text, a number that was not given, a switch that is off.
    ///
    /// A protocol stands there as addresses begin, and not by Apple's four letters for it.
    private static func member(_ entry: AttributeList.Entry) -> [(String, JSONText)] {
        switch entry.value {
        case .string(""), .data([]): return []
        case .number(0) where entry.attribute != .keyClass: return []
        case .date(let date) where date == 0: return []
        case .string(let code) where entry.attribute == .protocol:
            return [(AttributeText.name(of: .protocol), .text(WebAddress.scheme(of: code) ?? code))]
        case .string, .data, .number, .date:
            return [(AttributeText.name(of: entry.attribute), AttributeText.json(entry))]
        }
    }

    private static let order: [Attribute] = [
        .label, .account, .service, .server, .protocol, .port, .path, .comment, .itemDescription, .accessGroup,
        .creationDate, .modificationDate,
    ]
    /// Ours, or said in words at the end.
    private static let left: [Attribute] = [
        .accessible, .accessControl, .multiUser, .digest, .syncIdentifier, .tombstone,
    ]
}

/// When an item can be read, and who is asked before, in words.
enum AccessWords {
    static func protection(_ accessibility: Accessibility) -> String {
        switch accessibility {
        case .whenUnlocked: "while the keychain is unlocked"
        case .afterFirstUnlock: "from the first unlock on"
        case .always: "always"
        case .whenUnlockedThisDeviceOnly: "while the keychain is unlocked, on this device only"
        case .afterFirstUnlockThisDeviceOnly: "from the first unlock on, on this device only"
        case .alwaysThisDeviceOnly: "always, on this device only"
        case .whenPasscodeSetThisDeviceOnly: "while unlocked, as long as there is a passcode, on this device only"
        }
    }

    static func access(_ control: AccessControl, to itemClass: ItemClass) -> String {
        var words = constraint(control.constraint(on: itemClass == .key && control.isForEnclave ? .sign : .decrypt))
        if control.rules?.requiresPassword == true {
            words = words == free ? "a password of its own" : words + " and a password of its own"
        }
        return words
    }

    private static func constraint(_ constraint: AccessConstraint) -> String {
        switch constraint {
        case .allowed: free
        case .forbidden: "nobody"
        case .factor(let factor): word(for: factor)
        case .atLeast(let count, let parts):
            parts.map { self.constraint($0) }.joined(separator: count == 1 ? " or " : " and ")
        }
    }

    private static func word(for factor: AccessFactor) -> String {
        switch factor {
        case .presence: "a finger or the passcode"
        case .passcode: "the passcode"
        case .biometryAny: "a finger"
        case .biometrySet: "a finger of those enrolled when it was stored"
        case .companion: "a watch"
        }
    }

    private static let free = "nobody is asked"
}
