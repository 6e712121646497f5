// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
internal import KeychainClient
package import KeychainCrypto
internal import KeychainEnclave
package import KeychainModel
package import KeychainRequest
internal import Synchronization

/// The keychain of this process, until a daemon takes it over; from then on the daemon's.
package final class HandoverHost: KeychainHost {
    package let embedded: EmbeddedHost
    /// Where a daemon would be; nil where none has a say.
    private let daemon: SocketHost?
    private let isServed: Atomic<Bool>
    /// Whether nobody else has the keychain: then this process makes none of its own.
    private let isOnlyPlace: Bool
    private let reviving: Reviving?

    /// What is done about a keychain that a daemon has which does not answer.
    package typealias Reviving = @Sendable (HandoverHost) throws(KeychainError) -> Void

    /// Goes to the daemon at once if it `isServed`.
    package init(
        _ embedded: EmbeddedHost, _ daemon: SocketHost?, isServed: Bool, isOnlyPlace: Bool = false,
        reviving: Reviving? = nil
    ) {
        self.isOnlyPlace = isOnlyPlace
        self.reviving = reviving
        self.embedded = embedded
        self.daemon = daemon
        self.isServed = Atomic(isServed && daemon != nil)
    }

    package func connection() throws(KeychainError) -> KeychainConnection {
        guard let daemon else { return try embedded.connection() }
        do throws(KeychainError) {
            let first = try isServed.load(ordering: .relaxed) ? daemon.connection() : embedded.connection()
            let service = HandoverService(first) { [self] (error) throws(KeychainError) in
                try next(after: error, daemon)?.connection()
            }
            return KeychainConnection(
                service: service, caller: first.caller, authentication: service, keybag: service)
        } catch {
            guard let host = try next(after: error, daemon) else { throw error }
            return try host.connection()
        }
    }

    /// The folder of the keychain's files; nil in memory, and where a daemon has them.
    package var folder: String? { isServed.load(ordering: .relaxed) ? nil : embedded.folder }

    package func check(from start: CheckPosition?) throws(KeychainError) -> CheckedPart {
        try following { (host) throws(KeychainError) in try host.check(from: start) }
    }

    package func audit(_ query: AuditQuery) throws(KeychainError) -> AuditAnswer {
        try following { (host) throws(KeychainError) in try host.audit(query) }
    }

    /// The socket where a daemon would be; nil where none has a say.
    package var socket: String? { daemon?.service.path }

    /// Whether the daemon has the keychain, as far as it is known by now.
    package var hasDaemon: Bool { isServed.load(ordering: .relaxed) }

    /// Goes to the daemon from now on, if it answers by now.
    package func meetDaemon() -> Bool {
        guard let daemon, daemon.service.isReachable else { return false }
        isServed.store(true, ordering: .relaxed)
        return true
    }

    private func following<Result>(
        _ body: (any KeychainHost) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        guard let daemon else { return try body(embedded) }
        do throws(KeychainError) {
            return try isServed.load(ordering: .relaxed) ? body(daemon) : body(embedded)
        } catch {
            guard let host = try next(after: error, daemon) else { throw error }
            return try body(host)
        }
    }

    /// Who has the keychain by now, if that is why a call failed; nil when it is not.
    private func next(
        after error: KeychainError, _ daemon: SocketHost
    ) throws(KeychainError) -> (any KeychainHost)? {
        switch error.reason {
        case .handedOver:
            // Nothing was asked of a daemon that does not answer yet.
            if let reviving, !daemon.service.isReachable { try reviving(self) }
            isServed.store(true, ordering: .relaxed)
            return daemon
        case .noDaemon where !isOnlyPlace && isGivenBack:
            isServed.store(false, ordering: .relaxed)
            return embedded
        default: return nil
        }
    }

    /// Whether a keychain lies there that is no daemon's, as one that has ended leaves it.
    private var isGivenBack: Bool {
        guard let holdsDatabase = try? embedded.holdsDatabase, holdsDatabase else { return false }
        return embedded.isFreeOfDaemons && !embedded.isHandedOver
    }

    /// Whether a daemon has the keychain that is gone: killed, or ended with the machine.
    ///
    /// Nobody answers where it would be, and nobody holds its lock, as every daemon does as long as it runs.
    package var isAbandoned: Bool {
        guard let daemon, !daemon.service.isReachable else { return false }
        return embedded.isHandedOver && embedded.isFreeOfDaemons
    }

    /// Whether there is such a keychain; asking it anything else might make it.
    ///
    /// Of one that does not lie here a daemon says that: it may have it where this process cannot look.
    package var isThere: Bool {
        get throws(KeychainError) {
            guard hasDaemon, let daemon else { return try embedded.place.exists }
            if !isOnlyPlace, (try? embedded.place.exists) ?? false { return true }
            return try daemon.service.isThere
        }
    }

    /// Removes the keychain, with everything in it; where a daemon answers the daemon does, so that nobody opens it
    /// meanwhile.
    package func remove() throws(KeychainError) {
        let place = embedded.place
        if !isOnlyPlace {
            guard case .folder(let root, let name) = place, try KeychainFolder(root: root, name: name).holdsKeychain
            else {
                throw KeychainError(.noSuchKeychain, "there is no such keychain", subject: place.path)
            }
        }
        embedded.close()
        if let daemon, meetDaemon() || isOnlyPlace {
            try daemon.service.remove(at: isOnlyPlace ? nil : place.canonical.path)
        } else {
            try KeychainRemoval.remove(place)
        }
    }

    /// Makes the keychain, which must not be there yet, with its first passcode, all or nothing; returns the recovery key if
    /// one was wanted.
    ///
    /// Without a kind it is guarded by what whoever makes it makes keychains with.
    package func make(
        in enclave: EnclaveKind? = nil, makesRecoveryKey: Bool = false, passcode: Passcode? = nil
    ) throws(KeychainError) -> RecoveryKey? {
        if isOnlyPlace, let daemon {
            guard enclave == nil, !makesRecoveryKey else {
                throw KeychainError(.notAvailable, "the system's daemon says itself what guards its keychains")
            }
            try daemon.service.make(passcode)
            return nil
        }
        let kind = if let enclave { enclave } else { try ProcessHost.enclaveForNew() }
        let recovery = try create(in: kind, makesRecoveryKey: makesRecoveryKey)
        guard let passcode else { return recovery }
        do throws(KeychainError) {
            let keychain = try connection()
            _ = try keychain.keybag.perform(.setPasscode(passcode, erasingAfter: 0), from: keychain.caller)
        } catch {
            try? remove()
            throw error
        }
        return recovery
    }

    /// How well the daemon knows this program, and why; nil while no daemon has the keychain.
    package func introduction() throws(KeychainError) -> [String]? {
        guard let daemon, isServed.load(ordering: .relaxed) else { return nil }
        return try daemon.service.introduction()
    }

    package func observe(
        _ observer: @escaping ChangeObservation.Observer
    ) throws(KeychainError) -> ChangeObservation {
        guard let daemon else { return try embedded.observe(observer) }
        return try daemon.observe(observer)
    }

    package func rest() { embedded.rest() }

    package func create(in enclave: EnclaveKind, makesRecoveryKey: Bool) throws(KeychainError) -> RecoveryKey? {
        // A daemon opens what is there, and makes none but its user's usual one.
        let isForDaemon = isOnlyPlace ? true : try embedded.place.exists
        if isServed.load(ordering: .relaxed), let daemon, isForDaemon {
            return try daemon.create(in: enclave, makesRecoveryKey: makesRecoveryKey)
        }
        return try embedded.create(in: enclave, makesRecoveryKey: makesRecoveryKey)
    }
}
