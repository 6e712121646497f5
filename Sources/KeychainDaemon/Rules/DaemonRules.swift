// SPDX-License-Identifier: Apache-2.0

package import KeychainIdentity
package import KeychainModel
package import KeychainRequest
package import KeychainTransport

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
    /// Milliseconds for a greeting.
    package var greeting: Int32 = 5_000
    /// For a message that was begun, and for reading a reply.
    package var message = MessagePace(packet: 10_000, message: 30_000)
    package var reply = MessagePace(packet: 30_000, message: 60_000)
    /// Bytes of large messages that are here at a time: of all clients together eight of the largest, of one user two, so
    /// that the largest request may have the largest answer.
    package var largeMessages = 512 << 20
    package var largeMessagesOfUser = 128 << 20

    package init() {}
}

/// A program that is served: what it may, call by call, and how well it is known.
package struct AdmittedProgram: Sendable {
    package let level: IdentityLevel
    /// The path of the file it executes; nil when it could not be read.
    package let image: String?
    /// The unit whose program it is, where a file of root's names that.
    package let unit: String?
    /// Why it is known so well, and no better; for people.
    package let explanation: String
    /// Of the rules by which it was admitted.
    package let edition: UInt64
    package let caller: @Sendable () -> Caller
    /// Why no call of its is answered; nil for a program that is served.
    package let refusal: KeychainError?
    /// What of people's passwords and of the Secret Service's items it may claim as a tool of theirs: an unlisted program both,
    /// but for what a file reserves for another one.
    package let claimable: [AccessGroup]
    /// Of these, what a file reserves for another program, and which file; for people.
    let reservations: [AccessGroup: String]
    /// Whether it may claim to be a tool that synchronises, too: an unlisted program of a user's own daemon, which could read the
    /// files itself.
    package let mayClaimSynchronization: Bool
    /// Whether an entitlement file says that it may ask people for the system's daemon.
    package let answersQuestions: Bool

    package init(
        level: IdentityLevel, image: String?, unit: String? = nil, explanation: String, edition: UInt64,
        claimable: [AccessGroup] = [], reservations: [AccessGroup: String] = [:], mayClaimSynchronization: Bool = false,
        answersQuestions: Bool = false,
        refusal: KeychainError? = nil,
        caller: @escaping @Sendable () -> Caller
    ) {
        self.claimable = claimable
        self.reservations = reservations
        self.mayClaimSynchronization = mayClaimSynchronization
        self.refusal = refusal
        self.answersQuestions = answersQuestions
        self.level = level
        (self.image, self.unit) = (image, unit)
        self.explanation = explanation
        self.edition = edition
        self.caller = caller
    }

    /// As a tool that people see to their own passwords with, if it says that it is one and no file lists another: any
    /// program of the user's could call the tool, so being it gives no program anything more.
    func caller(claimingPasswords: Bool) -> Caller {
        var own = caller()
        if claimingPasswords {
            if mayClaimSynchronization { own.synchronizes = true }
            own.reservations = reservations
        }
        let claimed = claimingPasswords ? claimable : []
        // What a keychain keeps of its circle belongs to whoever synchronizes it.
        let circle = own.synchronizes && !own.groups.contains(.sync) ? [AccessGroup.sync] : []
        guard !claimed.isEmpty || !circle.isEmpty else { return own }
        // New items go to the first group, which is that of people's passwords where it may claim that.
        let (first, last) = (claimed.filter { $0 == .passwords }, claimed.filter { $0 != .passwords })
        var caller = Caller(
            groups: first + own.groups + last + circle, seesEveryGroup: own.seesEveryGroup,
            administersKeys: own.administersKeys, program: own.program)
        caller.synchronizes = own.synchronizes
        caller.lack = own.lack
        caller.lackOfAdministration = own.lackOfAdministration
        caller.reservations = own.reservations
        return caller
    }
}
