// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// A password for the helpers, without its secret; what only internet passwords have is empty for another.
struct PasswordItem {
    /// Where it is.
    let keychain: ToolKeychain
    let reference: PersistentReference
    let account: String
    let server: String
    let `protocol`: String
    let port: Int64?
    let path: String
    let domain: String
    /// Decision D26: a negative item records that there is no password and that the person is to be asked.
    let isNegative: Bool
    let changed: Double

    /// nil if an attribute that has to be text is not.
    init?(_ found: Found, in keychain: ToolKeychain) {
        guard case .item(let item) = found, let attributes = item.attributes else { return nil }
        func text(_ attribute: Attribute) -> String? {
            switch attributes[attribute] {
            case nil: ""
            case .string(let text)?: text
            case .data(let bytes)?: String(validating: bytes, as: UTF8.self)
            case .number(let number)?: ProtocolCode.letters(number)
            case .date?: nil
            }
        }
        guard let account = text(.account), let server = text(.server), let `protocol` = text(.protocol),
            let path = text(.path), let domain = text(.securityDomain)
        else { return nil }
        (self.keychain, reference) = (keychain, .item(item.itemClass, item.persistentID))
        (self.account, self.server, self.protocol) = (account, server, `protocol`)
        (self.path, self.domain) = (path, domain)
        if case .number(let number)? = attributes[.port], number != 0 { port = number } else { port = nil }
        if case .number(let number)? = attributes[.isNegative] { isNegative = number != 0 } else { isNegative = false }
        if case .date(let date)? = attributes[.modificationDate] { changed = date } else { changed = 0 }
    }

    /// The path without its leading slash; nil if the item is for the whole server.
    var innerPath: String? {
        let inner = path.utf8.first == UInt8(ascii: "/") ? String(path.dropFirst()) : path
        return inner.isEmpty ? nil : inner
    }

    /// Whether it is for that path; nil is the whole server.
    func isAt(path wanted: String?) -> Bool {
        guard let wanted else { return innerPath == nil }
        return path.hasSameBytes(as: wanted) || (innerPath?.hasSameBytes(as: wanted) ?? false)
    }
}

/// Its secret, and changes of it, in the keychain where it is.
extension PasswordItem {
    /// nil if it is gone by now.
    func secret() throws(CommandError) -> SecretValue? {
        let found = try keychain.match(
            MatchRequest(predicate: .only(reference), returning: [.data], limit: .single), of: .person)
        guard case .item(let item)? = found.first else { return nil }
        return item.secret
    }

    func replaceSecret(by secret: SecretValue) throws(CommandError) {
        try keychain.update(
            UpdateRequest(
                predicate: .only(reference),
                changes: ItemChanges(
                    attributes: AttributeList(), group: nil, accessControl: nil, isSynchronizable: nil,
                    secret: secret), tombstones: .whenSynchronizable), of: .person)
    }

    /// With what belongs to it, unless another process was faster.
    func remove() throws(CommandError) {
        do throws(CommandError) {
            try keychain.removeParts(of: .only(reference), .person)
            try keychain.delete(
                DeleteRequest(predicate: .only(reference), tombstones: .whenSynchronizable), of: .person)
        } catch {
            if case .keychain(let reason) = error, reason.reason == .itemNotFound { return }
            throw error
        }
    }
}

extension ItemPredicate {
    static func passwords(of itemClass: ItemClass, _ attributes: AttributeList) -> ItemPredicate {
        ItemPredicate(
            queriedClass: .stored(itemClass), attributes: attributes, groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
    }
}

/// The protocol attribute of items: Apple's four-letter code where there is one, else the name.
enum ProtocolCode {
    private static let codes: [(name: String, code: String, port: Int64)] = [
        ("https", "htps", 443), ("http", "http", 80), ("ftp", "ftp ", 21), ("ftps", "ftps", 990),
        ("ssh", "ssh ", 22), ("smtp", "smtp", 25), ("imap", "imap", 143), ("imaps", "imps", 993),
        ("smb", "smb ", 445), ("ldap", "ldap", 389), ("ldaps", "ldps", 636), ("svn", "svn ", 3690),
    ]

    static func code(of name: String) -> String { codes.first { $0.name == name }?.code ?? name }

    static func usualPort(of name: String) -> Int64? { codes.first { $0.name == name }?.port }

    static func name(of code: String) -> String { codes.first { $0.code == code }?.name ?? code }

    /// The four letters that a number stands for, as in older calls; empty if it was never given.
    static func letters(_ number: Int64) -> String? {
        guard let number = UInt32(exactly: number) else { return nil }
        if number == 0 { return "" }
        let bytes = [number >> 24, number >> 16, number >> 8, number].map { UInt8(truncatingIfNeeded: $0) }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Whether the name is not the code of another protocol.
    static func isUnambiguous(_ name: String) -> Bool { codes.allSatisfy { $0.code != name || $0.name == name } }
}

/// A host with its port; the port is split off only if joining gives the same text.
struct HostPort: Sendable, Equatable {
    let server: String
    let port: Int64?

    init(server: String, port: Int64?) { (self.server, self.port) = (server, port) }

    init(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else {
            self.init(server: text, port: nil)
            return
        }
        let digits = text[text.utf8.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0,
            String(port).utf8.elementsEqual(digits.utf8)
        else {
            self.init(server: text, port: nil)
            return
        }
        self.init(server: String(text[..<colon]), port: Int64(port))
    }

    var text: String { port.map { "\(server):\($0)" } ?? server }
}
