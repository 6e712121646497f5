// SPDX-License-Identifier: Apache-2.0

/// What an administrator decides about programs, and where the evidence comes from.
package struct IdentityPolicy: Sendable {
    /// Whether a program that nobody listed is in the one open group; else it has no group.
    package let opensToUnlisted: Bool
    /// Whether the rules only keep order among programs whose user has all that is here anyway, as with the user's own
    /// daemon.
    ///
    /// Then an unlisted program may be in other namespaces than ours, as in a container, or in some that we cannot see, though
    /// no file of theirs ever counts as an image; and a group is believed of a program whose file we cannot see.
    package let guardsNothing: Bool
    /// Whose files are relied on.
    package let owners: TrustedOwners
    /// The text of a process's /proc/PID/cgroup.
    package let controlGroups: @Sendable (PeerProcess) -> String?
    /// Why other programs of its user can steer a service's process; nil when they cannot.
    package let tracing: @Sendable (PeerProcess) -> String?
    /// Who is in which group of the system.
    package let groups: GroupDirectory

    package init(
        opensToUnlisted: Bool = true, guardsNothing: Bool = false, owners: TrustedOwners = .root,
        groups: GroupDirectory = .system,
        controlGroups: @escaping @Sendable (PeerProcess) -> String? = { $0.text(of: "cgroup") },
        tracing: @escaping @Sendable (PeerProcess) -> String? = { TracingProtection.gap(of: $0) }
    ) {
        self.opensToUnlisted = opensToUnlisted
        self.guardsNothing = guardsNothing
        self.owners = owners
        self.groups = groups
        self.controlGroups = controlGroups
        self.tracing = tracing
    }

    /// Whether a peer that was known at this level still is: a service's process may be traced since.
    package func stillHolds(_ level: IdentityLevel, for peer: Peer) -> Bool {
        level != .unit || tracing(peer.process) == nil
    }
}
