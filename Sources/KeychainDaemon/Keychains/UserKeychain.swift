// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainConnection
internal import KeychainEngine
internal import KeychainModel

/// One of a user's keychains, as the daemon has it.
package final class UserKeychain: Sendable {
    package let host: EmbeddedHost
    /// Where it is recorded who does what with it; nil for nowhere.
    package let audit: AuditLog?
    /// Those who want to be told of changes.
    let hub = ChangeHub()
    /// When it was last used, for those that lock by themselves.
    let use: KeychainUse
    let presence: KeychainPresence
    private let isGivenBack: Bool

    /// With `isGivenBack` whoever opens it has it when the daemon has it no more.
    package init(
        _ host: EmbeddedHost, audit: AuditLog?, isGivenBack: Bool = false,
        clock: @escaping UptimeClock = systemUptime
    ) {
        self.host = host
        self.audit = audit
        self.isGivenBack = isGivenBack
        use = KeychainUse(clock)
        presence = KeychainPresence(clock)
        follow()
    }

    /// Where it is.
    package var place: Place { host.place }

    /// Has no more to do with it from now on: its keys are forgotten, and its files and its log closed.
    package func end() { if presence.end() { letGo() } }

    /// The same where nobody would notice: opened again it is as it is now, with no key that the passcode opened and nothing
    /// that anybody has shown, and nobody is there.
    func endIfNobodyNeedsIt() {
        let uses = presence.uses
        let isAsNew = (try? presence.look { () throws(KeychainError) in try host.isAsOpenedAnew() }) ?? false
        guard isAsNew else { return presence.leaveAlone(after: uses) }
        if presence.end(ifUnusedAfter: uses) { letGo() }
    }

    private func letGo() {
        try? audit?.record(AuditEntry(.stop, by: nil))
        try? audit?.close()
        if isGivenBack { try? host.engine().giveBack() }
        host.end()
    }
}
