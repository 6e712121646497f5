// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// An item of gnome-keyring, from either kind of file.
internal struct KeyringItem {
    internal var label = ""
    internal var type = 0
    internal var attributes: [ImportedAttribute] = []
    internal var secret: ImportedBytes?
    internal var repairs: [ImportRepair] = []
    /// In seconds since 1970.
    internal var created: UInt64?
    internal var modified: UInt64?
    /// Whether it lists programs that may read it.
    internal var hasPrograms = false
    internal let source: SourceLocation

    internal init(source: SourceLocation) { self.source = source }

    /// The same as an imported item with this secret.
    internal func item(secret: ImportedBytes) -> ImportedItem {
        // All attributes are kept as they are; the known ones also become attributes by which other programs find the item.
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
            // Items without a service are distinguished by the program's name, or by the label.
            let service = take(["service", "application"]) ?? left.first { $0.name == "xdg:schema" }?.value ?? label
            kind = .generic(service: service)
        }
        var item = ImportedItem(
            kind, account: account, label: label, secret: secret, source: source, repairs: repairs)
        item.lookup = attributes
        item.schema = KeyringItem.schemas[type]
        (item.created, item.modified) = (created, modified)
        if let description = KeyringItem.descriptions[type] { item.native[.itemDescription] = .string(description) }
        return item
    }

    /// The kinds of items in gnome-keyring, without the ordinary one.
    private static let descriptions = [
        1: "network password", 2: "note", 3: "password of a keyring", 4: "password of an encryption key",
        0x100: "password of a key store",
    ]

    /// The schemas of the same kinds, which the service of gnome-keyring adds to attributes without one.
    private static let schemas = [
        0: "org.freedesktop.Secret.Generic", 1: "org.gnome.keyring.NetworkPassword", 2: "org.gnome.keyring.Note",
        3: "org.gnome.keyring.ChainedKeyring", 4: "org.gnome.keyring.EncryptionKey",
        0x100: "org.gnome.keyring.PkStorage",
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
