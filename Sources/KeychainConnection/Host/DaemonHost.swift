// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainEngine
package import KeychainModel

/// The keychain that a daemon has: taken over from the programs that opened it themselves, and given back to them.
package enum DaemonHost {
    /// The keychain at a place, taken over from now on; `authenticators` ask the people at the clients' terminals, and `work` is
    /// what all keychains of the daemon share.
    package static func takeOver(
        _ place: Place, _ authenticators: Authenticators, work: CostlyWork = .ofProcess, makesItself: Bool
    ) throws(KeychainError) -> EmbeddedHost {
        let host = owned(place, authenticators, work, makesItself: makesItself)
        do throws(KeychainError) {
            let engine = try host.engine()
            // The folder is there now; held as long as the daemon has it.
            host.lock = try lock(place)
            try engine.takeOver()
        } catch {
            // Its files would stay open: who cannot open a keychain may try again and again.
            host.end()
            throw error
        }
        return host
    }

    /// Lets programs open a keychain again that a daemon had, and has no more.
    package static func giveBack(_ place: Place) throws(KeychainError) {
        let engine = try owned(place, .none, .ofProcess, makesItself: true).engine()
        let lock = try lock(place)
        try engine.giveBack()
        withExtendedLifetime(lock) {}
    }

    /// The keychain as a daemon would have it that takes the place of one that is gone; nothing may be done with it but under
    /// the lock.
    static func successor(at place: Place) -> EmbeddedHost { owned(place, .none, .ofProcess, makesItself: false) }

    /// Does `body` while no daemon has the keychain, and none can take it over.
    static func withLock<Result>(
        on place: Place, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let lock = try lock(place)
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    private static func lock(_ place: Place) throws(KeychainError) -> FolderLock? {
        guard case .folder(let root, let name) = place else { return nil }
        return try FolderLock.daemon(KeychainFolder(root: root, name: name))
    }

    /// The keychain of the user the daemon runs for: where its surroundings say, or in `root`.
    package static func place(root: String?) throws(KeychainError) -> Place {
        if let root { return .folder(root: root, name: "login") }
        return try Place.named(by: .current())
    }

    private static func owned(
        _ place: Place, _ authenticators: Authenticators, _ work: CostlyWork, makesItself: Bool
    ) -> EmbeddedHost {
        EmbeddedHost(
            place: place, entitlements: .open, clock: ProcessHost.systemClock, passcodeCost: .standard,
            work: work, authenticators: authenticators, owner: KeychainEngine.daemon, makesItself: makesItself,
            tpm: ProcessHost.tpm, plan: ProcessHost.plan)
    }
}
