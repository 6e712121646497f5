// SPDX-License-Identifier: Apache-2.0

internal import KeychainAudit
package import KeychainDaemon
internal import KeychainIdentity
package import KeychainModel
package import KeychainRequest
internal import KeychainSystem

/// What others did to a collection.
enum CollectionNews: Sendable {
    case items([SecretChange])
    /// Something, which cannot be told now.
    case unknown
    case lockChanged
}

/// A collection as it is served: what is in it, and the keychain that it locks with.
final class ServedCollection: Sendable {
    typealias SessionMaker = @Sendable () throws(KeychainError) -> any KeychainSession
    typealias NewsListener = @Sendable (KeychainNews) -> Void

    let id: String
    /// nil in memory.
    let address: KeychainAddress?
    let items: SecretCollection
    private let session: SessionMaker
    private let about: @Sendable () -> CollectionList.Collection?
    private let listener: Relay

    /// Whom the news goes to; set once everything is there.
    private final class Relay: Sendable {
        let body = ForkSafeMutex<NewsListener?>(nil)
    }

    /// `open` makes the session of the keychain, and is given whom to tell what others do there.
    init(
        _ id: String, at address: KeychainAddress?, _ open: (@escaping NewsListener) -> SessionMaker,
        about: @escaping @Sendable () -> CollectionList.Collection?
    ) {
        self.id = id
        self.address = address
        self.about = about
        let relay = Relay()
        listener = relay
        session = open { news in relay.body.withLock { $0 }?(news) }
        items = SecretCollection(session)
    }

    /// Has others' changes noticed here, and `body` called after them; on the thread of whoever made them.
    func listen(_ body: @escaping @Sendable (ServedCollection, CollectionNews) -> Void) {
        listener.body.withLock { listener in
            listener = { [weak self] news in
                guard let self, let news = noticed(news) else { return }
                body(self, news)
            }
        }
    }

    /// What the news mean for the collection; nil where nothing of it was touched.
    private func noticed(_ news: KeychainNews) -> CollectionNews? {
        switch news {
        case .lockChanged: return .lockChanged
        case .circleChanged: return nil
        case .changed(let events):
            guard events.contains(where: { $0.group == AccessGroup.secretService.name }) else { return nil }
            do throws(KeychainError) {
                let changes = try items.noticed(KeychainChanges(events, isIncomplete: false))
                return changes.isEmpty ? nil : .items(changes)
            } catch {
                items.forgetIndex()
                return .unknown
            }
        }
    }

    /// What people call it; a person's own keychain is called so until somebody gives it another label.
    var label: String { about()?.label ?? (id == CollectionList.session ? "Session" : "Login") }
    var created: UInt64 { about()?.created ?? 0 }
    var modified: UInt64 { max(about()?.modified ?? 0, items.lastModified ?? 0) }

    /// Whether secrets are out of reach; where that cannot be told they are.
    var isLocked: Bool {
        guard let state = try? items.lockState() else { return true }
        return switch state {
        case .unlocked, .noPasscode: false
        case .locked, .beforeFirstUnlock: true
        }
    }

    func unlock(_ passcode: Passcode) throws(KeychainError) { _ = try session().perform(.unlock(passcode)) }

    /// Whether there is anything to unlock it with.
    var hasPasscode: Bool { (try? items.lockState()).map { $0 != .noPasscode } ?? true }

    /// Whether a passcode is the right one; a wrong one counts.
    func verify(_ passcode: Passcode) throws(KeychainError) { _ = try session().perform(.verify(passcode)) }

    /// nil stands for none.
    func changePasscode(from old: Passcode?, to new: Passcode?) throws(KeychainError) {
        switch (old, new) {
        case (nil, let new?): _ = try session().perform(.setPasscode(new, erasingAfter: 0))
        case (let old?, let new?): _ = try session().perform(.changePasscode(from: old, to: new))
        case (let old?, nil): _ = try session().perform(.removePasscode(old))
        case (nil, nil): break
        }
    }

    /// One without a passcode has nothing to lock with, and stays open.
    func lock() throws(KeychainError) { _ = try session().perform(.lock) }
}

/// The collections of a user: the usual keychain as `login`, one in memory as `session`, and those that programs made.
package final class SecretCollections: Sendable {
    private let keychains: UserKeychains
    private let user: UInt32
    private let registry: CollectionRegistry
    private let login: ServedCollection
    private let temporary: ServedCollection
    private let others = ForkSafeMutex<[String: ServedCollection]>([:])
    private let listener = ForkSafeMutex<(@Sendable (ServedCollection, CollectionNews) -> Void)?>(nil)

    /// `memory` is a session of a keychain in memory, whose items go with the daemon.
    package init(
        _ keychains: UserKeychains, of user: UInt32, _ registry: CollectionRegistry,
        memory: @escaping @Sendable () throws(KeychainError) -> any KeychainSession
    ) {
        self.keychains = keychains
        self.user = user
        self.registry = registry
        login = ServedCollection(
            CollectionList.login, at: .usual,
            SecretCollections.opening(keychains, .usual, user, makesIt: true)
        ) { (try? registry.collections())?[CollectionList.login] }
        temporary = ServedCollection(CollectionList.session, at: nil, { _ in memory }, about: { nil })
    }

    /// Whom the keychain knows the service as: it has one access group for itself.
    package static let caller = Caller(
        groups: [AccessGroup.secretService], seesEveryGroup: false, administersKeys: true, program: nil)

    private static func opening(
        _ keychains: UserKeychains, _ address: KeychainAddress, _ user: UInt32, makesIt: Bool
    ) -> (@escaping ServedCollection.NewsListener) -> ServedCollection.SessionMaker {
        { listener in
            let session = ServedSession(keychains, address, of: user, for: caller, makesIt: makesIt, onNews: listener)
            return { session }
        }
    }

    /// Has `body` called when others change something in a collection, or lock or unlock its keychain.
    func listen(_ body: @escaping @Sendable (ServedCollection, CollectionNews) -> Void) {
        listener.withLock { $0 = body }
        login.listen(body)
    }

    /// All of them, the usual one first.
    func all() throws(KeychainError) -> [ServedCollection] {
        [login] + (try registry.collections().collections.filter { $0.id != CollectionList.login }.map(served)) + [
            temporary
        ]
    }

    func find(_ id: String) throws(KeychainError) -> ServedCollection? {
        switch id {
        case CollectionList.login: login
        case CollectionList.session: temporary
        default: try registry.collections()[id].map(served)
        }
    }

    private func served(_ listed: CollectionList.Collection) -> ServedCollection {
        others.withLock { others in
            if let known = others[listed.id] { return known }
            let address = KeychainAddress.named(listed.keychain)
            let served = ServedCollection(
                listed.id, at: address, SecretCollections.opening(keychains, address, user, makesIt: false)
            ) { [registry] in (try? registry.collections())?[listed.id] }
            if let listener = listener.withLock({ $0 }) { served.listen(listener) }
            others[listed.id] = served
            return served
        }
    }

    // MARK: Aliases

    func id(ofAlias name: String) throws(KeychainError) -> String? {
        if name == CollectionList.session { return CollectionList.session }
        return try registry.collections().collection(of: name)
    }

    func aliases() throws(KeychainError) -> [String] {
        let own = [CollectionList.login, CollectionList.session, "default"]
        return Set(try registry.collections().aliases.keys).union(own).sorted()
    }

    /// With nil it means again what it means when nobody says anything.
    func setAlias(_ name: String, to id: String?) throws(KeychainError) {
        guard try registry.setAlias(name, to: id) else { throw SecretCollections.noSuchCollection }
    }

    // MARK: Changing

    func setLabel(_ label: String, of id: String) throws(KeychainError) {
        guard id != CollectionList.session else {
            throw KeychainError(.parameter, "the collection in memory keeps its label")
        }
        guard try registry.setLabel(label, of: id) else { throw SecretCollections.noSuchCollection }
    }

    /// Makes a keychain for a new collection; its name there.
    package func make(_ label: String, _ passcode: Passcode?) throws(KeychainError) -> String {
        let listed = try registry.add(label: label)
        do throws(KeychainError) { _ = try keychains.make(.named(listed.keychain), of: user, passcode) } catch {
            _ = try? registry.remove(listed.id)
            throw error
        }
        return listed.id
    }

    /// Removes a collection with everything in it; never the usual keychain, which holds more than what came over the bus.
    func remove(_ id: String) throws(KeychainError) {
        guard id != CollectionList.login, id != CollectionList.session else {
            throw KeychainError(.missingEntitlement, "this collection cannot be removed over the bus")
        }
        guard let listed = try registry.collections()[id] else { throw SecretCollections.noSuchCollection }
        try keychains.remove(.named(listed.keychain), of: user, at: nil)
        _ = try registry.remove(id)
        others.withLock { $0[id] = nil }
    }

    private static let noSuchCollection = KeychainError(.noSuchKeychain, "there is no such collection")

    // MARK: The log

    /// Records what a client did, with the keychain that it did it to.
    func record(
        _ operation: AuditOperation, in found: ServedCollection, by client: BusClient, _ program: BusProgram,
        count: Int?
    ) {
        guard let address = found.address else { return }
        // The level is that of a program which no rule names: it is known by what it says and executes, and no better.
        let program = AuditedProgram(
            user: client.user ?? user, process: client.process ?? 0, image: program.name, level: IdentityLevel.none)
        var entry = AuditEntry(operation, by: program)
        entry.count = count.map(Int64.init)
        keychains.record(entry, in: address, of: user)
    }
}
