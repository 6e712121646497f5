// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainConnection
internal import KeychainModel
package import KeychainRequest

/// The keychain that the verbs are about: the daemon's where one runs, else the one that this process opens.
package struct ToolKeychain {
    package let host: FollowingHost
    /// Whether a daemon has the keychain, as far as it is known by now.
    package var hasDaemon: Bool { host.hasDaemon }

    /// The keychain that the environment names.
    package init() throws(CommandError) {
        try self.init { () throws(KeychainError) in try ProcessHost.host() }
    }

    /// Another one, by its place.
    package init(at place: Place) throws(CommandError) {
        try self.init { () throws(KeychainError) in try ProcessHost.host(at: place) }
    }

    /// The one that `text` names, as people and scripts write keychains; nil stands for the usual one.
    package init(written text: String?) throws(CommandError) {
        guard let text else {
            try self.init()
            return
        }
        try self.init(
            at: try ToolKeychain.translating { () throws(KeychainError) in
                try Place.written(text, in: .current())
            })
    }

    private init(_ host: () throws(KeychainError) -> FollowingHost) throws(CommandError) {
        ProcessHost.claimPasswords()
        ProcessHost.revive(by: Revival.revive)
        self.host = try ToolKeychain.translating(host)
    }

    /// Where it is.
    package var place: Place { host.embedded.place }

    /// The folder of its files; nil where the daemon has them, and in memory.
    package var folder: String? { hasDaemon ? nil : host.embedded.folder }

    /// Where its files are, also those that a daemon has; nil in memory, and where the daemon's keychain of that name is not
    /// the one that lies there.
    package var location: String? {
        guard hasDaemon else { return host.embedded.folder }
        return host.embedded.isHandedOver ? host.embedded.folder : nil
    }

    /// Whether there is one; asking it anything else might make it.
    package var isThere: Bool {
        get throws(CommandError) {
            try ToolKeychain.translating { () throws(KeychainError) in try host.isThere }
        }
    }

    package func requireThere() throws(CommandError) {
        if try isThere { return }
        throw .failure("there is no keychain yet in \(folder ?? "memory"); the first item or passcode makes it")
    }

    package func standing() throws(CommandError) -> KeychainStanding {
        guard case .standing(let standing) = try perform(.standing) else { throw ToolKeychain.otherReply }
        return standing
    }

    @discardableResult
    package func perform(_ request: KeybagRequest) throws(CommandError) -> KeybagReply {
        try answering { () throws(KeychainError) in
            let keychain = try host.connection()
            return try keychain.keybag.perform(request, from: keychain.caller)
        }
    }

    /// Removes the keychain with everything in it; `preferences` are the caller's to mend.
    package func remove() throws(CommandError) {
        try answering { () throws(KeychainError) in try host.remove() }
    }

    package func settings() throws(CommandError) -> KeychainSettings {
        guard case .settings(let settings) = try perform(.settings) else { throw ToolKeychain.otherReply }
        return settings
    }

    /// What is wrong with it.
    package func check() throws(CommandError) -> [String] {
        try answering { () throws(KeychainError) in try host.check() }
    }

    package func audit(_ query: AuditQuery) throws(CommandError) -> AuditAnswer {
        try answering { () throws(KeychainError) in try host.audit(query) }
    }

    package static let otherReply = CommandError.failure("the keychain answered something else than was asked")
}
