// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// A person's name for an item: its label, its service or server, each also with the user after a slash, its URL, or its
/// identifier.
///
/// What an item itself is called goes before all others: nothing that another item is for can take its name from it. Where none,
/// or several, are called so, all of these count alike, and a name that fits several items is refused: a wrong password would be
/// no better than an error.
struct ItemName {
    /// What the item is wanted for.
    enum Purpose {
        /// One whose name differs only in case will do.
        case reading
        /// Case matters.
        case changing
        /// The same; who names a user may mean the new one.
        case editing
        /// A file names it: case matters, and nobody is asked which one is meant.
        case reference(SecretReference)
    }

    let text: String
    private let purpose: Purpose
    private var changes: Bool {
        switch purpose {
        case .changing, .editing: true
        case .reading, .reference: false
        }
    }

    init(_ text: String, for purpose: Purpose = .reading) {
        self.text = text
        self.purpose = purpose
    }

    /// The name of an item in a reference.
    init(_ reference: SecretReference) { self.init(reference.item, for: .reference(reference)) }

    /// The one item with this name; the error lists a name for each when there are several.
    func item(in keychains: Keychains, _ scope: ItemScope) throws(CommandError) -> ToolItem {
        guard !text.isEmpty else { throw .usage("NAME is empty") }
        // The item of the same name behind it is another one.
        if changes, reference == nil, keychains.isPartial {
            throw .failure(
                "nothing was changed: a keychain that cannot be read may have the item that is meant; --keychain says which one has it"
            )
        }
        var found = try meant(in: keychains, scope)
        if found.isEmpty {
            do throws(CommandError) { found = try likeliest(in: keychains, scope) } catch {
                if error.isNotFound, keychains.searched.isEmpty, let text = keychains.standard.namedInVain {
                    throw .notFound(text)
                }
                // It may be where nobody can look.
                guard keychains.isPartial, error.isNotFound else { throw error }
                throw .failure("\(error.description); one that cannot be read may have it")
            }
        }
        found = ItemName.withoutGaps(found)
        var item = found.count == 1 ? found[0] : try chosen(of: found, in: keychains, scope)
        item.asked = text
        return item
    }

    /// A part of the database that cannot be read counts only where nothing else has the name.
    private static func withoutGaps(_ found: [ToolItem]) -> [ToolItem] {
        let readable = found.filter { !$0.isGap }
        guard !readable.isEmpty else { return Array(found.prefix(1)) }
        // Another item of this name may lie there.
        if readable.count < found.count { MetDamage.sayGap() }
        return readable
    }

    private var shown: String { PlainText.shown(text) }

    /// The items that are called so themselves; without one, those that have the name in another of its forms.
    ///
    /// With either, what cannot be read: an item of that name may lie there.
    private func meant(in keychains: Keychains, _ scope: ItemScope) throws(CommandError) -> [ToolItem] {
        let found = try items(in: keychains, scope)
        let own = found.filter { !$0.isGap && $0.name.hasSameBytes(as: text) }
        return own.isEmpty ? found : own + found.filter(\.isGap)
    }

    /// The items that have the name in any of its forms.
    ///
    /// Behind `mostCounted` it stops looking; those that are called so come first.
    func items(in keychains: Keychains, _ scope: ItemScope) throws(CommandError) -> [ToolItem] {
        var found: [ToolItem] = []
        if let (itemClass, id) = reference {
            for keychain in keychains.searched {
                if let item = try scope.item(itemClass, id, in: keychain) { found.append(item) }
            }
            return found
        }
        var keys: Set<ToolItem.Key> = []
        func find(_ itemClass: ItemClass, _ attributes: AttributeList) throws(CommandError) {
            for keychain in keychains.searched {
                let pages = scope.pages(itemClass, attributes, in: keychain)
                while found.count <= ItemName.mostCounted,
                    let part = try scope.items(of: pages, in: keychain, byName: true)
                {
                    found += part.filter { keys.insert($0.key).inserted }
                }
            }
        }
        for itemClass in scope.classes { try find(itemClass, ItemName.list([(.label, .string(text))])) }
        for itemClass in scope.classes {
            for attributes in readings(for: itemClass) { try find(itemClass, attributes) }
        }
        return found
    }

    /// The attributes of an item of this class with this name, but for the label.
    private func readings(for itemClass: ItemClass) -> [AttributeList] {
        var readings: [AttributeList] = []
        if let place = ItemName.place(of: itemClass, text, account: nil) { readings.append(place) }
        // Accounts and services may contain slashes, so each slash may be the separator.
        for slash in text.utf8.indices.filter({ text.utf8[$0] == UInt8(ascii: "/") }).prefix(ItemName.mostSlashes) {
            let (place, account) = (String(text[..<slash]), String(text[text.utf8.index(after: slash)...]))
            guard !place.isEmpty, let reading = ItemName.place(of: itemClass, place, account: account) else { continue }
            readings.append(reading)
            // With a URL, what it is called is not what it is for.
            readings.append(ItemName.list([(.label, .string(place)), (.account, .string(account))]))
        }
        if itemClass == .internetPassword, text.contains("://"), let address = try? WebAddress(text) {
            let user = address.user.map { [(Attribute.account, AttributeValue.string($0))] } ?? []
            readings.append(ItemName.list(address.attributes + user))
        }
        return readings
    }

    private static func place(of itemClass: ItemClass, _ text: String, account: String?) -> AttributeList? {
        let attribute: Attribute
        switch itemClass {
        case .genericPassword: attribute = .service
        case .internetPassword: attribute = .server
        case .certificate, .key: return nil
        }
        return list([(attribute, .string(text))] + (account.map { [(.account, .string($0))] } ?? []))
    }

    private static func list(_ entries: [(Attribute, AttributeValue)]) -> AttributeList {
        var list = AttributeList()
        for (attribute, value) in entries { list[attribute] = value }
        return list
    }

    /// What it identifies, if it is an identifier, whether that is there or not.
    var identified: PersistentID? { reference?.1 }

    private var reference: (ItemClass, PersistentID)? {
        guard case .item(let itemClass, let id)? = PersistentReference(identifier: text) else { return nil }
        return (itemClass, id)
    }

    private static let mostSlashes = 16
}

/// Names that fit no item, or several.
extension ItemName {
    /// The items whose names differ only in case, for verbs that only read them.
    private func likeliest(in keychains: Keychains, _ scope: ItemScope) throws(CommandError) -> [ToolItem] {
        guard reference == nil else { throw nothing() }
        guard !keychains.searched.isEmpty || keychains.isPartial else {
            let place = keychains.standard.isOfSystem ? nil : keychains.standard.place.path
            throw nothing(": no keychain exists yet" + (place.map { " in \(PlainText.shown($0))" } ?? ""))
        }
        let wanted = text.lowercased()
        var same: [ToolItem] = []
        var near = Suggestion(for: text)
        // The whole name of what was meant by the end of a path, as `pass` has them.
        var ends: [String] = []
        // Whether it is a part of what some item is called.
        var isPart = false
        // As a reference has them, `ITEM/FIELD`.
        var whole: String?
        let tag = ItemProperties.withoutSlash(text)
        var isTag = false
        try scope.forEachItem(in: keychains.searched) { (item) throws(CommandError) in
            let names = ItemName.names(of: item)
            // One more shows that there are too many to name.
            if same.count <= ItemName.mostCounted, names.contains(where: { $0.lowercased() == wanted }) {
                same.append(item)
            }
            for name in names { near.consider(name) }
            isTag = isTag || !tag.isEmpty && item.properties.has(tag: tag)
            if let name = names.first, wanted.hasPrefix(name.lowercased() + "/") { whole = name }
            isPart = isPart || names.contains { $0.lowercased().contains(wanted) }
            if ends.count < 3, let name = names.first, name.lowercased().hasSuffix("/" + wanted) { ends.append(name) }
        }
        if case .reading = purpose, !same.isEmpty {
            if same.count == 1 { Tool.say("there is no item \(shown); using \(PlainText.shown(same[0].name))") }
            return same
        }
        if let user = scope.user, let other = try items(in: keychains, scope.ofEveryUser).first {
            let owner = other.account.isEmpty ? "without a user" : "of \(PlainText.shown(other.account))"
            var found = "there is no item \(shown) of the user \(PlainText.shown(user)), but one \(owner)"
            if case .editing = purpose { found += "; --new-user gives it another" }
            throw .notFound(found)
        }
        if case .person = scope.owners, try !items(in: keychains, scope.everything).isEmpty {
            throw .notFound("you have no item \(shown), but a program has one; --apps includes it")
        }
        // Without a history to look into the item just is not there.
        let past = try? PastItems(named: text, in: keychains, scope)
        if let last = try? past?.removed(scope).first {
            throw .notFound(
                "there is no item \(shown): it was removed on \(PastItem.date(last.version.until)); "
                    + "`llavero undelete\(last.item.keychain.option) \(ShellWord.operand(shown))` brings it back")
        }
        if let now = try? past?.renamed(from: text) { throw nothing(": it is called \(now.title) now") }
        if let name = same.first.flatMap({ ItemName.names(of: $0).first { $0.lowercased() == wanted } }) {
            throw nothing("; did you mean \(PlainText.shown(name))?")
        }
        guard ends.isEmpty else {
            throw nothing("; did you mean \(ends.map { PlainText.shown($0) }.joined(separator: " or "))?")
        }
        if let whole {
            let field = String(text.dropFirst(whole.count + 1))
            throw nothing(
                "\(near.question.isEmpty ? ";" : near.question + " Or") a field of \(PlainText.shown(whole)) is asked for by `llavero get \(ShellWord.operand(PlainText.shown(whole))) --field \(ShellWord.operand(PlainText.shown(field)))`"
            )
        }
        if isTag {
            throw nothing("; `llavero list --tag \(ShellWord.quoted(PlainText.shown(tag)))` lists what has that tag")
        }
        if isPart, near.question.isEmpty {
            throw nothing("; `llavero search \(ShellWord.quoted(shown))` lists what contains it")
        }
        throw nothing(near.question)
    }

    private func nothing(_ question: String = "") -> CommandError {
        .notFound(
            "there is no item \(shown)" + (question.isEmpty ? "; `llavero list` lists all items" : question)
                + ItemName.ofRoot)
    }

    /// Whose keychain it was, for who has one of their own and runs a command as root.
    private static var ofRoot: String {
        guard geteuid() == 0, unsafe getenv("LLAVERO_HOME") == nil, let user = unsafe getenv("SUDO_USER"),
            case let user = unsafe String(cString: user), user != "root"
        else { return "" }
        return " (with sudo it is root's keychain that is asked, not \(PlainText.shown(user))'s)"
    }

    /// The one that a person at the terminal chooses; without such a person the name stays ambiguous.
    private func chosen(
        of found: [ToolItem], in keychains: Keychains, _ scope: ItemScope
    ) throws(CommandError) -> ToolItem {
        var lines: [String] = []
        for item in found.prefix(ItemName.mostShown) {
            let way = try way(to: item, among: found, in: keychains, scope)
            lines.append("\(way)  (\(description(of: item, among: found)))")
        }
        var mayAsk = found.count <= ItemName.mostShown
        if case .reference = purpose { mayAsk = false }
        let title = "\(found.count) items are called \(shown):"
        if mayAsk, let number = try PersonalAnswer.choice(title, among: lines) { return found[number] }
        throw ambiguity(of: found, lines.map { "\n  \($0)" }.joined())
    }

    private func ambiguity(of found: [ToolItem], _ lines: String) -> CommandError {
        var (count, more) = ("\(found.count)", "")
        if found.count > ItemName.mostCounted {
            (count, more) = ("more than \(ItemName.mostCounted)", "\n  and others")
        } else if found.count > ItemName.mostShown {
            more = "\n  and \(found.count - ItemName.mostShown) more"
        }
        let ways = if case .reference = purpose { "references" } else { "names" }
        return .ambiguous("\(count) items are called \(shown); use one of these \(ways):\(lines)\(more)")
    }

    /// What to write for this item alone, as it is to be written: a word of the shell, or a reference to the same field.
    ///
    /// Within a keychain its identifier always names it.
    private func way(
        to item: ToolItem, among others: [ToolItem], in keychains: Keychains, _ scope: ItemScope
    ) throws(CommandError) -> String {
        let name = try uniqueName(of: item, in: keychains, scope)
        guard !item.identifier.isEmpty || name != nil else { return "(damaged)" }
        guard case .reference(let written) = purpose else {
            return ShellWord.quoted(PlainText.shown(name ?? item.identifier))
        }
        func reference(_ keychain: String?, _ name: String) -> String {
            SecretReference(keychain: keychain, item: name, field: written.field).text
        }
        if name == nil, written.keychain == nil, Set(others.map { $0.keychain.place }).count > 1 {
            let keychain = KeychainNames.name(of: item.keychain.place)
            if let name = try uniqueName(of: item, in: Keychains(named: keychain), scope) {
                return reference(keychain, name)
            }
        }
        return reference(written.keychain, name ?? item.identifier)
    }

    /// The shortest name that fits only this item.
    private func uniqueName(
        of item: ToolItem, in keychains: Keychains, _ scope: ItemScope
    ) throws(CommandError) -> String? {
        for name in ItemName.names(of: item) {
            // A name that the terminal shows differently cannot be typed from there.
            guard PlainText.shown(name).hasSameBytes(as: name) else { continue }
            let others = try ItemName(name).meant(in: keychains, scope)
            if others.count == 1, others[0].isSame(as: item) { return name }
        }
        return nil
    }

    private func description(of item: ToolItem, among others: [ToolItem]) -> String {
        var parts = [item.damage == nil ? item.kind : "\(item.kind), damaged"]
        if !item.account.isEmpty { parts.append("user \(PlainText.shown(item.account))") }
        if !item.place.isEmpty { parts.append("for \(PlainText.shown(item.place))") }
        if Set(others.map(\.isShared)).count > 1 {
            parts.append(item.isShared ? "shared with the circle" : "of this machine alone")
        }
        let tags = item.properties.tags
        if Set(others.map(\.properties.tags)).count > 1, !tags.isEmpty {
            parts.append("\(tags.count == 1 ? "tag" : "tags") \(PlainText.shown(tags.joined(separator: ", ")))")
        }
        if Set(others.map(\.group)).count > 1 { parts.append("group \(PlainText.shown(item.group))") }
        if Set(others.map { $0.keychain.place }).count > 1 {
            parts.append("--keychain \(ShellWord.quoted(KeychainNames.name(of: item.keychain.place)))")
        }
        return parts.joined(separator: ", ")
    }

    /// The names of an item, short names first.
    static func names(of item: ToolItem) -> [String] {
        var names = [item.text(.label)]
        let place = item.itemClass == .internetPassword ? item.text(.server) : item.place
        if !place.isEmpty, item.itemClass.isPassword {
            names.append(place)
            if !item.account.isEmpty {
                names.append("\(place)/\(item.account)")
                if let label = names.first, !label.isEmpty, label != place { names.append("\(label)/\(item.account)") }
            }
        }
        return names.filter { !$0.isEmpty }
    }

    private static let mostShown = 20
    private static let mostCounted = 1000
}
