// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainCrypto
package import KeychainEngine
package import KeychainModel
package import KeychainRequest
internal import KeychainTransport

/// The keychain of this process, until a daemon takes it over; from then on the daemon's.
package final class HandoverHost: KeychainHost {
    package let embedded: EmbeddedHost
    /// Who has the keychain; nil where no daemon has a say.
    package let owner: KeychainOwner?
    /// The session of this program as it declares itself; nil where the engine of this process serves it, whatever happens.
    private let kept: HandoverSession?

    /// A keychain that is this process's for ever.
    init(_ embedded: EmbeddedHost) {
        self.embedded = embedded
        (owner, kept) = (nil, nil)
    }

    /// One that belongs to whom `owner` says.
    init(_ owner: KeychainOwner) {
        embedded = owner.embedded
        self.owner = owner
        kept = HandoverSession(owner)
    }

    package func session() throws(KeychainError) -> any KeychainSession {
        if let kept { return kept }
        return try embedded.session()
    }

    /// A session of this program under another identity than it declares, as tools have one for their user.
    ///
    /// It says so to the engine of this process; a daemon decides itself what a program may do.
    package func session(
        as change: @escaping @Sendable (Caller) -> Caller
    ) throws(KeychainError) -> any KeychainSession {
        if let owner { return HandoverSession(owner, as: change) }
        return try embedded.session(for: change(embedded.caller))
    }

    /// The folder of the keychain's files; nil in memory, and where a daemon has them.
    package var folder: String? { hasDaemon ? nil : embedded.folder }

    package func check(from start: CheckPosition?) throws(KeychainError) -> CheckedPart {
        try following { (host) throws(KeychainError) in try host.check(from: start) }
    }

    package func audit(_ query: AuditQuery) throws(KeychainError) -> AuditAnswer {
        try following { (host) throws(KeychainError) in try host.audit(query) }
    }

    /// The socket where a daemon would be; nil where none has a say.
    package var socket: String? { owner?.socket }

    /// Whether the daemon has the keychain, as far as it is known by now.
    package var hasDaemon: Bool { owner?.isDaemon ?? false }

    /// Whether the keychain is the system's daemon's, or nowhere.
    package var isWithSystemDaemon: Bool { owner?.isOnlyPlace ?? false }

    /// Does what a session has no part in with the owner that is known, and with the other one when that has the keychain.
    private func following<Result>(
        _ body: (any KeychainHost) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        guard let owner else { return try body(embedded) }
        do throws(KeychainError) { return try body(current(owner)) } catch {
            guard try owner.hasChanged(after: error) else { throw error }
            return try body(current(owner))
        }
    }

    private func current(_ owner: KeychainOwner) -> any KeychainHost { owner.isDaemon ? owner.daemon : embedded }

    /// Whether a daemon has the keychain that is gone: killed, or ended with the machine.
    package var isAbandoned: Bool { owner?.isAbandoned ?? false }

    /// Whether there is such a keychain; asking it anything else might make it.
    ///
    /// Of one that does not lie here a daemon says that: it may have it where this process cannot look.
    package var isThere: Bool {
        get throws(KeychainError) {
            guard let owner, owner.isDaemon else { return try embedded.place.exists }
            if !owner.isOnlyPlace, (try? embedded.place.exists) ?? false { return true }
            return try owner.daemon.isThere
        }
    }

    /// Why the keychain is not there, where it was, and something else moved or deleted it; nil where that is not so.
    package var disappearance: KeychainError? {
        guard let owner, owner.isOnlyPlace else { return (try? VanishedKeychain(at: embedded.place))?.error }
        guard let absence = try? owner.daemon.absence else { return nil }
        return absence.reason == .vanishedKeychain ? absence : nil
    }

    /// Removes the keychain, with everything in it; where a daemon answers the daemon does, so that no process opens it
    /// meanwhile.
    package func remove() throws(KeychainError) {
        let place = embedded.place
        let isOnlyPlace = owner?.isOnlyPlace ?? false
        if !isOnlyPlace {
            guard case .folder(let root, let name) = place, try KeychainFolder(root: root, name: name).holdsKeychain
            else {
                throw KeychainError(.noSuchKeychain, "there is no such keychain", subject: place.path)
            }
        }
        embedded.close()
        if let owner, owner.meetDaemon() || isOnlyPlace {
            try owner.daemon.remove(at: isOnlyPlace ? nil : place.canonical.path)
        } else {
            try KeychainRemoval.remove(place)
        }
    }

    /// Makes the keychain, which must not be there yet, with its first passcode, all or nothing; returns the recovery key if
    /// one was wanted.
    ///
    /// Without a kind it gets the enclave that its maker uses for new keychains.
    package func make(
        in enclave: EnclaveKind? = nil, makesRecoveryKey: Bool = false, passcode: Passcode? = nil
    ) throws(KeychainError) -> RecoveryKey? {
        if let owner, owner.isOnlyPlace {
            guard enclave == nil, !makesRecoveryKey else {
                throw KeychainError(
                    .notAvailable, "only the system's daemon can describe how its keychains are protected")
            }
            try owner.daemon.make(passcode)
            return nil
        }
        let vanished = try VanishedKeychain(at: embedded.place)
        let kind = if let enclave { enclave } else { try ProcessHost.enclaveForNew() }
        let recovery = try create(in: kind, makesRecoveryKey: makesRecoveryKey)
        guard let passcode else { return recovery }
        do throws(KeychainError) {
            _ = try session().perform(.setPasscode(passcode, erasingAfter: 0))
        } catch {
            try? remove()
            vanished?.missAgain()
            throw error
        }
        return recovery
    }

    /// How well the daemon knows this program, and why; nil while no daemon has the keychain.
    package func introduction() throws(KeychainError) -> [String]? {
        guard let owner, owner.isDaemon else { return nil }
        return try owner.daemon.introduction()
    }

    /// The names of the keychains that the system's daemon has for this user; nil where it has none for this user.
    package func namesWithSystem() throws(KeychainError) -> [String]? {
        guard let owner, owner.isOnlyPlace else { return nil }
        return try owner.daemon.names()
    }

    package func observe(
        _ observer: @escaping ChangeObservation.Observer
    ) throws(KeychainError) -> ChangeObservation {
        guard let owner else { return try embedded.observe(observer) }
        return try owner.daemon.observe(observer)
    }

    package func rest() { embedded.rest() }

    package func create(in enclave: EnclaveKind, makesRecoveryKey: Bool) throws(KeychainError) -> RecoveryKey? {
        // A daemon opens what is there, and makes none but its user's usual one.
        let isForDaemon = owner?.isOnlyPlace ?? false ? true : try embedded.place.exists
        if let owner, owner.isDaemon, isForDaemon {
            return try owner.daemon.create(in: enclave, makesRecoveryKey: makesRecoveryKey)
        }
        return try embedded.create(in: enclave, makesRecoveryKey: makesRecoveryKey)
    }
}

/// A keychain that its device key does not open, in a daemon or here.
extension HandoverHost {
    /// Why its device key does not open the keychain that lies here, also where a daemon has it; nil where it does, and where
    /// that cannot be told from here.
    package func deviceLoss() -> DeviceLoss? {
        // The engine of the other owner says that another process has it.
        for host in [embedded, DaemonHost.successor(at: embedded.place)] {
            guard let engine = try? host.holdsDatabase ? host.engine() : nil else { continue }
            if let loss = try? engine.deviceLoss() { return loss }
        }
        return nil
    }

    /// Opens it with the recovery key, and hangs it on a new enclave of this machine.
    ///
    /// A daemon does it that has the keychain open. One that cannot open it does not hold it either: then this process does it
    /// in the daemon's place, under its lock.
    package func recover(
        with seed: SecretValue, into kind: EnclaveKind, passcode: Passcode?
    ) throws(KeychainError) -> KeybagReply {
        let request = KeybagRequest.recover(seed, into: kind, passcode: passcode)
        guard try embedded.holdsDatabase, embedded.isFreeOfDaemons, deviceLoss() != nil else {
            return try session().perform(request)
        }
        return try DaemonHost.withLock(on: embedded.place) { () throws(KeychainError) in
            let host = embedded.isHandedOver ? DaemonHost.successor(at: embedded.place) : embedded
            return try host.engine().perform(request, from: embedded.caller)
        }
    }
}

extension KeychainOwner {
    /// What is done about a keychain whose daemon does not answer.
    package typealias Restart = @Sendable (KeychainOwner) throws(KeychainError) -> Void
}
