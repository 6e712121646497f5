// SPDX-License-Identifier: Apache-2.0

import KeychainConnection
import KeychainCrypto
import KeychainEngine
import KeychainModel
import KeychainRequest
import KeychainSecretService
import KeychainSystem
import TestProcesses

/// A keychain on disk, or in memory, with a collection of the Secret Service in it.
final class CollectionBed: Sendable {
    let folder: TestFolder
    private let isInMemory: Bool
    private let opened = ForkSafeMutex<EmbeddedHost?>(nil)
    private let clock = SteppingClock()
    let traffic = Traffic()

    init(passcode: Bool = false, inMemory: Bool = false) throws {
        folder = try TestFolder()
        isInMemory = inMemory
        if passcode { _ = try perform(.setPasscode(Self.passcode(), erasingAfter: 0)) }
    }

    deinit { close() }

    /// The process's own host, opened by the first call.
    var host: EmbeddedHost {
        opened.withLock { opened in
            if let opened { return opened }
            let place = isInMemory ? Place.memory : .folder(root: folder.path, name: "login")
            let host = EmbeddedHost(
                place: place, entitlements: .open, clock: { [clock] in clock.next() }, passcodeCost: .light,
                authenticators: .none, tpm: { "device:/dev/nowhere" }, plan: { CreationPlan() })
            opened = host
            return host
        }
    }

    /// The service's collection, as a process has it that begins.
    func collection() -> SecretCollection {
        SecretCollection { [self] () throws(KeychainError) in
            CountedSession(try host.session(for: Self.service), traffic)
        }
    }

    /// What a session of somebody who sees everything does.
    func session() throws -> any KeychainSession {
        try host.session(for: Caller(groups: [], seesEveryGroup: true, administersKeys: true, program: nil))
    }

    /// Ends as a process does: the next call opens the keychain anew.
    func close() {
        opened.withLock { opened in
            opened?.end()
            opened = nil
        }
    }

    @discardableResult
    func perform(_ request: KeybagRequest) throws -> KeybagReply { try session().perform(request) }

    func unlock() throws { try perform(.unlock(Self.passcode())) }
    func lock() throws { try perform(.lock) }

    static let service = Caller(
        groups: [.secretService], seesEveryGroup: false, administersKeys: true, program: nil)

    static func passcode() throws -> Passcode {
        guard let passcode = Array("1234".utf8).withUnsafeBytes({ Passcode(copying: $0) }) else { throw NoPasscode() }
        return passcode
    }

    private struct NoPasscode: Error {}

    /// All passwords of the keychain that say so, with their attributes.
    func rows(_ accessibility: Accessibility?) throws -> [FoundItem] {
        let predicate = ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: accessibility, restriction: .none, filters: [])
        let session = try session()
        do throws(KeychainError) {
            let found = try session.match(
                MatchRequest(predicate: predicate, returning: .attributes, limit: .all))
            return found.compactMap { if case .item(let item) = $0 { item } else { nil } }
        } catch {
            guard error.reason == .itemNotFound else { throw error }
            return []
        }
    }

    func remove(_ item: FoundItem) throws {
        let reference = PersistentReference.item(.genericPassword, item.persistentID)
        let predicate = ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .items([.persistent(reference)]),
            filters: [])
        try session().delete(DeleteRequest(predicate: predicate, tombstones: .never))
    }

    /// Adds a row as it was, with the secret "a" where it had one.
    func putBack(_ row: FoundItem) throws -> FoundItem {
        var attributes = AttributeList()
        for entry in row.attributes?.entries ?? []
        where ![.accessGroup, .accessible, .synchronizable, .tombstone, .multiUser, .digest].contains(entry.attribute) {
            attributes[entry.attribute] = entry.value
        }
        let hasSecret = row.accessControl.protection == .whenUnlocked
        let request = AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .named(AccessGroup.secretService.name),
            protection: .accessControl(row.accessControl), isSynchronizable: false, isTombstone: false,
            secret: hasSecret ? SecretValue(copying: Array("a".utf8)) : nil,
            returning: [.attributes, .persistentReference], origin: .caller)
        guard let added = try session().add(request) else { throw KeychainError(.internalError, "nothing was added") }
        return added
    }
}

/// The time, which goes on by a few milliseconds at least whenever it is asked: what is stored later says so.
private final class SteppingClock: Sendable {
    private let last = ForkSafeMutex<Double>(0)

    func next() -> Double {
        last.withLock { last in
            last = max(ProcessHost.systemClock(), last + 0.003)
            return last
        }
    }
}

/// What went between a collection and its keychain.
final class Traffic: Sendable {
    struct Counts: Equatable {
        var calls = 0
        /// Items that were named or found.
        var items = 0
    }

    private let counts = ForkSafeMutex(Counts())

    func add(_ items: Int) {
        counts.withLock { counts in
            counts.calls += 1
            counts.items += items
        }
    }

    /// What went there while `body` ran.
    func during(_ body: () throws -> Void) rethrows -> Counts {
        let before = counts.withLock { $0 }
        try body()
        let after = counts.withLock { $0 }
        return Counts(calls: after.calls - before.calls, items: after.items - before.items)
    }
}

/// A session whose calls are counted.
private final class CountedSession: KeychainSession {
    private let session: any KeychainSession
    private let traffic: Traffic

    init(_ session: any KeychainSession, _ traffic: Traffic) { (self.session, self.traffic) = (session, traffic) }

    func add(_ request: AddRequest) throws(KeychainError) -> FoundItem? {
        traffic.add(1)
        return try session.add(request)
    }

    func add(_ request: AddAllRequest) throws(KeychainError) -> [Found] {
        traffic.add(request.entries.count)
        return try session.add(request)
    }

    func match(_ request: MatchRequest) throws(KeychainError) -> [Found] {
        var named = 0
        if case .items(let items) = request.predicate.restriction { named = items.count }
        do throws(KeychainError) {
            let found = try session.match(request)
            traffic.add(max(named, found.count))
            return found
        } catch {
            traffic.add(named)
            throw error
        }
    }

    func match(_ request: MatchPageRequest) throws(KeychainError) -> MatchPage {
        let page = try session.match(request)
        traffic.add(page.found.count)
        return page
    }

    func update(_ request: UpdateRequest) throws(KeychainError) { try session.update(request) }

    func update(_ request: UpdateAllRequest) throws(KeychainError) {
        traffic.add(request.updates.count)
        try session.update(request)
    }

    func delete(_ request: DeleteRequest) throws(KeychainError) { try session.delete(request) }

    func generateKey(_ request: GenerateKeyRequest) throws(KeychainError) -> GeneratedKey {
        try session.generateKey(request)
    }

    func useKey(_ request: UseKeyRequest) throws(KeychainError) -> SecretValue { try session.useKey(request) }

    func perform(_ request: KeybagRequest) throws(KeychainError) -> KeybagReply {
        traffic.add(0)
        return try session.perform(request)
    }

    func begin(_ context: AuthenticationContextID) { session.begin(context) }
    func means() throws(KeychainError) -> AuthenticationMeans { try session.means() }
    func authenticate(_ request: AuthenticateRequest) throws(KeychainError) { try session.authenticate(request) }

    func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID
    ) throws(KeychainError) { try session.set(credential, of: kind, for: context) }

    func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool {
        session.hasCredential(kind, context)
    }

    func expect(_ request: AuthenticationRequestID) { session.expect(request) }
    func takeBack(_ request: AuthenticationRequestID) { session.takeBack(request) }
    func forget(_ request: AuthenticationRequestID) { session.forget(request) }
    func invalidate(_ context: AuthenticationContextID) { session.invalidate(context) }
}

/// What programs do, in words of these tests.
extension SecretCollection {
    @discardableResult
    func store(
        _ secret: String, _ attributes: [String: String], label: String = "label", type: String = "text/plain",
        replacing: Bool = false
    ) throws -> String {
        try create(
            label: label, attributes: attributes, contentType: type, secret: SecretValue(copying: Array(secret.utf8)),
            replacing: replacing
        ).id
    }

    func text(_ id: String) throws -> String? {
        guard let (secret, _) = try secret(of: id) else { return nil }
        return String(decoding: secret.plain, as: UTF8.self)
    }
}

extension SecretValue {
    var plain: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// Why something was refused; nil when it was not.
func refusal<Result>(_ body: () throws -> Result) -> KeychainError.Reason? {
    do {
        _ = try body()
        return nil
    } catch { return (error as? KeychainError)?.reason }
}
