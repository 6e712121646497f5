// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// Git's credentials in the keychains: internet passwords of a separate security domain.
///
/// A person's passwords for the same servers are given to git too, if it has none itself, and never changed by it.
struct GitKeychain {
    private let keychains: HelperKeychains
    /// Seconds since 1970.
    private let now: UInt64

    init(_ keychains: HelperKeychains, now: UInt64) { (self.keychains, self.now) = (keychains, now) }

    struct Answer {
        let account: String
        let secret: GitSecret
        let isExpired: Bool
    }

    /// The credential that git is to try first: of several accounts the one that git last used successfully; nil if the person is to
    /// be asked.
    func credential(for origin: GitOrigin, account: String?) throws(CommandError) -> Answer? {
        let items = try matches(origin, account)
        // A negative item for the account, or for the whole server.
        guard !GitKeychain.isRefused(items, account) else { return nil }
        var stale: Answer?
        // When a person's password was found wrong, by the account; git's own come first.
        var wrong: [String: Double] = [:]
        for item in GitKeychain.nearest(items.filter { !$0.isNegative }, to: origin) {
            let isGits = GitKeychain.isGits(item)
            if !isGits, let since = wrong[item.account], item.changed <= since { continue }
            guard let stored = try item.secret() else { continue }
            if isGits, stored.count == 0 {
                wrong[item.account] = max(item.changed, wrong[item.account] ?? 0)
                continue
            }
            guard let secret = GitSecret(stored: stored) else {
                Tool.say(
                    "the password of \(origin.title) has a line feed, a carriage return or a NUL, which git's protocol does not allow; `llavero edit` changes it"
                )
                continue
            }
            let answer = Answer(account: item.account, secret: secret, isExpired: secret.isExpired(at: now))
            guard answer.isExpired else { return answer }
            if stale == nil, secret.refreshToken != nil { stale = answer }
        }
        return stale
    }

    /// Stores a credential that worked, and replaces the previous one.
    func store(_ secret: GitSecret, for origin: GitOrigin, account: String) throws(CommandError) {
        guard !secret.isExpired(at: now) else { return }
        // The second round is for an item that another process has just added.
        for _ in 0..<2 {
            let items = try matches(origin, nil).filter { $0.isAt(path: origin.path) }
            guard !GitKeychain.isRefused(items, account) else { return }
            let same = items.filter { !$0.isNegative && $0.account.hasSameBytes(as: account) }
            let own = same.first(where: GitKeychain.isGits)
            // Git also stores passwords that it was just given; a person's password must not be duplicated.
            if let kept = own ?? same.first, let stored = try kept.secret(),
                stored.isEqualInConstantTime(to: secret.stored)
            {
                // The credential that worked last comes first: writing it again makes it the newest, unless it is that already.
                let others = items.filter { !$0.isNegative && GitKeychain.isGits($0) }
                guard let own, others.contains(where: { $0.reference != own.reference && $0.changed >= own.changed })
                else { return }
                return try own.replaceSecret(by: stored)
            }
            if let own {
                try own.replaceSecret(by: secret.stored)
            } else if try !keychains.addPassword(GitKeychain.attributes(of: origin, account), secret.stored) {
                continue
            }
            return try removeExpired(items.filter { !$0.account.hasSameBytes(as: account) })
        }
        throw .failure("another item has the same identity: `llavero list` shows it; remove or edit it, and try again")
    }

    /// Removes a stored credential that git found wrong; if git names a password, only that one.
    ///
    /// A person's own stays, and is not given to git again until it is changed, or git would never ask for the right one. That it
    /// was wrong is an item of git's without a password, in whose place the right one is stored.
    func erase(_ password: SecretValue?, of origin: GitOrigin, account: String?) throws(CommandError) {
        for item in try matches(origin, account) where !item.isNegative {
            let isGits = GitKeychain.isGits(item)
            if let password {
                guard let stored = try item.secret(), let secret = GitSecret(stored: stored),
                    secret.password.isEqualInConstantTime(to: password)
                else { continue }
            }
            if isGits {
                try item.remove()
            } else if password != nil, !item.account.isEmpty {
                try noteAsWrong(item, for: origin)
            }
        }
    }

    private func noteAsWrong(_ item: PasswordItem, for origin: GitOrigin) throws(CommandError) {
        let nothing = SecretValue(copying: [UInt8]())
        let noted = try matches(origin, item.account).first { GitKeychain.isGits($0) && $0.isAt(path: origin.path) }
        if let noted {
            // Of git's own one that has a password was not what git found wrong.
            guard try noted.secret()?.count == 0 else { return }
            try noted.replaceSecret(by: nothing)
        } else if try !keychains.addPassword(GitKeychain.attributes(of: origin, item.account), nothing) {
            return
        }
        Tool.say(
            "git finds the password of \(origin.title) (\(PlainText.shown(item.account))) wrong: it is your own, stays as it is, and git asks for its own from now on"
        )
    }

    /// Removes expired credentials, except those with a refresh token, which may still be used.
    private func removeExpired(_ items: [PasswordItem]) throws(CommandError) {
        for item in items where GitKeychain.isGits(item) {
            guard let stored = try item.secret(), let secret = GitSecret(stored: stored),
                secret.isExpired(at: now), secret.refreshToken == nil
            else { continue }
            try item.remove()
        }
    }

    /// Compares like git: a field that git does not give matches any value.
    private func matches(_ origin: GitOrigin, _ account: String?) throws(CommandError) -> [PasswordItem] {
        var wanted = AttributeList()
        wanted[.server] = .string(origin.server)
        return try keychains.passwords(wanted).filter { item in
            guard item.domain.isEmpty || item.domain.hasSameBytes(as: GitKeychain.domain),
                item.protocol.hasSameBytes(as: origin.code), origin.isAt(port: item.port)
            else {
                return false
            }
            if let path = origin.path, !item.isAt(path: path) { return false }
            if let account, !item.account.isEmpty || !item.isNegative {
                return item.account.hasSameBytes(as: account)
            }
            return true
        }
    }

    /// Whether a negative item (decision D26) applies to the account, or to all accounts.
    private static func isRefused(_ items: [PasswordItem], _ account: String?) -> Bool {
        items.contains { item in
            guard item.isNegative else { return false }
            return item.account.isEmpty || (account.map { item.account.hasSameBytes(as: $0) } ?? false)
        }
    }

    /// Items for the whole server before those for a path, and git's own before a person's, since git cannot remove a wrong one of
    /// these; the order is kept otherwise.
    private static func nearest(_ all: [PasswordItem], to origin: GitOrigin) -> [PasswordItem] {
        let items = all.filter(GitKeychain.isGits) + all.filter { !GitKeychain.isGits($0) }
        guard origin.path == nil else { return items }
        return items.filter { $0.innerPath == nil } + items.filter { $0.innerPath != nil }
    }

    /// Whether git stored it.
    private static func isGits(_ item: PasswordItem) -> Bool { !item.domain.isEmpty && !item.isNegative }

    private static func attributes(of origin: GitOrigin, _ account: String) -> AttributeList {
        var attributes = AttributeList()
        attributes[.securityDomain] = .string(domain)
        attributes[.server] = .string(origin.server)
        attributes[.protocol] = .string(origin.code)
        if let port = origin.port { attributes[.port] = .number(port) }
        if let path = origin.path { attributes[.path] = .string(path) }
        attributes[.account] = .string(account)
        attributes[.label] = .string("git: \(origin.title)")
        return attributes
    }

    /// The security domain separates them from a person's items for the same server.
    private static let domain = "git"
}

/// The server of a credential: protocol, host and path of a URL, split into attributes.
///
/// No two origins have the same attributes, so a credential is only given to the server that it was stored for.
package struct GitOrigin: Sendable, Equatable {
    package let `protocol`: String
    /// As git writes it, with the port.
    package let host: String
    /// nil if git gives no path.
    package let path: String?

    /// nil if nothing can be stored: no protocol, neither host nor path, or a protocol that is another one's code.
    package init?(protocol name: String?, host: String?, path: String?) {
        guard let name, !name.isEmpty, name.isASCII else { return nil }
        guard ProtocolCode.isUnambiguous(name) else { return nil }
        let path = path.flatMap { $0.isEmpty ? nil : $0 }
        guard host.map({ !$0.isEmpty }) ?? false || path != nil else { return nil }
        (self.protocol, self.host, self.path) = (name, host ?? "", path)
    }

    /// The host without its port.
    var server: String { HostPort(host).server }

    var port: Int64? { HostPort(host).port }

    var code: String { ProtocolCode.code(of: self.protocol) }

    /// The name for people.
    var title: String { path.map { "\(host)/\($0)" } ?? host }

    /// Whether an item's attributes fit it; an omitted port means the protocol's default one.
    func isAt(port other: Int64?) -> Bool {
        let usual = ProtocolCode.usualPort(of: self.protocol)
        return (port ?? usual) == (other ?? usual)
    }
}
