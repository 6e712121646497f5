// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// An item of a keychain of macOS, as it is read line by line.
internal struct MacItem {
    internal let source: SourceLocation
    internal var itemClass: String?
    /// By the names that are printed: four letters in quotes, or a number.
    internal var values: [String: ImportedBytes] = [:]
    internal var isDamaged = false
    private var secret: ImportedBytes?

    internal init(source: SourceLocation) { self.source = source }

    internal var hasSecret: Bool { secret != nil }
    internal var hasContent: Bool { !values.isEmpty || secret != nil }

    internal mutating func setSecret(_ value: ImportedBytes?) {
        if let value, !value.all.isEmpty { secret = value }
        if value == nil { isDamaged = true }
    }

    internal func finish(into report: inout ImportReport) throws(ImportError) {
        let label = values["0x00000007"]?.text ?? ""
        guard let itemClass else { return try report.skip(source, label, .damaged) }
        let isInternet = itemClass == "inet"
        guard isInternet || itemClass == "genp", number("\"nega\"") ?? 0 == 0 else {
            return try report.skip(source, label, itemClass == "?" ? .damaged : .notAPassword)
        }
        guard let secret else { return try report.skip(source, label, isDamaged ? .damaged : .noSecret) }
        guard let account = text("acct"), let service = text(isInternet ? "srvr" : "svce"), let path = text("path")
        else { return try report.skip(source, label, .notText) }
        var kind = ImportedItem.Kind.generic(service: service)
        if isInternet {
            guard !service.isEmpty else { return try report.skip(source, label, .noServer) }
            let code = text("ptcl").flatMap { ImportedProtocol.isCode($0) ? $0 : nil }
            let port = number("\"port\"").flatMap { UInt16(exactly: $0) }
            kind = .internet(
                InternetPlace(server: service, protocolCode: code, port: port == 0 ? nil : port, path: path))
        }
        var item = ImportedItem(
            kind, account: account, label: label, comment: text("icmt") ?? "", secret: secret, source: source,
            repairs: isDamaged ? [.attributesLost] : [])
        item.native = others(isInternet: isInternet)
        try report.add(item)
    }

    /// The text of an attribute, empty when there is none; nil when it is no text.
    private func text(_ name: String) -> String? {
        guard let value = values["\"\(name)\""] else { return "" }
        return value.text
    }

    /// The number that an attribute's bytes are.
    private func number(_ name: String) -> UInt32? {
        guard let value = values[name], (1...4).contains(value.count) else { return nil }
        var number: UInt32 = 0
        for index in value.all { number = number << 8 | UInt32(value[index] ?? 0) }
        return number
    }

    /// What it has beside, which is the same here.
    private func others(isInternet: Bool) -> AttributeList {
        var others = AttributeList()
        let texts: [(String, Attribute)] =
            [("desc", .itemDescription)]
            + (isInternet ? [("sdmn", .securityDomain), ("atyp", .authenticationType)] : [])
        for (name, attribute) in texts {
            if let text = text(name), !text.isEmpty { others[attribute] = .string(text) }
        }
        for (name, attribute) in [("\"crtr\"", Attribute.creator), ("\"type\"", .type)] {
            if let number = number(name), number != 0 { others[attribute] = .number(Int64(number)) }
        }
        if !isInternet, let bytes = values["\"gena\""], bytes.count > 0 {
            others[.generic] = .data(unsafe bytes.bytes.withUnsafeBytes { unsafe Array($0) })
        }
        return others
    }
}
