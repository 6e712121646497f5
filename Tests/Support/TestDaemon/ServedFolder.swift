// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainAudit
package import KeychainConnection
package import KeychainDaemon
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest
package import KeychainTransport

/// A folder of keychains that a daemon on threads of this process has, with a clock that a test moves.
package final class ServedFolder: Sendable {
    package let root: String
    package let keychains: UserKeychains
    package let clock = SimulatedClock()
    private let daemon: ServedDaemon?

    /// Opens keychains in `root` as `llaverod` does; with `givesBack`, as the one does that a tool starts.
    ///
    /// Where it is not `isServed`, nobody but the test comes.
    package init(
        _ root: String, givesBack: Bool = false, isServed: Bool = true, quota: KeychainQuota? = nil
    ) throws {
        self.root = root
        clock.set(1000)
        let uptime: UptimeClock = { [clock] in UInt64(clock.now) }
        keychains = UserKeychains(quota: quota) { (_, address) throws(KeychainError) in
            try Place(address, beside: .folder(root: root, name: "login"))
        } _: { (_, place, makesIt) throws(KeychainError) in
            let host = try DaemonHost.takeOver(place, .none, makesItself: makesIt)
            do throws(KeychainError) {
                return UserKeychain(
                    host, audit: try ServedFolder.log(of: host), isGivenBack: givesBack, clock: uptime)
            } catch {
                host.end()
                throw error
            }
        }
        daemon =
            !isServed
            ? nil
            : try ServedDaemon(keychains) {
                Caller(groups: [.open], seesEveryGroup: false, administersKeys: true, program: nil)
            }
    }

    /// Ends as a daemon does; what it had is closed.
    package func end() { for (_, keychain) in keychains.opened { keychain.end() } }

    private static func log(of host: EmbeddedHost) throws(KeychainError) -> AuditLog? {
        guard let folder = host.folder else { return nil }
        let secret = try host.engine().auditKey()
        do throws(AuditError) {
            let log = AuditLog(
                folder: folder + "/audit", key: try AuditKey(secret), policy: .required,
                clock: ProcessHost.systemClock)
            try log.open()
            try log.record(AuditEntry(.start, by: nil))
            return log
        } catch { throw KeychainError(.notAvailable, "the test's log cannot be written", code: error.number) }
    }

    package func place(_ name: String) -> Place { Place.folder(root: root, name: name).canonical }

    /// A client of the keychain with this name, which nobody makes by looking for it.
    package func client(_ name: String) throws -> SocketSession {
        guard let daemon else { throw KeychainError(.notAvailable, "nobody is served") }
        return daemon.client(KeychainChoice(.named(name), claimsPasswords: false, makesIt: false))
    }

    /// The names of the keychains that the daemon has open.
    package var open: [String] {
        keychains.opened.compactMap { $0.keychain.place.path?.split(separator: "/").last.map(String.init) }.sorted()
    }

    /// So much time goes by, and the daemon sees to its keychains; seconds until it wants to again.
    @discardableResult
    package func pass(seconds: UInt64) -> UInt32? {
        clock.advance(by: Double(seconds))
        // One means that the daemon's own timer has to do with a keychain just now.
        var next = keychains.attend()
        while next == 1 { next = keychains.attend() }
        return next
    }

    /// How many files below the folder of a keychain this process has open.
    package func files(of name: String) -> Int {
        let folder = (place(name).path ?? "") + "/"
        let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return links.count { link in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(link)"))?.hasPrefix(folder)
                ?? false
        }
    }
}
