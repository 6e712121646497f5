// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthorization
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSQLite
import KeychainStore
import Testing

/// A device's keychain in a file, as synchronisation and a program see it.
final class SyncDevice {
    let connection: StoreConnection
    let path: String
    private let keys: ConstrainedStore
    private let folder: String

    static let view = someView()
    static let group = AccessGroup("test.shared") ?? .open

    private static func someView() -> SyncView { SyncView([UInt8](repeating: 7, count: 16)) ?? someView() }

    init(_ name: UInt8 = 1) throws {
        keys = try ConstrainedStore(name)
        folder = NSTemporaryDirectory() + "sync-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        path = folder + "/keychain.db"
        try Data().write(to: URL(fileURLWithPath: path))
        let made = try SQLiteConnection(path: path, mode: .fill)
        try DatabaseSchema.create(in: made, keychain: keys.uuid, keybag: try keys.keybag.encoded())
        made.close()
        connection = try SyncDevice.open(path, keys)
    }

    deinit {
        connection.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func open(_ path: String, _ keys: ConstrainedStore) throws -> StoreConnection {
        let sqlite = try SQLiteConnection(path: path, mode: .readWrite)
        try sqlite.execute("pragma journal_mode=wal")
        return try StoreConnection(
            sqlite: sqlite,
            keybag: LoadedKeybag(
                keychain: keys.uuid, keys: keys.keys, version: try sqlite.userVersion(), mayWrite: true))
    }

    /// Another connection to the same file, as of another process.
    func another() throws -> StoreConnection { try SyncDevice.open(path, keys) }

    func lock(_ state: LockState = .locked) throws {
        try connection.adopt(
            LoadedKeybag(
                keychain: keys.uuid, keys: keys.keys.limited(to: state), version: try connection.sqlite.userVersion(),
                mayWrite: true))
    }

    func unlock() throws {
        try connection.adopt(
            LoadedKeybag(
                keychain: keys.uuid, keys: keys.keys, version: try connection.sqlite.userVersion(), mayWrite: true))
    }

    /// Has keys of another generation besides; the earlier ones stay until nothing needs them.
    func rotate() throws -> UnlockedKeybag {
        let keys = try self.keys.keys.nextGeneration()
        try connection.adopt(
            LoadedKeybag(
                keychain: self.keys.uuid, keys: keys, version: try connection.sqlite.userVersion(), mayWrite: true))
        return keys
    }

    /// What a repair makes of its file, in another one.
    func repaired() throws -> (connection: StoreConnection, report: SalvageReport) {
        try connection.sqlite.execute("pragma wal_checkpoint(truncate)")
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let scratch = folder + "/scratch.db"
        let salvage = Salvage(file: bytes, log: [], keptLogs: [], scratch: scratch) { assembled in
            (try? Data(assembled).write(to: URL(fileURLWithPath: scratch))) != nil
        }
        defer { salvage.close() }
        let new = folder + "/new.db"
        try Data().write(to: URL(fileURLWithPath: new))
        let made = try SQLiteConnection(path: new, mode: .fill)
        try DatabaseSchema.create(in: made, keychain: keys.uuid, keybag: try keys.keybag.encoded())
        made.close()
        let sqlite = try SQLiteConnection(path: new, mode: .readWrite)
        let loaded = LoadedKeybag(
            keychain: keys.uuid, keys: keys.keys, version: try sqlite.userVersion(), mayWrite: true)
        let report = try salvage.fill(sqlite, with: loaded, at: 1_000_000)
        let connection = try StoreConnection(
            sqlite: sqlite,
            keybag: LoadedKeybag(
                keychain: keys.uuid, keys: keys.keys, version: try sqlite.userVersion(), mayWrite: true))
        try connection.leaveOutUnreadable()
        try connection.acceptItems(at: 1_000_000)
        return (connection, report)
    }

    // MARK: A program

    static func moment(_ now: Double) -> WriteContext {
        WriteContext(now: now) {
            var generator = SystemRandomNumberGenerator()
            return (generator.next(), generator.next(), generator.next(), generator.next())
        }
    }

    private func caller(_ group: AccessGroup) -> Caller {
        Caller(groups: [group], seesEveryGroup: false, administersKeys: false, program: nil)
    }

    private var shown: ShownFactors {
        ShownFactors(
            secrets: keys.person, currentFingers: nil, areFingersKnown: true, passwordCost: ConstrainedStore.cost)
    }

    private func predicate(_ account: String) -> ItemPredicate {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        return ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes, groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
    }

    @discardableResult
    func add(
        _ account: String, _ secret: String, at now: Double, in group: AccessGroup = SyncDevice.group,
        _ protection: Accessibility = .whenUnlocked, isSynchronizable: Bool = true,
        as itemClass: ItemClass = .genericPassword
    ) throws -> PersistentID {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        let request = AddRequest(
            itemClass: itemClass, attributes: attributes, group: .everyGroupOfCaller,
            protection: .accessControl(AccessControl(protection: protection)), isSynchronizable: isSynchronizable,
            isTombstone: false, secret: SecretValue(copying: Array(secret.utf8)), returning: [.persistentReference],
            origin: .caller)
        return try connection.add(
            try Authorization.authorize(request, from: caller(group)), shown, at: SyncDevice.moment(now)
        ).persistentID
    }

    func change(
        _ account: String, to secret: String, at now: Double, in group: AccessGroup = SyncDevice.group
    ) throws {
        try update(
            account,
            ItemChanges(
                attributes: AttributeList(), group: nil, accessControl: nil, isSynchronizable: nil,
                secret: SecretValue(copying: Array(secret.utf8))),
            at: now, in: group)
    }

    func rename(
        _ account: String, to other: String, at now: Double, in group: AccessGroup = SyncDevice.group
    ) throws {
        var attributes = AttributeList()
        attributes[.account] = .string(other)
        try update(
            account,
            ItemChanges(attributes: attributes, group: nil, accessControl: nil, isSynchronizable: nil, secret: nil),
            at: now, in: group)
    }

    /// Makes a synchronizable item of one that is none.
    func share(_ account: String, at now: Double, in group: AccessGroup = SyncDevice.group) throws {
        try update(
            account,
            ItemChanges(
                attributes: AttributeList(), group: nil, accessControl: nil, isSynchronizable: true, secret: nil),
            at: now, in: group)
    }

    private func update(_ account: String, _ changes: ItemChanges, at now: Double, in group: AccessGroup) throws {
        let request = UpdateRequest(predicate: predicate(account), changes: changes, tombstones: .whenSynchronizable)
        try connection.update(
            [try Authorization.authorize(request, from: caller(group))], shown, at: SyncDevice.moment(now))
    }

    func remove(
        _ account: String, at now: Double, in group: AccessGroup = SyncDevice.group,
        leaving tombstones: TombstonePolicy = .whenSynchronizable
    ) throws {
        let request = DeleteRequest(predicate: predicate(account), tombstones: tombstones)
        try connection.delete(
            try Authorization.authorize(request, from: caller(group)), keys.person, at: SyncDevice.moment(now))
    }

    func found(
        _ account: String, in group: AccessGroup = SyncDevice.group
    ) throws -> (id: PersistentID, secret: String)? {
        let request = MatchRequest(predicate: predicate(account), returning: .data, limit: .single)
        do {
            let found = try connection.match(
                try Authorization.authorize(request, from: caller(group)), .none, unmet: .told, now: { 0 })
            guard case .item(let item)? = found.first, let secret = item.secret else { return nil }
            return (item.persistentID, secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        } catch StoreError.notFound { return nil }
    }

    func secret(_ account: String, in group: AccessGroup = SyncDevice.group) throws -> String? {
        try found(account, in: group)?.secret
    }

    /// What is kept of earlier versions, newest first.
    func history(in group: AccessGroup = SyncDevice.group) throws -> [PastVersion] {
        try connection.history(of: nil, before: nil, .only([group]), at: 1_000_000)
    }

    func pastSecret(_ version: PastVersion, in group: AccessGroup = SyncDevice.group) throws -> String? {
        try connection.pastVersion(version.number, .only([group]), at: 1_000_000).item.secret.map { secret in
            secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    // MARK: Synchronisation

    @discardableResult
    func sync(_ request: SyncRequest, at now: Double = 500_000) throws -> SyncReply {
        try SyncDevice.sync(request, on: connection, at: now)
    }

    static func sync(
        _ request: SyncRequest, on connection: StoreConnection, at now: Double = 500_000
    ) throws -> SyncReply {
        var caller = Caller(groups: [], seesEveryGroup: false, administersKeys: false, program: nil)
        caller.synchronizes = true
        return try connection.sync(try Authorization.authorize(request, from: caller), at: moment(now))
    }

    @discardableResult
    func begun() throws -> SyncDevice {
        try sync(.begin(state: [1, 2, 3], base: [4, 5]))
        return self
    }

    func state() throws -> SyncState {
        guard case .state(let state?) = try sync(.state()) else { throw Unexpected() }
        return state
    }

    func changes(behind mark: UInt64 = 0, limit: Int = 1000) throws -> [SyncChange] {
        guard case .changes(let changes, _) = try sync(.changes(behind: mark, limit: limit)) else { throw Unexpected() }
        return changes
    }

    func leaves() throws -> [SyncLeaf] {
        guard case .leaves(let leaves) = try sync(.leaves(of: Self.view, behind: nil, limit: 1000)) else {
            throw Unexpected()
        }
        return leaves
    }

    func waiting() throws -> [SyncWaiting] {
        guard case .waiting(let waiting) = try sync(.waiting(in: Self.view, behind: nil, limit: 1000)) else {
            throw Unexpected()
        }
        return waiting
    }

    @discardableResult
    func apply(_ incoming: [SyncIncoming] = [], sent: [SyncSent] = []) throws -> [SyncOutcome] {
        var batch = SyncBatch(version: try state().version)
        (batch.incoming, batch.sent) = (incoming, sent)
        guard case .applied(let outcomes, _) = try sync(.apply(batch)) else { throw Unexpected() }
        return outcomes
    }

    /// Takes the marks off everything that changed, as if it had gone out in one head.
    @discardableResult
    func push(head: UInt64 = 1) throws -> [SyncItem] {
        let changes = try changes()
        try apply(
            sent: try changes.map { change in
                SyncSent(mark: change.mark, leaf: (Self.view, try Self.leaf(change.item, head: head)))
            })
        return changes.map(\.item)
    }

    /// Takes what another device sent.
    @discardableResult
    func pull(_ items: [SyncItem], head: UInt64 = 1) throws -> [SyncOutcome] {
        try apply(items.map { try Self.incoming($0, head: head) })
    }

    static func incoming(_ item: SyncItem, head: UInt64 = 1) throws -> SyncIncoming {
        SyncIncoming(view: view, leaf: try leaf(item, head: head), content: .item(item))
    }

    static func leaf(_ item: SyncItem, head: UInt64 = 1) throws -> SyncLeaf {
        var name: [UInt8] = [item.itemClass.rawValue]
        if case .string(let account)? = item.attributes[.account] { name += Array(account.utf8) }
        let id = try #require(SyncRecordID(Array(try Digest.sha256(of: name).prefix(16))))
        return SyncLeaf(id: id, head: head, digest: [UInt8](repeating: UInt8(truncatingIfNeeded: head), count: 32))
    }

    /// The account of an item.
    static func account(_ item: SyncItem) -> String? {
        guard case .string(let account)? = item.attributes[.account] else { return nil }
        return account
    }

    func findings() throws -> [String] {
        try connection.check(from: nil, atMost: .max, copyOfKeybag: nil).findings.map(\.description)
    }

    struct Unexpected: Error {}
}

extension SyncState {
    /// Whether this is it, with the base that all begin with.
    func says(_ bytes: [UInt8], version: UInt64) -> Bool {
        self.version == version && self.bytes == bytes && base == [4, 5]
    }
}
