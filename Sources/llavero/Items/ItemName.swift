// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// What a person calls an item: its service and account with a slash between, its label, its service, or its identifier.
struct ItemName {
    let text: String
    /// Whether the item is to be changed or removed: then every item that has the name counts, and not the likeliest.
    private let isForChange: Bool

    init(_ text: String, isForChange: Bool = false) {
        self.text = text
        self.isForChange = isForChange
    }

    /// The one item that is called so; says which ones are when there are several.
    func item(in keychains: Keychains, _ scope: ItemScope) throws(CommandError) -> Item {
        guard !text.isEmpty else { throw .usage("NAME is empty") }
        let found = try items(in: keychains, scope)
        if found.count == 1 {
            var item = found[0]
            item.asked = text
            return item
        }
        guard !found.isEmpty else { throw try nothing(in: keychains, scope) }
        let list = found.prefix(ItemName.mostShown).map { "\n  " + line(for: $0, among: found) }.joined()
        let more = found.count > ItemName.mostShown ? "\n  and \(found.count - ItemName.mostShown) more" : ""
        throw .failure(
            "\(found.count) items are called \(shown); name one by its user or its identifier:\(list)\(more)")
    }

    private var shown: String { PlainText.shown(text) }

    private func line(for item: Item, among others: [Item]) -> String {
        var parts = [item.identifier, item.damage == nil ? item.kind : "\(item.kind), damaged"]
        if !item.account.isEmpty { parts.append("user \(PlainText.shown(item.account))") }
        if !item.place.isEmpty { parts.append(PlainText.shown(item.place)) }
        if Set(others.map(\.group)).count > 1 { parts.append("group \(PlainText.shown(item.group))") }
        return parts.joined(separator: "  ")
    }

    private func nothing(in keychains: Keychains, _ scope: ItemScope) throws(CommandError) -> CommandError {
        if case .person = scope.owners, try !items(in: keychains, scope.everything).isEmpty {
            return .notFound("you have no item \(shown), but a program has one: --apps finds it")
        }
        return .notFound("there is no item \(shown); `llavero list` says which ones there are")
    }

    /// Whom the name fits best: what only one item can be called goes before labels, and labels before services.
    private func items(in keychains: Keychains, _ scope: ItemScope) throws(CommandError) -> [Item] {
        if let (itemClass, id) = reference {
            for keychain in keychains.searched {
                if let item = try scope.item(itemClass, id, in: keychain) { return [item] }
            }
            return []
        }
        for attempt in attempts {
            var found: [Item] = []
            for keychain in keychains.searched {
                for itemClass in scope.classes {
                    guard let attributes = attempt(itemClass) else { continue }
                    found += try scope.items(itemClass, attributes, in: keychain)
                }
            }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// What the name may mean, for each class: the attributes that an item then has.
    private var attempts: [(ItemClass) -> AttributeList?] {
        // Those that an index finds come first: a label alone is looked for in every item.
        var attempts: [(ItemClass) -> AttributeList?] = []
        if !isForChange {
            // What `llavero add` makes.
            attempts.append {
                $0 == .genericPassword ? ItemName.list([(.service, .string(text)), (.label, .string(text))]) : nil
            }
        }
        // Accounts and services may have slashes of their own, so each may be the one between them.
        for slash in text.indices.filter({ text[$0] == "/" }).prefix(ItemName.mostSlashes) {
            let (place, account) = (String(text[..<slash]), String(text[text.index(after: slash)...]))
            if !place.isEmpty { attempts.append { ItemName.place(of: $0, place, account: account) } }
        }
        attempts.append { _ in ItemName.list([(.label, .string(text))]) }
        attempts.append { ItemName.place(of: $0, text, account: nil) }
        if let address = try? WebAddress(text), text.contains("://") {
            attempts.append { $0 == .internetPassword ? ItemName.list(address.attributes) : nil }
        }
        return attempts
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

    /// `id:` and the bytes of a persistent reference.
    private var reference: (ItemClass, PersistentID)? {
        guard text.hasPrefix("id:"), let bytes = HexText.bytes(of: text.dropFirst(3)),
            case .item(let itemClass, let id)? = PersistentReference(bytes)
        else { return nil }
        return (itemClass, id)
    }

    private static let mostShown = 20
    private static let mostSlashes = 16
}
