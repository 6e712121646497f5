// SPDX-License-Identifier: Apache-2.0

/// What an administrator decides about programs, and where the evidence comes from.
package struct IdentityPolicy: Sendable {
    /// Whether a program that nobody listed is in the one open group; else it has no group.
    package let opensToUnlisted: Bool
    /// Whether an unlisted program may be in other namespaces than ours, as in a container; no file of theirs ever
    /// counts as an image.
    package let admitsOtherNamespaces: Bool
    /// Whose files are relied on.
    package let owners: TrustedOwners
    /// The text of a process's /proc/PID/cgroup.
    package let controlGroups: @Sendable (PeerProcess) -> String?

    package init(
        opensToUnlisted: Bool = true, admitsOtherNamespaces: Bool = false, owners: TrustedOwners = .root,
        controlGroups: @escaping @Sendable (PeerProcess) -> String? = { $0.text(of: "cgroup") }
    ) {
        self.opensToUnlisted = opensToUnlisted
        self.admitsOtherNamespaces = admitsOtherNamespaces
        self.owners = owners
        self.controlGroups = controlGroups
    }
}
