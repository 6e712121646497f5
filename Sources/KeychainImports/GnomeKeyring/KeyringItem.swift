// SPDX-License-Identifier: Apache-2.0

/// An item as gnome-keyring has it, in either kind of file.
internal struct KeyringItem {
    internal var label = ""
    internal var type = 0
    internal var attributes: [ImportedAttribute] = []
    internal var secret: ImportedBytes?
    internal var repairs: [ImportRepair] = []
    internal let source: SourceLocation

    internal init(source: SourceLocation) { self.source = source }

    /// The same in our words; `secret` is what the item has.
    internal func item(secret: ImportedBytes) -> ImportedItem {
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
            kind = .internet(place(server, &left))
        } else {
            // Programs that name no service are told apart by their own name, or by the label that people see.
            let service = take(["service", "application"]) ?? left.first { $0.name == "xdg:schema" }?.value ?? label
            kind = .generic(service: service)
        }
        return ImportedItem(
            kind, account: account, label: label, secret: secret, attributes: left, source: source, repairs: repairs)
    }

    private func place(_ server: String, _ left: inout [ImportedAttribute]) -> InternetPlace {
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
        // What was understood is not said twice; what was not stays among the attributes.
        left.removeAll { attribute in
            attribute.name == "protocol" && code != nil || attribute.name == "object"
                || attribute.name == "port" && port != nil
        }
        if !path.isEmpty, !path.utf8.starts(with: "/".utf8) { path = "/" + path }
        return InternetPlace(server: server, protocolCode: code, port: port == 0 ? nil : port, path: path)
    }
}
