// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// An item as gnome-keyring has it, in either kind of file.
internal struct KeyringItem {
    internal var label = ""
    internal var type = 0
    internal var attributes: [ImportedAttribute] = []
    internal var secret: ImportedBytes?
    internal var repairs: [ImportRepair] = []
    /// Whether it names programs that may read it.
    internal var hasPrograms = false
    internal let source: SourceLocation

    internal init(source: SourceLocation) { self.source = source }

    /// The same in our words; `secret` is what the item has.
    internal func item(secret: ImportedBytes) -> ImportedItem {
        // All of them are kept as they are; what is understood of them makes the item one that other programs find too.
        var left = attributes
        func take(_ names: [String]) -> String? {
            for name in names {
                if let index = left.firstIndex(where: { $0.name == name && !$0.value.isEmpty }) {
                    return left.remove(at: index).value
                }
            }
            return nil
        }
        let account = take(["account", "username", "user", "login"]) ?? ""
        let kind: ImportedItem.Kind
        if let server = take(["server"]) {
            kind = .internet(place(server, left))
        } else {
            // Programs that name no service are told apart by their own name, or by the label that people see.
            let service = take(["service", "application"]) ?? left.first { $0.name == "xdg:schema" }?.value ?? label
            kind = .generic(service: service)
        }
        var item = ImportedItem(
            kind, account: account, label: label, secret: secret, source: source, repairs: repairs)
        item.lookup = attributes
        if let description = KeyringItem.descriptions[type] { item.native[.itemDescription] = .string(description) }
        return item
    }

    /// The kinds of items that gnome-keyring knows, but for the ordinary one.
    private static let descriptions = [
        1: "network password", 2: "note", 3: "password of a keyring", 4: "password of an encryption key",
        0x100: "password of a key store",
    ]

    private func place(_ server: String, _ left: [ImportedAttribute]) -> InternetPlace {
        var code: String?
        var port: UInt16?
        var path = ""
        for attribute in left {
            switch attribute.name {
            case "protocol": code = ImportedProtocol.code(ofScheme: attribute.value)
            case "port": port = UInt16(attribute.value)
            case "object": path = attribute.value
            default: break
            }
        }
        if !path.isEmpty, !path.utf8.starts(with: "/".utf8) { path = "/" + path }
        return InternetPlace(server: server, protocolCode: code, port: port == 0 ? nil : port, path: path)
    }
}
