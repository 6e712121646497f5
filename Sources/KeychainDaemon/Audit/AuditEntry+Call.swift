// SPDX-License-Identifier: Apache-2.0

internal import KeychainAudit
internal import KeychainModel
internal import KeychainRequest
internal import KeychainWire

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
        case .match(let request):
            let isSecret = !request.returning.isDisjoint(with: [.data, .reference])
            self.init(isSecret ? .findSecrets : .find, by: program, request.predicate)
        case .update(let request): self.init(.update, by: program, request.predicate)
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
            self.init(operation, by: program)
        case .check: self.init(AuditOperation.check, by: program)
        case .audit: self.init(AuditOperation.readLog, by: program)
        case .means, .hasCredential, .begin, .expect, .takeBack, .forget, .invalidate, .sit, .subscribe, .introduce,
            .choose, .make, .remove, .attend, .answer:
            return nil
        }
    }

    /// The items are those that the program names by what it kept of them; which others it touches is not known here.
    private init(_ operation: AuditOperation, by program: AuditedProgram, _ predicate: ItemPredicate) {
        self.init(operation, by: program, on: predicate.queriedClass, in: AuditedGroup(predicate.groups))
        guard case .items(let designations) = predicate.restriction else { return }
        items = designations.lazy.compactMap(AuditedItem.init).prefix(AuditEntry.mostItems).map(\.self)
    }

    /// Takes in what became of it, and the items that were touched in place of those that were asked for.
    mutating func take(_ reply: WireReply, _ deeds: [ItemDeed]) {
        switch reply {
        case .failure(let error):
            outcome = .failed(error.reason)
            count = nil
            // Nothing was touched; who asks for many and gets none must not fill the log with their names.
            items = Array(items.prefix(AuditEntry.mostRefused))
        case .found(let found): count = Int64(found.count)
        default: break
        }
        guard !deeds.isEmpty else { return }
        // One look may pass over a row twice.
        var seen: Set<PersistentID> = []
        let touched = deeds.filter { seen.insert($0.id).inserted }
        if count == nil { count = Int64(touched.count) }
        items = touched.prefix(AuditEntry.mostItems).map(AuditedItem.init)
    }

    /// Of more than these only the number is recorded: else one call could push everything before it out of the log.
    private static let mostItems = 64
    private static let mostRefused = 8
}

extension AuditedItem {
    fileprivate init(_ deed: ItemDeed) {
        self.init(deed.itemClass, deed.id, group: AccessGroup(deed.group).map { AuditedGroup($0) } ?? .unknown)
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
        }
    }

    /// nil of a question, and of work that changes nothing for anybody.
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
        case .standing, .reseal, .enclaveKeys, .settings: return nil
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
