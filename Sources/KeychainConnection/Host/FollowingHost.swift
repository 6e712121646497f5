// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
internal import KeychainClient
package import KeychainCrypto
internal import KeychainEnclave
package import KeychainModel
package import KeychainRequest
internal import Synchronization

/// The keychain of this process, until a daemon takes it over; from then on the daemon's.
package final class FollowingHost: KeychainHost {
    package let embedded: EmbeddedHost
    /// Where a daemon would be; nil where none has a say.
    private let daemon: SocketHost?
    private let isServed: Atomic<Bool>
    /// Whether nobody else has the keychain: then this process makes none of its own.
    private let isOnlyPlace: Bool

    /// Goes to the daemon at once if it `isServed`.
    package init(_ embedded: EmbeddedHost, _ daemon: SocketHost?, isServed: Bool, isOnlyPlace: Bool = false) {
        self.isOnlyPlace = isOnlyPlace
        self.embedded = embedded
        self.daemon = daemon
        self.isServed = Atomic(isServed && daemon != nil)
    }

    package func connection() throws(KeychainError) -> KeychainConnection {
        guard let daemon else { return try embedded.connection() }
        if isServed.load(ordering: .relaxed) { return try daemon.connection() }
        do throws(KeychainError) {
            let own = try embedded.connection()
            let service = FollowingService(own, try daemon.connection()) { [self] in
                isServed.store(true, ordering: .relaxed)
            }
            return KeychainConnection(
                service: service, caller: own.caller, authentication: service, keybag: service)
        } catch {
            guard error.reason == .handedOver else { throw error }
            isServed.store(true, ordering: .relaxed)
            return try daemon.connection()
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
        if isServed.load(ordering: .relaxed) { return try body(daemon) }
        do throws(KeychainError) { return try body(embedded) } catch {
            guard error.reason == .handedOver else { throw error }
            isServed.store(true, ordering: .relaxed)
            return try body(daemon)
        }
    }

    /// Removes the keychain, with everything in it.
    package func remove() throws(KeychainError) {
        guard !isOnlyPlace else {
            throw KeychainError(.notAvailable, "the system's daemon removes no keychains")
        }
        guard case .folder(let root, let name) = embedded.place, KeychainFolder(root: root, name: name).holdsKeychain
        else { throw KeychainError(.noSuchKeychain, "there is no such keychain", subject: embedded.place.path) }
        if let daemon, meetDaemon() {
            let path = try daemon.service.dismiss()
            guard path == embedded.place.canonical.path else {
                throw KeychainError(
                    .notAvailable, "the daemon's keychain of that name lies elsewhere; nothing was removed",
                    subject: path)
            }
        }
        embedded.close()
        try KeychainRemoval.remove(embedded.place)
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
        if isServed.load(ordering: .relaxed), let daemon, isOnlyPlace || embedded.place.exists {
            return try daemon.create(in: enclave, makesRecoveryKey: makesRecoveryKey)
        }
        return try embedded.create(in: enclave, makesRecoveryKey: makesRecoveryKey)
    }
}
