// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// Docker's credentials in the keychains: internet passwords of a separate security domain, one for each registry.
struct DockerKeychain {
    private let keychains: HelperKeychains

    init(_ keychains: HelperKeychains) { self.keychains = keychains }

    /// nil if docker gets the answer that there is none.
    func credential(for url: RegistryURL) throws(CommandError) -> (account: String, secret: SecretValue)? {
        let items = try items(at: url)
        guard !DockerKeychain.isRefused(items), let item = items.first(where: DockerKeychain.isDockers),
            let secret = try item.secret()
        else { return nil }
        return (item.account, secret)
    }

    /// Stores it and replaces the existing credential of the registry, also of another account.
    func store(_ secret: SecretValue, account: String, for url: RegistryURL) throws(CommandError) {
        for _ in 0..<2 {
            let items = try items(at: url)
            guard !DockerKeychain.isRefused(items) else {
                throw .failure(
                    "a negative item records that no password is stored for this registry; nothing was stored")
            }
            let own = items.filter(DockerKeychain.isDockers)
            if let item = own.first(where: { $0.account.hasSameBytes(as: account) }) {
                try item.replaceSecret(by: secret)
            } else if try !keychains.addPassword(DockerKeychain.attributes(of: url, account), secret) {
                continue
            }
            for item in own where !item.account.hasSameBytes(as: account) { try item.remove() }
            return
        }
        throw .failure("another item has the same identity: `llavero list` shows it; remove or edit it, and try again")
    }

    func erase(_ url: RegistryURL) throws(CommandError) {
        for item in try items(at: url) where DockerKeychain.isDockers(item) { try item.remove() }
    }

    /// Every registry, with its account.
    func accounts() throws(CommandError) -> [(url: String, account: String)] {
        var wanted = AttributeList()
        wanted[.securityDomain] = .string(DockerKeychain.domain)
        var accounts: [(url: String, account: String)] = []
        for item in try keychains.passwords(wanted) where !item.isNegative {
            let url = RegistryURL(item).text
            guard !accounts.contains(where: { $0.url.hasSameBytes(as: url) }) else { continue }
            accounts.append((url, item.account))
        }
        return accounts.sorted { $0.url.utf8.lexicographicallyPrecedes($1.url.utf8) }
    }

    /// Docker's own items, and a person's negative items for the server (decision D26).
    private func items(at url: RegistryURL) throws(CommandError) -> [PasswordItem] {
        var wanted = AttributeList()
        wanted[.server] = .string(url.place.server)
        return try keychains.passwords(wanted).filter { item in
            if item.domain.isEmpty {
                guard item.isNegative else { return false }
                return (item.protocol.isEmpty || url.protocol.isEmpty || item.protocol.hasSameBytes(as: url.code))
                    && (item.port == nil || item.port == url.place.port)
                    && (item.innerPath == nil || item.path.hasSameBytes(as: url.path))
            }
            return item.domain.hasSameBytes(as: DockerKeychain.domain) && item.protocol.hasSameBytes(as: url.code)
                && item.port == url.place.port && item.path.hasSameBytes(as: url.path)
        }
    }

    private static func isDockers(_ item: PasswordItem) -> Bool { !item.domain.isEmpty && !item.isNegative }

    private static func isRefused(_ items: [PasswordItem]) -> Bool { items.contains(where: \.isNegative) }

    private static func attributes(of url: RegistryURL, _ account: String) -> AttributeList {
        var attributes = AttributeList()
        attributes[.securityDomain] = .string(domain)
        attributes[.server] = .string(url.place.server)
        if !url.protocol.isEmpty { attributes[.protocol] = .string(url.code) }
        if let port = url.place.port { attributes[.port] = .number(port) }
        if !url.path.isEmpty { attributes[.path] = .string(url.path) }
        attributes[.account] = .string(account)
        attributes[.label] = .string("docker: \(url.text)")
        return attributes
    }

    /// The security domain separates them from git's for the same host.
    private static let domain = "docker"
}

/// Docker's name of a registry, split into attributes; joining them gives the same bytes.
struct RegistryURL {
    /// Empty if docker gives only a host.
    let `protocol`: String
    let place: HostPort
    /// From the first slash after the host on.
    let path: String

    init(_ text: String) {
        var rest = text[...]
        var name = ""
        if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].utf8.starts(with: "://".utf8) {
            let scheme = String(text[..<colon])
            if RegistryURL.isScheme(scheme), ProtocolCode.isUnambiguous(scheme) {
                name = scheme
                rest = text[text.utf8.index(colon, offsetBy: 3)...]
            }
        }
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        `protocol` = name
        place = HostPort(String(rest[..<slash]))
        path = String(rest[slash...])
    }

    init(_ item: PasswordItem) {
        `protocol` = ProtocolCode.name(of: item.protocol)
        place = HostPort(server: item.server, port: item.port)
        path = item.path
    }

    var code: String { ProtocolCode.code(of: `protocol`) }

    var text: String { (`protocol`.isEmpty ? "" : `protocol` + "://") + place.text + path }

    private static func isScheme(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2B || $0 == 0x2D }
    }
}
