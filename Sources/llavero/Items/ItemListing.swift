// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainImports
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// The output of a list of items: a table for people, lines or JSON for programs.
struct ItemListing {
    /// The help for the options that select items and the output format.
    static let options = """
          --apps            also items that programs keep
          --all             also invisible items
          --user USER       only items of this user
          --group GROUP     only items of this access group
          --kind KIND       only items of this kind: password, internet, certificate, key
          --json            a list of objects
          --plain           a line for each, with fields separated by tabs and special characters escaped by backslashes
          --keychain NAME   items of another keychain, by name or path
        """

    private let form: OutputForm
    /// The names of the keychains that are listed.
    private let names: [Place: String]
    private let keychains: [ToolKeychain]
    /// Whether all items are the person's, whatever comes.
    private let isOfPerson: Bool
    /// What the first part decided.
    private var chosen: Columns?
    private var writer: ListingWriter?
    private(set) var count = 0
    private(set) var damage = MetDamage()

    private struct Columns {
        let hasGroups: Bool
        let hasSharing: Bool
        let hasKeychains: Bool
        let hasDamage: Bool
    }

    init(_ form: OutputForm, of scope: ItemScope, in keychains: [ToolKeychain]) {
        self.form = form
        isOfPerson = scope.owners == .person
        self.keychains = keychains
        var names: [Place: String] = [:]
        for keychain in keychains { names[keychain.place] = KeychainNames.name(of: keychain.place) }
        self.names = names
    }

    mutating func put(_ part: ItemPart) {
        let columns = chosen ?? choice(for: part)
        chosen = columns
        var writer = self.writer ?? ListingWriter(titles(columns), form)
        writer.put(part.items.map { row($0, columns) })
        self.writer = writer
        count += part.items.count
        damage.take(part.damage)
    }

    /// Ends the output, and reports changes that are missing, if there are any; the damage is its verb's to report.
    func end() {
        writer?.end()
        for keychain in keychains { keychain.sayMissingChanges() }
    }

    /// A table has no column that is empty or the same in all rows, but that of what is shared, which is good to see of all, too;
    /// of a long list every column that may differ.
    private func choice(for part: ItemPart) -> Columns {
        guard form == .people else {
            return Columns(hasGroups: true, hasSharing: false, hasKeychains: true, hasDamage: true)
        }
        guard part.isAll else {
            return Columns(
                hasGroups: !isOfPerson, hasSharing: part.items.contains { $0.isShared }, hasKeychains: names.count > 1,
                hasDamage: true)
        }
        return Columns(
            hasGroups: part.items.contains { $0.group != AccessGroup.passwords.name },
            hasSharing: part.items.contains { $0.isShared },
            hasKeychains: Set(part.items.map { $0.keychain.place }).count > 1,
            hasDamage: part.items.contains { $0.damage != nil })
    }

    private func titles(_ has: Columns) -> [Listing.Column] {
        var columns: [Listing.Column] = [
            .init("NAME", "name"), .init("USER", "user"), .init("FOR", "for"), .init("KIND", "kind"),
            .init("CHANGED", "changed"),
        ]
        if has.hasGroups { columns.append(.init("GROUP", "group")) }
        if has.hasSharing { columns.append(.init("SHARED", "shared")) }
        if has.hasKeychains { columns.append(.init("KEYCHAIN", "keychain")) }
        if form != .people { columns.append(.init("IDENTIFIER", "id")) }
        if has.hasDamage { columns.append(.init("DAMAGED", "damaged")) }
        // A program that takes a line apart by places finds the earlier ones where they were.
        if form != .people { columns.append(.init("SHARED", "shared")) }
        return columns
    }

    private func row(_ item: ToolItem, _ has: Columns) -> [JSONText] {
        let changed = item.text(.modificationDate)
        var row: [JSONText] = [
            .text(item.name), .text(item.account), .text(item.place), .text(item.kind),
            .text(form == .people ? String(changed.prefix(10)) : changed),
        ]
        if has.hasGroups { row.append(.text(item.group)) }
        if has.hasSharing { row.append(.text(item.isShared ? "yes" : "")) }
        if has.hasKeychains { row.append(.text(names[item.keychain.place] ?? "")) }
        if form != .people { row.append(.text(item.identifier)) }
        if has.hasDamage { row.append(.optional(item.damage?.rawValue)) }
        if form != .people { row.append(.boolean(item.isShared)) }
        return row
    }
}

/// All attributes of an item, without its secret.
struct ItemDetails {
    private(set) var members: [(String, JSONText)]

    init(_ item: ToolItem) {
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
        let properties = item.properties
        if properties.isForeign {
            for entry in item.attributes.entries where entry.attribute == .protected {
                members += ItemDetails.member(entry)
            }
        }
        members += ItemDetails.members(of: properties)
        if let control = item.accessControl {
            members.append(("protection", .text(AccessWords.protection(control.protection))))
            members.append(("access", .text(AccessWords.access(control, to: item.itemClass))))
        }
        if let damage = item.damage { members.append(("damaged", .text(damage.rawValue))) }
        members.append(("keychain", .text(KeychainNames.name(of: item.keychain.place))))
        members.append(("id", .text(item.identifier)))
        self.members = members
    }

    /// Adds the names of an item's further secrets of some kinds, before the keychain's own lines.
    mutating func add(_ further: [FurtherItem], _ kinds: [FurtherItem.Kind] = FurtherItem.Kind.allCases) {
        func insert(_ name: String, _ text: JSONText) {
            members.insert((name, text), at: members.firstIndex { $0.0 == "keychain" } ?? members.endIndex)
        }
        for kind in kinds {
            let own = further.filter { $0.kind == kind }
            guard !own.isEmpty else { continue }
            switch kind {
            case .code: insert("one-time-code", .boolean(true))
            case .field: insert("secret-fields", .list(own.map { .text(ItemDetails.name(of: $0, among: own)) }))
            case .attachment: insert("attachments", .list(own.map { .text(ItemDetails.name(of: $0, among: own)) }))
            case .notes: insert("secret-note", .boolean(true))
            }
        }
    }

    /// With the identifier where the name is there twice.
    private static func name(of further: FurtherItem, among others: [FurtherItem]) -> String {
        let isSole = others.count { $0.name.hasSameBytes(as: further.name) } == 1
        return isSole ? further.name : "\(further.name) (\(further.item.identifier))"
    }

    private static func members(of properties: ItemProperties) -> [(String, JSONText)] {
        var members: [(String, JSONText)] = []
        if !properties.tags.isEmpty { members.append(("tags", .list(properties.tags.map { .text($0) }))) }
        if let expiry = properties.expiryText {
            members.append(("expires", .text(expiry)))
            if properties.isExpired(at: BackupText.now) { members.append(("expired", .boolean(true))) }
        }
        if !properties.fields.isEmpty {
            let fields = properties.fields.map {
                JSONText.object([("name", .text($0.name)), ("value", .text($0.value))])
            }
            members.append(("fields", .list(fields)))
        }
        return members
    }

    /// Adds what stands in a certificate, before the keychain's own lines.
    mutating func add(_ lines: [(name: String, text: String)]) {
        let place = members.firstIndex { $0.0 == "keychain" } ?? members.endIndex
        members.insert(contentsOf: lines.map { ($0.name, .text($0.text)) }, at: place)
    }

    func print(_ form: OutputForm) {
        switch form {
        case .json: Swift.print(JSONText.object(members).line)
        case .plain: for (name, value) in lines { Swift.print("\(name)\t\(PlainText.field(value))") }
        case .people:
            let width = lines.map(\.0.count).max() ?? 0
            for (name, value) in lines {
                // Below itself, so that no line of a note looks like another property.
                var text = PlainText.shownLines(value)
                for index in text.indices.dropFirst() where !text[index].isEmpty {
                    text[index] = String(repeating: " ", count: width + 2) + text[index]
                }
                let shown = text.joined(separator: "\n")
                Swift.print("\(Screen.output.bold(TextWidth.padded(name, to: width)))  \(shown)")
            }
        }
    }

    /// The same with a line for each of several values, and for each field.
    private var lines: [(String, JSONText)] {
        members.flatMap { name, value -> [(String, JSONText)] in
            guard case .list(let values) = value else { return [(name, value)] }
            let name = ItemDetails.singular[name] ?? name
            return values.map { value in
                guard case .object(let parts) = value, parts.count == 2, case .text(let field) = parts[0].1 else {
                    return (name, value)
                }
                return ("\(name) \(PlainText.shown(field))", parts[1].1)
            }
        }
    }

    private static let singular = [
        "tags": "tag", "fields": "field", "secret-fields": "secret-field", "attachments": "attachment",
    ]

    /// Leaves out empty text, numbers that were not given, and switches that are off.
    ///
    /// A protocol is shown as a URL scheme, not as Apple's four-letter code.
    private static func member(_ entry: AttributeList.Entry) -> [(String, JSONText)] {
        switch entry.value {
        case .string(""), .data([]): return []
        case .number(0) where entry.attribute != .keyClass: return []
        case .date(let date) where date == 0: return []
        case .string(let code) where entry.attribute == .protocol:
            return [(AttributeText.name(of: .protocol), .text(URLScheme.scheme(of: code) ?? code))]
        case .string, .data, .number, .date:
            return [(AttributeText.name(of: entry.attribute), AttributeText.json(entry))]
        }
    }

    private static let order: [Attribute] = [
        .label, .account, .service, .server, .protocol, .port, .path, .comment, .itemDescription, .accessGroup,
        .creationDate, .modificationDate,
    ]
    /// Internal attributes, and those shown as text at the end.
    private static let left: [Attribute] = [
        .accessible, .accessControl, .multiUser, .digest, .syncIdentifier, .tombstone,
        .protected,
    ]
}

/// When an item can be read, and which authentication it requires, as text.
enum AccessWords {
    static func protection(_ accessibility: Accessibility) -> String {
        switch accessibility {
        case .whenUnlocked: "while the keychain is unlocked"
        case .afterFirstUnlock: "after the first unlock"
        case .always: "always"
        case .whenUnlockedThisDeviceOnly: "while the keychain is unlocked, on this device only"
        case .afterFirstUnlockThisDeviceOnly: "after the first unlock, on this device only"
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
        case .forbidden: "not allowed"
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
        case .biometrySet: "a finger that was enrolled when it was stored"
        case .companion: "a watch"
        }
    }

    private static let free = "no authentication"
}
