// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// What a person calls an item: its label, its service or server, either with the user behind a slash, its URL, or its
/// identifier.
///
/// All of these count alike. Where a name fits several items none of them is taken: a wrong password would be as bad as none.
struct ItemName {
    let text: String
    /// Whether the item is to be changed or removed: then capital letters count.
    private let isForChange: Bool

    init(_ text: String, isForChange: Bool = false) {
        self.text = text
        self.isForChange = isForChange
    }

    /// The one item that is called so; says how each can be named when there are several.
    func item(in keychains: Keychains, _ scope: ItemScope) throws(CommandError) -> Item {
        guard !text.isEmpty else { throw .usage("NAME is empty") }
        var found = try items(in: keychains, scope)
        if found.isEmpty { found = try likeliest(in: keychains, scope) }
        guard found.count == 1 else { throw try ambiguity(of: found, in: keychains, scope) }
        var item = found[0]
        item.asked = text
        return item
    }

    private var shown: String { PlainText.shown(text) }

    /// Those that have the name in any of its readings.
    private func items(in keychains: Keychains, _ scope: ItemScope) throws(CommandError) -> [Item] {
        var found: [Item] = []
        for keychain in keychains.searched {
            if let (itemClass, id) = reference {
                if let item = try scope.item(itemClass, id, in: keychain) { found.append(item) }
                continue
            }
            for itemClass in scope.classes {
                for attributes in readings(for: itemClass) {
                    for item in try scope.items(itemClass, attributes, in: keychain)
                    where !found.contains(where: { $0.isSame(as: item) }) { found.append(item) }
                }
            }
        }
        return found
    }

    /// What an item of the class has that is called so.
    private func readings(for itemClass: ItemClass) -> [AttributeList] {
        var readings = [ItemName.list([(.label, .string(text))])]
        if let place = ItemName.place(of: itemClass, text, account: nil) { readings.append(place) }
        // Accounts and services may have slashes of their own, so each may be the one between them.
        for slash in text.indices.filter({ text[$0] == "/" }).prefix(ItemName.mostSlashes) {
            let (place, account) = (String(text[..<slash]), String(text[text.index(after: slash)...]))
            guard !place.isEmpty, let reading = ItemName.place(of: itemClass, place, account: account) else { continue }
            readings.append(reading)
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

    private var reference: (ItemClass, PersistentID)? {
        guard case .item(let itemClass, let id)? = PersistentReference(identifier: text) else { return nil }
        return (itemClass, id)
    }

    private static let mostSlashes = 16
}

/// What is done about names that fit no item, or several.
extension ItemName {
    /// The one item whose name differs in capital letters alone, where it is only to be looked at.
    private func likeliest(in keychains: Keychains, _ scope: ItemScope) throws(CommandError) -> [Item] {
        guard reference == nil else { throw nothing() }
        let all = try scope.items(in: keychains.searched)
        let same = all.filter { item in ItemName.names(of: item).contains { $0.lowercased() == text.lowercased() } }
        if !isForChange, same.count == 1 {
            Tool.say("there is no item \(shown); \(PlainText.shown(same[0].name)) is taken for it")
            return same
        }
        if case .person = scope.owners, try !items(in: keychains, scope.everything).isEmpty {
            throw .notFound("you have no item \(shown), but a program has one: --apps finds it")
        }
        throw nothing(among: all.flatMap { ItemName.names(of: $0) })
    }

    private func nothing(among names: [String] = []) -> CommandError {
        let question = Suggestion.question(text, among: names)
        return .notFound(
            "there is no item \(shown)" + (question.isEmpty ? "; `llavero list` says which ones there are" : question))
    }

    private func ambiguity(
        of found: [Item], in keychains: Keychains, _ scope: ItemScope
    ) throws(CommandError) -> CommandError {
        var lines = ""
        for item in found.prefix(ItemName.mostShown) {
            let name = ShellWord.quoted(PlainText.shown(try way(to: item, in: keychains, scope)))
            lines += "\n  \(name)  (\(description(of: item, among: found)))"
        }
        let more = found.count > ItemName.mostShown ? "\n  and \(found.count - ItemName.mostShown) more" : ""
        return .ambiguous("\(found.count) items are called \(shown); name the one that you mean:\(lines)\(more)")
    }

    /// The shortest name that is this item's alone; its identifier always is, within a keychain.
    private func way(to item: Item, in keychains: Keychains, _ scope: ItemScope) throws(CommandError) -> String {
        for name in ItemName.names(of: item) where !name.hasSameBytes(as: text) {
            // What a terminal would be shown otherwise than it is cannot be typed from there.
            guard PlainText.shown(name).hasSameBytes(as: name) else { continue }
            let others = try ItemName(name).items(in: keychains, scope)
            if others.count == 1, others[0].isSame(as: item) { return name }
        }
        return item.identifier.isEmpty ? "(damaged)" : item.identifier
    }

    private func description(of item: Item, among others: [Item]) -> String {
        var parts = [item.damage == nil ? item.kind : "\(item.kind), damaged"]
        if !item.account.isEmpty { parts.append("user \(PlainText.shown(item.account))") }
        if !item.place.isEmpty { parts.append("for \(PlainText.shown(item.place))") }
        if Set(others.map(\.group)).count > 1 { parts.append("group \(PlainText.shown(item.group))") }
        if Set(others.map { $0.keychain.place }).count > 1 {
            parts.append("--keychain \(ShellWord.quoted(KeychainNames.name(of: item.keychain.place)))")
        }
        return parts.joined(separator: ", ")
    }

    /// What an item is called by, short names first.
    private static func names(of item: Item) -> [String] {
        var names = [item.text(.label)]
        let place = item.itemClass == .internetPassword ? item.text(.server) : item.place
        if !place.isEmpty, item.itemClass.isPassword {
            names.append(place)
            if !item.account.isEmpty { names.append("\(place)/\(item.account)") }
        }
        return names.filter { !$0.isEmpty }
    }

    private static let mostShown = 20
}
