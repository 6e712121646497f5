// SPDX-License-Identifier: Apache-2.0

internal import KeychainAudit
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// The keychain that the verbs are about: the daemon's where one runs, else the one that this process opens.
struct ToolKeychain {
    let host: FollowingHost
    /// Whether a daemon answered when the verb began.
    let hasDaemon: Bool

    init() throws(CommandError) {
        host = try ToolKeychain.translating { () throws(KeychainError) in try ProcessHost.host() }
        hasDaemon = host.hasDaemon
    }

    /// The folder of its files; nil where the daemon has them, and in memory.
    var folder: String? { hasDaemon ? nil : host.embedded.folder }

    /// Whether there is one; asking it anything else would make it.
    var isThere: Bool {
        guard !hasDaemon, case .folder(let root, let name) = host.embedded.place else { return true }
        return KeychainFolder(root: root, name: name).exists
    }

    func requireThere() throws(CommandError) {
        if isThere { return }
        throw .failure("there is no keychain yet in \(folder ?? "memory"); the first item or passcode makes it")
    }

    func standing() throws(CommandError) -> KeychainStanding {
        guard case .standing(let standing) = try perform(.standing) else { throw ToolKeychain.otherReply }
        return standing
    }

    @discardableResult
    func perform(_ request: KeybagRequest) throws(CommandError) -> KeybagReply {
        try ToolKeychain.translating { () throws(KeychainError) in
            let keychain = try host.connection()
            return try keychain.keybag.perform(request, from: keychain.caller)
        }
    }

    func audit(_ query: AuditQuery) throws(CommandError) -> AuditAnswer {
        try ToolKeychain.translating { () throws(KeychainError) in try host.audit(query) }
    }

    static func translating<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(CommandError) -> Result {
        do throws(KeychainError) { return try body() } catch { throw .failure(error.description) }
    }

    static let otherReply = CommandError.failure("the keychain answered something else than was asked")
}
