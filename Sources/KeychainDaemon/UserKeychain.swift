// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainConnection
package import KeychainModel
internal import Synchronization

/// One of a user's keychains, as the daemon has it.
package final class UserKeychain: Sendable {
    package let host: any KeychainHost
    /// Where it is.
    package let place: Place
    /// Where it is recorded who does what with it; nil for nowhere.
    package let audit: AuditLog?
    /// Those who want to be told of changes.
    let hub = ChangeHub()
    /// When it was last used, for those that lock by themselves.
    let use: KeychainUse
    private let giveBack: @Sendable () throws(KeychainError) -> Void
    private let dismissed = Atomic(false)

    /// `giveBack` gives it to whoever opens it.
    package init(
        _ host: any KeychainHost, at place: Place = .memory, audit: AuditLog?,
        giveBack: @escaping @Sendable () throws(KeychainError) -> Void = { () throws(KeychainError) in }
    ) {
        self.host = host
        self.place = place
        self.audit = audit
        self.giveBack = giveBack
        use = KeychainUse()
        follow()
    }

    /// Whether the daemon has it no more, though somebody may still have a connection for it.
    package var isDismissed: Bool { dismissed.load(ordering: .acquiring) }

    /// Gives the keychain back, and has no more to do with it.
    package func dismiss() throws(KeychainError) {
        guard dismissed.exchange(true, ordering: .acquiringAndReleasing) == false else { return }
        try? audit?.close()
        try giveBack()
    }
}
