// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import KeychainAudit
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainWire

/// Records one client's calls, and what became of each, when it is over.
struct SessionAudit {
    private let log: AuditLog?
    private let program: AuditedProgram

    /// Records that a program is served.
    init(_ log: AuditLog?, _ peer: Peer, _ program: AdmittedProgram) {
        self.log = log
        self.program = AuditedProgram(
            user: peer.process.user, process: peer.process.pid, image: program.image ?? program.unit,
            level: program.level)
        try? log?.record(AuditEntry(.admit, by: self.program))
    }

    /// What `answer` answers; where a record is required and cannot be made, a failure in its place.
    func recording(_ call: WireCall, _ answer: (CallEvents?) -> WireReply) -> WireReply {
        guard let log, var entry = AuditEntry(call, by: program) else { return answer(nil) }
        if entry.operation.isSensitive {
            do throws(AuditError) { try log.requireWritable() } catch {
                return .failure(
                    KeychainError(
                        .notAvailable,
                        "the audit log cannot be written, and the daemon performs no operation without a record of it",
                        code: error.number))
            }
        }
        let events = CallEvents()
        let reply = answer(events)
        entry.take(reply, events.all)
        do throws(AuditError) {
            for more in AuditEntry.ofMembers(in: call, by: program, outcome: entry.outcome) { try log.record(more) }
            try log.record(entry)
        } catch {
            guard entry.operation.isSensitive, entry.outcome == .done else { return reply }
            return .failure(
                KeychainError(
                    .notAvailable, "the operation was performed but could not be recorded, so its result is withheld",
                    code: error.number))
        }
        return reply
    }

    /// Records that a keychain was made with a passcode.
    func recordFirstPasscode() { try? log?.record(AuditEntry(.setPasscode, by: program)) }

    /// Records, with the keychain of its user, that a program was not served which was not identified yet.
    ///
    /// No keychain is opened for that.
    static func refuse(_ socket: OwnedDescriptor, _ keychains: UserKeychains) {
        var credentials = llv_peer_credentials()
        guard unsafe llv_peer_read_credentials(socket.number, &credentials) == 0 else { return }
        let program = AuditedProgram(user: credentials.uid, process: credentials.pid, image: nil, level: nil)
        record(AuditEntry(.refuse, by: program, outcome: .failed(.authenticationFailed)), credentials.uid, keychains)
    }

    /// Records that a program is not served.
    static func refuse(_ peer: Peer, _ keychains: UserKeychains) {
        let program = AuditedProgram(
            user: peer.process.user, process: peer.process.pid, image: peer.evidence.image?.path, level: nil)
        record(
            AuditEntry(.refuse, by: program, outcome: .failed(.missingEntitlement)), peer.process.user, keychains)
    }

    /// In the log of that user's keychain.
    ///
    /// An entry of another user goes into the log of the daemon's own user; in a shared daemon it is dropped, or any user
    /// could push older records out of all logs.
    private static func record(_ entry: AuditEntry, _ user: UInt32, _ keychains: UserKeychains) {
        let opened = keychains.opened
        let own = opened.filter { $0.user == user }
        for (_, keychain) in own.isEmpty && !keychains.isShared ? opened : own { try? keychain.audit?.record(entry) }
    }
}

extension AuditEntry {
    /// What is recorded of a call before it is made; nil of one that touches no item and shows nothing.
    init?(_ call: WireCall, by program: AuditedProgram) {
        switch call {
        case .add(let request):
            self.init(
                .add, by: program, on: .stored(request.itemClass), in: AuditedGroup(request.group), count: 1)
        case .addAll(let request):
            let items = request.entries.flatMap(\.items)
            let (classes, groups) = (Set(items.map(\.itemClass)), items.map { AuditedGroup($0.group) })
            self.init(
                .add, by: program, on: classes.count == 1 ? classes.first.map { .stored($0) } : nil,
                in: groups.allSatisfy { $0 == groups.first } ? groups.first ?? .unknown : .unknown,
                count: Int64(items.count))
        case .match(let request): self.init(finding: request, by: program)
        // Each part of a list is a find: any of them shows items.
        case .matchPage(let request): self.init(finding: request.match, by: program)
        case .update(let request): self.init(.update, by: program, request.predicate)
        case .updateAll(let request):
            let classes = Set(request.updates.map(\.predicate.queriedClass))
            let groups = request.updates.map { AuditedGroup($0.predicate.groups) }
            self.init(
                .update, by: program, on: classes.count == 1 ? classes.first : nil,
                in: groups.allSatisfy { $0 == groups.first } ? groups.first ?? .unknown : .unknown)
        case .delete(let request): self.init(.delete, by: program, request.predicate)
        case .generateKey(let request):
            let items = [request.key, request.publicKey].compactMap(\.self)
            self.init(
                .generateKey, by: program, on: .stored(.key),
                in: items.first.map { AuditedGroup($0.group) } ?? .unknown, count: Int64(items.count))
        case .useKey(let request):
            self.init(AuditOperation(request.task), by: program, on: .stored(.key))
            if case .stored(let id, _) = request.key { items = [AuditedItem(.key, id, group: .unknown)] }
            count = 1
        case .authenticate: self.init(.authenticate, by: program)
        case .set(let credential, _, _):
            guard credential != nil else { return nil }
            self.init(.giveCredential, by: program)
        case .keybag(let request):
            guard let operation = AuditOperation(request) else { return nil }
            self.init(operation, by: program, count: AuditEntry.sent(by: call))
        case .check: self.init(AuditOperation.check, by: program)
        case .audit: self.init(AuditOperation.readLog, by: program)
        case .means, .hasCredential, .begin, .expect, .takeBack, .forget, .invalidate, .sit, .subscribe, .introduce,
            .choose, .names, .make, .remove, .attend, .answer:
            return nil
        }
    }

    private init(finding request: MatchRequest, by program: AuditedProgram) {
        let isSecret = !request.returning.isDisjoint(with: [.data, .reference])
        self.init(isSecret ? .findSecrets : .find, by: program, request.predicate)
    }

    /// The items are those that the program names by what it kept of them; which others it touches is not known here.
    private init(_ operation: AuditOperation, by program: AuditedProgram, _ predicate: ItemPredicate) {
        self.init(operation, by: program, on: predicate.queriedClass, in: AuditedGroup(predicate.groups))
        guard case .items(let designations) = predicate.restriction else { return }
        items = designations.lazy.compactMap(AuditedItem.init).prefix(AuditEntry.mostItems).map(\.self)
    }

    /// Devices that came and went, where a call notes some.
    static func ofMembers(
        in call: WireCall, by program: AuditedProgram?, outcome: AuditOutcome = .done
    ) -> [AuditEntry] {
        guard case .keybag(.sync(.apply(let batch))) = call else { return [] }
        return [(AuditOperation.admitDevice, batch.members.admitted), (.removeDevice, batch.members.removed)]
            .filter { $0.1 > 0 }
            .map { AuditEntry($0.0, by: program, outcome: outcome, count: Int64($0.1)) }
    }

    /// What is recorded of the daemon's own work with a circle.
    static func ofDaemon(_ request: SyncRequest, _ events: [ItemEvent]) -> [AuditEntry] {
        let call = WireCall.keybag(.sync(request))
        guard let operation = AuditOperation(.sync(request)), operation != .findSecrets else { return [] }
        var entry = AuditEntry(operation, by: nil, count: AuditEntry.sent(by: call))
        entry.take(.nothing, events)
        // A head that is noted, or a state, is none of an item's.
        if case .apply = request, entry.items.isEmpty, operation != .share { return ofMembers(in: call, by: nil) }
        return ofMembers(in: call, by: nil) + [entry]
    }

    /// The same of items that it destroys because a circle says so; of the circle's own keys nothing is recorded.
    static func ofDaemon(deleting request: DeleteRequest, _ events: [ItemEvent]) -> [AuditEntry] {
        var entry = AuditEntry(.delete, by: nil, on: request.predicate.queriedClass)
        entry.take(.nothing, events.filter { $0.group != AccessGroup.sync.name })
        return entry.items.isEmpty ? [] : [entry]
    }

    /// How many items a call notes as sent to a circle; nil of any other.
    private static func sent(by call: WireCall) -> Int64? {
        guard case .keybag(.sync(.apply(let batch))) = call else { return nil }
        let count = batch.sent.count { $0.leaf != nil }
        return count == 0 ? nil : Int64(count)
    }

    /// Takes in what became of it, and the items that were touched in place of those that were asked for.
    mutating func take(_ reply: WireReply, _ events: [ItemEvent]) {
        switch reply {
        case .failure(let error):
            outcome = .failed(error.reason)
            count = nil
            // Nothing was touched; who asks for many and gets none must not fill the log with their names.
            items = Array(items.prefix(AuditEntry.mostRefused))
        case .found(let found): count = Int64(found.count)
        case .page(let page): count = Int64(page.found.count)
        default: break
        }
        guard !events.isEmpty else { return }
        // One look may pass over a row twice.
        var seen: Set<PersistentID> = []
        let touched = events.filter { seen.insert($0.id).inserted }
        if count == nil { count = Int64(touched.count) }
        items = touched.prefix(AuditEntry.mostItems).map(AuditedItem.init)
    }

    /// Of more than these only the number is recorded: else one call could push everything before it out of the log.
    private static let mostItems = 64
    private static let mostRefused = 8
}

extension AuditedItem {
    fileprivate init(_ event: ItemEvent) {
        self.init(event.itemClass, event.id, group: AccessGroup(event.group).map { AuditedGroup($0) } ?? .unknown)
    }

    /// nil of an item that is described and not named.
    fileprivate init?(_ designation: ItemDesignation) {
        switch designation {
        case .persistent(.item(let itemClass, let id)): self.init(itemClass, id, group: .unknown)
        case .persistent(.identity(let id)): self.init(.certificate, id, group: .unknown)
        case .persistent(.rowNumber), .persistent(.token), .content, .identity: return nil
        }
    }
}

extension AuditedGroup {
    fileprivate init(_ scope: ItemPredicate.GroupScope) {
        switch scope {
        case .everyGroupOfCaller: self = .everyOfProgram
        case .named(let name): self = AccessGroup(name).map { AuditedGroup($0) } ?? .unknown
        case .unnameable: self = .unknown
        }
    }
}

extension AuditOperation {
    fileprivate init(_ task: UseKeyRequest.Task) {
        switch task {
        case .sign: self = .sign
        case .encrypt: self = .encrypt
        case .decrypt: self = .decrypt
        case .exchange: self = .exchange
        case .release: self = .release
        case .endorsementKey, .certify: self = .sign
        case .activate: self = .decrypt
        }
    }

    /// nil of a question, and of work that changes nothing.
    fileprivate init?(_ request: KeybagRequest) {
        switch request {
        case .lock: self = .lock
        case .unlock, .verify: self = .unlock
        case .setPasscode: self = .setPasscode
        case .changePasscode: self = .changePasscode
        case .removePasscode, .abandonErasedPasscode: self = .removePasscode
        case .makeRecoveryKey, .removeRecoveryKey: self = .changeRecoveryKey
        case .recover, .move: self = .moveEnclave
        case .rotateKeys: self = .rotateKeys
        case .change: self = .changeSettings
        case .acceptItems: self = .acceptItems
        case .backupSecrets: self = .backUp
        case .restore: self = .restore
        case .retain: self = .delete
        case .history: self = .find
        case .pastVersion: self = .findSecrets
        case .bringBack: self = .update
        case .forget: self = .delete
        case .sync(let request):
            switch request {
            case .changes: self = .findSecrets
            case .apply(let batch) where batch.sent.contains { $0.leaf != nil }: self = .share
            case .begin, .end, .apply: self = .synchronize
            case .state, .leaves, .waiting, .heads, .live, .voids, .tombstones, .markAll: return nil
            }
        case .state, .compact, .reseal, .enclaveKeys, .lostItems, .settings, .holdView, .letGoOfView, .stamps,
            .unreached:
            return nil
        }
    }
}

extension AddAllRequest.Entry {
    fileprivate var items: [AddRequest] {
        switch self {
        case .item(let item): [item]
        case .identity(let certificate, let key): [certificate, key]
        }
    }
}

/// What one call did with which items.
final class CallEvents: ItemObserver {
    private let events = ForkSafeMutex<[ItemEvent]>([])

    func saw(_ events: [ItemEvent]) { self.events.withLock { $0 += events } }

    var all: [ItemEvent] { events.withLock { $0 } }
}
