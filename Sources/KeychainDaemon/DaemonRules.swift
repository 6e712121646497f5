// SPDX-License-Identifier: Apache-2.0

package import KeychainIdentity

/// What a daemon allows, and to whom.
package struct DaemonRules: Sendable {
    package var limits: DaemonLimits
    /// Who asks people for the system's daemon; nil in a user's own, which asks where its programs say they are.
    package let agents: PromptAgents?
    /// Whether programs may forbid our looking at them at any time.
    package let mayHide: Bool
    /// Which edition of the rules holds now: programs that were admitted by an earlier one are looked at again.
    package let edition: @Sendable () -> UInt64
    /// Says of a program that has answered the handshake what it may; nil when it is not served at all.
    package let admit: @Sendable (Peer) -> AdmittedProgram?
    /// Whether a program is still known as well as when it was admitted, as far as that can change while it runs.
    package let isStillKnown: @Sendable (Peer, AdmittedProgram) -> Bool

    package init(
        limits: DaemonLimits = DaemonLimits(), agents: PromptAgents? = nil, mayHide: Bool = false,
        edition: @escaping @Sendable () -> UInt64,
        isStillKnown: @escaping @Sendable (Peer, AdmittedProgram) -> Bool = { _, _ in true },
        admit: @escaping @Sendable (Peer) -> AdmittedProgram?
    ) {
        self.limits = limits
        self.agents = agents
        self.mayHide = mayHide
        self.edition = edition
        self.isStillKnown = isStillKnown
        self.admit = admit
    }
}

/// How much one client may take from the others.
package struct DaemonLimits: Sendable {
    package var clients = 512
    package var clientsOfUser = 256
    /// Of one process; a program that calls on more threads at once gets refusals.
    package var clientsOfProcess = 128
    /// Milliseconds for a greeting, for the rest of a message that was begun, and for reading a reply.
    package var greeting: Int32 = 5_000
    package var message: Int32 = 10_000
    package var reply: Int32 = 30_000
    /// Bytes of large messages that are here at a time, of all clients together: four of the largest.
    package var largeMessages = 256 << 20

    package init() {}
}
