// SPDX-License-Identifier: Apache-2.0

import KeychainAudit
import KeychainConnection
internal import KeychainCrypto
import KeychainDaemon
internal import KeychainEngine
import KeychainModel
import KeychainRequest
import KeychainTransport
import TestDaemon
import TestProcesses

/// A daemon with a folder of keychains, and what programs do with them.
final class KeychainScene {
    let folder: TestFolder
    let served: ServedFolder

    init(givesBack: Bool = false, isServed: Bool = true, quota: KeychainQuota? = nil) throws {
        folder = try TestFolder()
        served = try ServedFolder(folder.path, givesBack: givesBack, isServed: isServed, quota: quota)
    }

    deinit { served.end() }

    /// Makes a keychain, as a tool does where the daemon makes none.
    func make(_ names: String...) throws {
        for name in names {
            let host = embedded(name)
            _ = try host.create(in: .software, makesRecoveryKey: false)
            host.close()
        }
    }

    /// The keychain as a process has it that opens it itself.
    func embedded(_ name: String) -> EmbeddedHost {
        EmbeddedHost(
            place: served.place(name), entitlements: .open, clock: ProcessHost.systemClock, passcodeCost: .standard,
            authenticators: .none, makesItself: false, tpm: { "device:/dev/nowhere" },
            plan: { () throws(KeychainError) in throw KeychainError(.noSuchKeychain, "nobody makes it here") })
    }

    static let passcode: Passcode? = Array("1234".utf8).withUnsafeBytes { Passcode(copying: $0) }

    /// What the log beside a keychain says was done, in order, and what is wrong with it.
    func log(of name: String) throws -> (operations: [AuditOperation], findings: [String]) {
        let host = try DaemonHost.takeOver(served.place(name), .none, makesItself: false)
        defer { host.end() }
        let key = try AuditKey(host.engine().auditKey())
        var operations: [AuditOperation] = []
        let report = try AuditReader(folder: folder.file("\(name)/audit"), key: key).entries { record, _ in
            if case .entry(let entry) = record.content { operations.append(entry.operation) }
        }
        return (operations, report.findings.map { "\($0)" })
    }
}

/// What a program does, in words of this test.
extension SocketSession {
    func add(
        _ account: String, _ accessibility: Accessibility = .whenUnlocked, secret: [UInt8] = Array("secret".utf8)
    ) throws(KeychainError) {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        let control = AccessControl(protection: accessibility, flags: [])
        _ = try add(
            AddRequest(
                itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
                protection: control.map { .accessControl($0) } ?? .byClassAndGroup, isSynchronizable: false,
                isTombstone: false, secret: SecretValue(copying: secret), returning: [],
                origin: .caller))
    }

    private static func predicate(_ account: String) -> ItemPredicate {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        return ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes, groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
    }

    func delete(_ account: String) throws(KeychainError) {
        try delete(DeleteRequest(predicate: Self.predicate(account), tombstones: .never))
    }

    /// How many items have this account, and can be read.
    func count(_ account: String) throws(KeychainError) -> Int {
        do throws(KeychainError) {
            return try match(
                MatchRequest(predicate: Self.predicate(account), returning: [.data], limit: .all)
            ).count
        } catch {
            guard error.reason == .itemNotFound else { throw error }
            return 0
        }
    }

    func state() throws(KeychainError) -> LockState? {
        guard case .state(let state) = try perform(.state) else { return nil }
        return state.lockState
    }

    func settings() throws(KeychainError) -> KeychainSettings? {
        guard case .settings(let settings) = try perform(.settings) else { return nil }
        return settings
    }

    func ask(_ request: KeybagRequest) throws(KeychainError) { _ = try perform(request) }
}
