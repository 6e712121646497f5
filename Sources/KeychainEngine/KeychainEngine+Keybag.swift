// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthorization
internal import KeychainCrypto
package import KeychainModel
package import KeychainRequest
internal import KeychainStore

/// The keys and the enclave of the keychain: what can be told of them, and what can be done with them.
extension KeychainEngine {
    package func perform(_ request: KeybagRequest, from caller: Caller) throws(KeychainError) -> KeybagReply {
        let work = caller.work
        let authorized = try Authorization.authorize(request, from: caller)
        switch authorized.request {
        case .state: return .state(try state())
        case .lock: try lock()
        case .unlock(let passcode, _): try changes.unlock(with: passcode, work)
        case .verify(let passcode): try changes.verify(passcode, work)
        case .setPasscode(let passcode, let limit): try changes.setPasscode(passcode, eraseAfter: limit, work)
        case .changePasscode(let old, let new): try changes.changePasscode(from: old, to: new, work)
        case .removePasscode(let passcode): return .removed(try changes.removePasscode(passcode, work))
        case .abandonErasedPasscode: try changes.abandonErasedPasscode()
        case .makeRecoveryKey(let shown, let seed):
            let given = try seed.map { (seed) throws(KeychainError) in try RecoveryKey(typed: seed) }
            return .recoverySeed(SecretValue(of: try moves.makeRecoveryKey(shown, given, work)))
        case .removeRecoveryKey(let shown): try moves.removeRecoveryKey(shown, work)
        case .recover(let seed, let kind, let passcode):
            try moves.recover(with: try RecoveryKey(typed: seed), into: kind, passcode: passcode, work)
            // It is done, whatever comes of the counting.
            if let count = try? read({ (connection) throws(StoreError) in try connection.lostItems() }).count {
                return .removed(count)
            }
        case .rotateKeys(let shown): try changes.startGeneration(shown, work, keepsOld: false)
        case .reseal(let isSecondRound): return .resealed(try reseal(isSecondRound: isSecondRound))
        case .enclaveKeys:
            let keys = try read { (connection) throws(StoreError) in try connection.enclaveKeys() }
            return .references(keys.map { .item(.key, $0) })
        case .lostItems:
            return .references(try read { (connection) throws(StoreError) in try connection.lostItems() })
        case .move(let move, let shown):
            return .recoverySeed(try moves.move(move, shown, work).map(SecretValue.init(of:)))
        case .settings: return .settings(try home.settings())
        case .change(let settings): try home.keep(settings)
        case .compact:
            return .compacted(
                try write(usesReserve: true) { (connection) throws(StoreError) in try connection.compact() })
        case .backupSecrets: return .backup(try backupSecrets())
        case .holdView: return .view(try connections.holdView())
        case .letGoOfView(let view): connections.letGo(of: view)
        case .stamps(let itemClass, let row, let view):
            return .stamps(
                try read(in: view) { (connection) throws(StoreError) in
                    try connection.stamps(of: itemClass, behind: row)
                })
        case .unreached:
            return .unreached(
                try read { (connection) throws(StoreError) in try connection.items(outside: authorized.scope) })
        case .restore(let request):
            let moment = moment()
            let outcome = try changing(for: caller) { (connection) throws(StoreError) in
                try connection.restore(request, authorized.scope, at: moment)
            }
            let (outcomes, removed) = try outcome.withoutDemand()
            return .restored(outcomes, removed: removed)
        case .retain(let kept, let isRehearsal):
            let moment = moment()
            let outcome = try changing(for: caller, usesReserve: true) { (connection) throws(StoreError) in
                try connection.retain(Set(kept), authorized.scope, isRehearsal: isRehearsal, at: moment)
            }
            return .restored([], removed: try outcome.withoutDemand())
        case .acceptItems:
            try write { (connection) throws(StoreError) in try connection.acceptItems(at: surroundings.clock()) }
        case .history(let reference, let before):
            return .past(
                try read { (connection) throws(StoreError) in
                    try connection.history(of: reference, before: before, authorized.scope, at: surroundings.clock())
                })
        case .pastVersion(let number):
            return .past([
                try read { (connection) throws(StoreError) in
                    try connection.pastVersion(number, authorized.scope, at: surroundings.clock())
                }
            ])
        case .bringBack(let number):
            let moment = moment()
            _ = try changing(for: caller) { (connection) throws(StoreError) in
                try connection.bringBack(number, authorized.scope, at: moment)
            }.withoutDemand()
        case .sync(let request): return .sync(try sync(request, from: caller))
        case .forget(let reference):
            return .removed(
                try write(usesReserve: true) { (connection) throws(StoreError) in
                    try connection.forgetHistory(of: reference, authorized.scope)
                })
        }
        return .done
    }

    /// What the devices of a circle share; others are told of what came as of any change.
    private func sync(_ request: SyncRequest, from caller: Caller) throws(KeychainError) -> SyncReply {
        let authorized = try Authorization.authorize(request, from: caller)
        let moment = moment()
        switch request {
        case .state, .leaves, .waiting, .heads, .changes, .live, .voids, .tombstones:
            return try read { (connection) throws(StoreError) in try connection.sync(authorized, at: moment) }
        case .begin, .end, .markAll, .apply:
            return try changing(for: caller) { (connection) throws(StoreError) in
                try connection.sync(authorized, at: moment)
            }.withoutDemand()
        }
    }

    // MARK: Locking and unlocking

    /// Locks: when this returns no operation uses the keys of classes that need an unlocked device, and they are wiped.
    ///
    /// First that, and then a look whether there is a passcode at all: whatever fails here, the keys are gone.
    package func lock() throws(KeychainError) {
        demands.contexts.forgetPasscode()
        custody.lock()
        connections.refresh()
        connections.waitForReaders()
        guard try connections.keybag().keys.header.passcode != nil else {
            throw KeychainError(
                .notAvailable, "the keychain has no passcode, so it cannot be locked; set a passcode first")
        }
    }

    /// Lets go of every key, as the end of the program would.
    package func forgetKeys() {
        custody.forget()
        connections.drop()
        connections.waitForReaders()
    }

    /// Forwards to `KeybagChanges`, for users that have the engine itself.
    package func unlock(with passcode: Passcode, _ order: WorkOrder = .own) throws(KeychainError) {
        try changes.unlock(with: passcode, order)
    }

    /// Forwards to `KeybagChanges`, for users that have the engine itself.
    package func setPasscode(
        _ passcode: Passcode, eraseAfter: UInt32, _ order: WorkOrder = .own
    ) throws(KeychainError) {
        try changes.setPasscode(passcode, eraseAfter: eraseAfter, order)
    }

    // MARK: What can be told

    /// What `state()` says of the lock, which is a tenth of the work.
    package func lockState() throws(KeychainError) -> LockState { try connections.keybag().keys.lockState }

    package func state() throws(KeychainError) -> KeychainState {
        let keys = try connections.keybag().keys
        let stored = try connections.storedKeybag()
        let header = stored.keybag.header
        let enclave = try home.enclave(of: header).enclave
        var gate: GateState?
        if let passcode = header.passcode {
            gate = try header.explaining { () throws(EnclaveError) in
                try enclave.gates().first { $0.id == passcode.gate }
            }
        }
        // First, because it may meet damage.
        let lostChanges = try read { (connection) throws(StoreError) in try connection.lostChanges() }
        var state = KeychainState(
            lockState: keys.lockState, enclave: enclave.description(), eraseAfter: header.eraseAfterAttempts,
            attempts: KeychainState.Attempts(
                failures: gate?.failures ?? 0,
                wait: gate.map { AttemptDelay.remaining(of: $0, at: surroundings.clock()) } ?? 0,
                isErased: gate?.isErased ?? false),
            hasRecoveryKey: header.recovery != nil, generation: header.generation,
            isResealing: keys.hasEarlierGenerations, damagedClasses: keys.missingClasses, format: stored.row.format,
            isDamaged: examination.isDamaged())
        state.lostChanges = lostChanges
        return state
    }

    /// What can be told of a keychain whose device key does not open it, since its keybag's header is no secret; nil where the
    /// device key opens it, as far as that needs no passcode.
    package func deviceLoss() throws(KeychainError) -> DeviceLoss? {
        let stored = try connections.storedKeybag()
        let header = stored.keybag.header
        let cause: KeychainError
        do throws(KeychainError) {
            _ = try stored.opened(with: try home.enclave(of: header))
            return nil
        } catch { cause = error }
        return DeviceLoss(
            cause: cause, enclave: header.enclave, hindrance: hindrance(header), hadPasscode: header.passcode != nil,
            hasRecoveryKey: header.recovery != nil, generation: header.generation, format: stored.row.format)
    }

    /// Why the device key is not used that is there; nil where it is lost.
    private func hindrance(_ header: KeybagHeader) -> DeviceLoss.Hindrance? {
        do throws(EnclaveError) { _ = try home.placedEnclave(of: header) } catch {
            switch error {
            case .exposed: return .exposed
            case .unreadable(EACCES), .unreadable(EPERM): return .forbidden
            default: return nil
            }
        }
        return nil
    }

    /// The key of the log about this keychain: 32 bytes, the same in every lock state and for as long as it exists.
    package func auditKey() throws(KeychainError) -> SecretBytes {
        let keys = try connections.keybag().keys
        return try translating { () throws(CryptoError) in try keys.auditKey() }
    }

    /// Whether another engine would be the same that opens the keychain now: no key is open here that hangs on the passcode
    /// and opens anything while the keychain is locked, and no context of a program's has anything to remember.
    package func isAsOpenedAnew() throws(KeychainError) -> Bool {
        guard demands.contexts.areNone else { return false }
        switch try lockState() {
        case .noPasscode, .beforeFirstUnlock: return true
        case .unlocked: return false
        case .locked:
            return try !read { (connection) throws(StoreError) in try connection.hasItemsReadableAfterFirstUnlock() }
        }
    }

    /// What a backup is made with: all secrets hang on the device, so no other one has them.
    private func backupSecrets() throws(KeychainError) -> BackupSecrets {
        let stored = try connections.storedKeybag()
        let header = stored.keybag.header
        let device = try home.enclave(of: header)
        func derived(_ info: String) throws(KeychainError) -> SecretValue {
            try translating { () throws(CryptoError) in
                try unsafe SecretValue(count: 32) { (output) throws(CryptoError) in
                    try unsafe device.root.key.withUnsafeBytes { (root) throws(CryptoError) in
                        try unsafe KeyDerivation.hkdf(
                            secret: root, salt: header.keychain.bytes, info: Array(info.utf8), into: output)
                    }
                }
            }
        }
        let keys = try connections.keybag().keys
        let snapshot = try translating { () throws(CryptoError) in
            let key = try keys.snapshotKey(device.root.key)
            guard let key else { return SecretValue?.none }
            return unsafe key.withUnsafeBytes { unsafe SecretValue(copying: $0) }
        }
        return BackupSecrets(
            keychain: header.keychain, signer: try derived("llavero backup signer"),
            device: try derived("llavero backup device"), snapshot: snapshot, recovery: header.recovery?.bytes,
            commits: try read { (connection) throws(StoreError) in try connection.commits() })
    }

    // MARK: Who has it

    /// The owner's name in the database, when a daemon has the keychain; without one, programs open it themselves.
    package static let daemon = "llaverod"

    /// Takes the keychain over for the owner this engine works for; every other process finds out at its next call.
    package func takeOver() throws(KeychainError) { try changes.setOwner(from: "", to: surroundings.owner) }

    /// Gives the keychain back to the programs that open it.
    package func giveBack() throws(KeychainError) { try changes.setOwner(from: surroundings.owner, to: "") }

    /// Whether another owner has the keychain.
    package var isHandedOver: Bool {
        get throws(KeychainError) {
            do throws(KeychainError) { _ = try connections.storedKeybag() } catch {
                guard error.reason == .handedOver else { throw error }
                return true
            }
            return false
        }
    }

    // MARK: Resealing

    /// Seals some items again that are sealed under earlier generations; with the last one, gives up the keys that nothing
    /// needs any more.
    ///
    /// The next call goes on from there. A round that was begun while something was locked may leave items behind, and is
    /// made once more from the beginning.
    private func reseal(isSecondRound: Bool) throws(KeychainError) -> ResealingProgress {
        guard try connections.keybag().keys.hasEarlierGenerations else {
            return ResealingProgress(examined: 0, total: 0, end: .ofAll)
        }
        let total = try read { (connection) throws(StoreError) in try connection.rowCount() }
        let step = try write { (connection) throws(StoreError) in try connection.reseal(atMost: 256) }
        var end = ResealingProgress.End.notYet
        if step.isAtEnd {
            try changes.retireKeys()
            let isLeft = try connections.keybag().keys.hasEarlierGenerations
            end = isLeft && !isSecondRound ? .ofRound : .ofAll
            if end == .ofRound { try write { (connection) throws(StoreError) in try connection.restartResealing() } }
        }
        return ResealingProgress(examined: step.examined, total: total, end: end)
    }
}

/// Why the device key of a keychain does not open it, and what there was.
package struct DeviceLoss: Sendable {
    package let cause: KeychainError
    package let enclave: EnclaveKind
    /// It is not lost: it is there, and not used; nil where it is.
    package let hindrance: Hindrance?
    package let hadPasscode: Bool
    package let hasRecoveryKey: Bool
    package let generation: UInt32
    package let format: Int64

    package enum Hindrance: Sendable {
        /// Others could read or replace it.
        case exposed
        /// This user may not read it.
        case forbidden
    }
}

extension SecretValue {
    fileprivate convenience init(of key: RecoveryKey) { self.init(copying: key.seed) }
}

extension RecoveryKey {
    fileprivate convenience init(typed seed: SecretValue) throws(KeychainError) {
        guard seed.count == RecoveryKey.seedSize else {
            throw KeychainError(.parameter, "a recovery key has fourteen words")
        }
        do throws(CryptoError) {
            try self.init(seed: unsafe seed.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) })
        } catch { throw KeychainError(error) }
    }
}
