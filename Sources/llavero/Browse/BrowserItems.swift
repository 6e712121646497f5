// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBrowser
internal import KeychainImports
internal import KeychainModel
internal import KeychainTools

extension BrowserItem {
    init(_ item: ToolItem, _ number: Int) {
        let kind: Kind =
            switch item.itemClass {
            case .genericPassword, .internetPassword: .password
            case .certificate: .certificate
            case .key: .key
            }
        let properties = item.properties
        let marks: [String?] = [
            item.damage == nil ? nil : "damaged",
            properties.isExpired(at: Double(time(nil)) - 978_307_200) ? "expired" : nil,
        ]
        self.init(
            number: number, identifier: item.identifier, kind: kind, name: item.name, user: item.account,
            place: item.place, group: item.group, isOwn: item.group.hasSameBytes(as: AccessGroup.passwords.name),
            changed: String(item.text(.modificationDate).prefix(10)),
            notes: ([item.text(.comment), item.text(.itemDescription)] + properties.tags).joined(separator: "\n"),
            mark: marks.compactMap(\.self).joined(separator: ", "),
            facts: kind == .key ? BrowserText.facts(of: item) : [])
    }
}

/// What belongs to an item, as the browser lists it and as it is in the keychain.
struct ShownPart {
    let shown: BrowserPart
    /// The item that keeps it; nil for what is no secret.
    let further: FurtherItem?

    private init(_ kind: BrowserPart.Kind, _ name: String, text: String = "", _ further: FurtherItem? = nil) {
        (shown, self.further) = (BrowserPart(kind, name, text: text), further)
    }

    static func parts(of item: ToolItem) throws(CommandError) -> [ShownPart] {
        let properties = item.properties
        var parts = properties.fields.map { ShownPart(.shownField, $0.name, text: $0.value) }
        for further in try item.furtherItems() {
            let kind: BrowserPart.Kind =
                switch further.kind {
                case .code: .code
                case .field: .field
                case .attachment: .attachment
                case .notes: .note
                }
            parts.append(ShownPart(kind, further.name, further))
        }
        parts += properties.tags.map { ShownPart(.tag, $0, text: $0) }
        if let expiry = properties.expiryText { parts.append(ShownPart(.expiry, "expiry", text: expiry)) }
        return parts
    }

    /// What `edit` is told to remove it.
    static func removal(of part: BrowserPart) -> [String] {
        switch part.kind {
        case .code: ["--no-code"]
        case .field, .shownField, .note: ["--no-field=\(part.name)"]
        case .attachment: ["--detach=\(part.name)"]
        case .tag: ["--no-tag=\(part.text)"]
        case .expiry: ["--expires="]
        }
    }
}
