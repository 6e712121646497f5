// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainConnection

/// One user's keychain, as the daemon has it.
package final class UserKeychain: Sendable {
    package let host: any KeychainHost
    /// Where it is recorded who does what with it; nil for nowhere.
    package let audit: AuditLog?
    /// Those who want to be told of changes.
    let hub = ChangeHub()

    package init(_ host: any KeychainHost, audit: AuditLog?) {
        self.host = host
        self.audit = audit
    }
}
