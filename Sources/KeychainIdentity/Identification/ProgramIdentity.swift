// SPDX-License-Identifier: Apache-2.0

/// Who a peer is taken for, what that grants it, and why.
package struct ProgramIdentity: Sendable, Equatable {
    package let level: IdentityLevel
    package let granted: GrantedEntitlements
    /// The entitlement file it was found in; nil for an unlisted program.
    package let file: String?
    /// One sentence for diagnostics and the audit log; no right hangs on it.
    package let explanation: String
}
