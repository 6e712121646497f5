// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
package import KeychainSync

/// Answers those who want to join without a person: what a sponsor does by itself, after a round.
package enum CircleDoor {
    /// What a look at the door came to.
    package struct Visit: Sendable {
        /// What to append, one after the other.
        ///
        /// What counts is the log's word: a request that comes twice, or late, or with a token that was taken back, is none.
        package var admissions: [LogAction] = []
        /// How many TPMs were asked to prove themselves, and will answer soon.
        package var challenges = 0
    }

    /// Answers who waits there.
    ///
    /// The box is read only while there are tokens that were not used, or TPMs that are allowed.
    package static func visit(
        for circle: LocalCircle, in session: any KeychainSession, on server: any CircleTransport, now: Double
    ) throws(CircleFailure) -> Visit {
        let log = circle.state.log
        // Whoever may write into the box can fill it: what belongs to no token that holds now costs one hash each time.
        let open = log.membership.invites.filter { Double($0.value.expiry) >= now }
        guard !open.isEmpty || !log.membership.allowances.isEmpty,
            let own = try CircleFailure.ofCircle({ () throws(CircleError) in
                log.membership.member(try circle.device.card.id())
            }), own.roles.isSponsor || own.roles.isOwner
        else { return Visit() }
        let mail = try CircleMail(joining: log.circle, on: server)
        let messages = try mail.newest()
        var visit = Visit()
        for message in messages {
            guard let action = try? JoinToken.admission(for: message.body, in: log),
                case .admit(let card, let ground) = action,
                // Who is a member already, or was removed, comes in by no token; the message stays in the box.
                let device = try? card.id(), log.membership.members[device] == nil,
                case .invite(let key, _) = ground, let id = try? Digest.sha256(of: key), open[id] != nil,
                !visit.admits(card, ground)
            else { continue }
            visit.admissions.append(action)
        }
        if !log.membership.allowances.isEmpty {
            var door = try ChipDoor(circle, session, mail)
            try door.answer(messages, &visit)
        }
        return visit
    }
}

extension CircleDoor.Visit {
    /// Whether somebody is let in already by whom, or by what, is one's only.
    fileprivate func admits(_ card: Card, _ ground: Ground) -> Bool {
        admissions.contains { action in
            guard case .admit(let other, let used) = action, other != card else { return true }
            switch (ground, used) {
            case (.invite(let key, _), .invite(let other, _)), (.allowed(let key), .allowed(let other)):
                return key == other
            default: return false
            }
        }
    }
}

/// Challenges machines whose TPM is allowed, and takes their proofs.
///
/// Nothing is remembered between two looks: the secret of a challenge is derived from a key that the keychain keeps, and the
/// challenge lies in the box.
private struct ChipDoor: ~Copyable {
    private let circle: LocalCircle
    private var mail: CircleMail
    private let key: SecretBytes

    init(_ circle: LocalCircle, _ session: any KeychainSession, _ mail: CircleMail) throws(CircleFailure) {
        key = try ChipDoor.key(CircleItems(session))
        (self.circle, self.mail) = (circle, mail)
    }

    private static func key(_ items: CircleItems) throws(CircleFailure) -> SecretBytes {
        let kept = try CircleFailure.ofKeychain { () throws(KeychainError) in try items.secret(itemName) }
        if let kept, kept.count == ChipSponsor.secretSize {
            return unsafe kept.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
        }
        let key = try CircleFailure.ofCircle { () throws(CircleError) in
            try CircleRandom.secret(ChipSponsor.secretSize)
        }
        let value = unsafe key.withUnsafeBytes { bytes in unsafe SecretValue(copying: bytes) }
        try CircleFailure.ofKeychain { () throws(KeychainError) in
            try items.keep(value, as: itemName, .afterFirstUnlock)
        }
        return key
    }

    mutating func answer(_ messages: [MailBody], _ visit: inout CircleDoor.Visit) throws(CircleFailure) {
        let log = circle.state.log
        // Each message is looked at once, however many there are of the others.
        let challenges = Dictionary(
            grouping: messages.compactMap { message -> (answered: [UInt8], body: [UInt8])? in
                guard let challenge = try? ChipChallenge(message.body), challenge.card == circle.device.card else {
                    return nil
                }
                return (challenge.answered, message.body)
            }, by: \.answered)
        let proofs = Dictionary(grouping: messages.compactMap { try? ChipProof($0.body) }, by: \.answered)
        var waiting: [(who: String, request: ChipRequest)] = []
        for message in messages {
            guard let request = try? ChipRequest(message.body), request.circle == log.circle,
                request.card.kind == .tpm, log.membership.allowances[request.endorsementKey] != nil,
                (try? request.card.id()).flatMap({ log.membership.members[$0] }) == nil
            else { continue }
            guard let made = challenges[request.digest] else {
                waiting.append((message.who, request))
                continue
            }
            for challenge in made {
                let secret = try secret(for: request)
                guard
                    let sponsor = try? ChipSponsor(
                        resuming: challenge.body, request, log: log, by: circle.device.card, secret: secret)
                else { continue }
                for proof in proofs[sponsor.digest] ?? [] {
                    guard let action = try? sponsor.take(proof), case .admit(let card, let ground) = action,
                        !visit.admits(card, ground)
                    else { continue }
                    visit.admissions.append(action)
                }
            }
        }
        for request in ChipDoor.chosen(waiting) {
            guard
                let sponsor = try? ChipSponsor(
                    request, log: log, by: circle.device, TPMVerifier(), secret: try secret(for: request))
            else { continue }
            try mail.post(sponsor.challenge)
            visit.challenges += 1
        }
    }

    /// Whom to challenge now, of each role in turn: whose requests are the most is not before others, and of one role's anyone may
    /// be next.
    private static func chosen(_ waiting: [(who: String, request: ChipRequest)]) -> [ChipRequest] {
        var byRole = Dictionary(grouping: waiting.shuffled(), by: \.who).values.map { $0.map(\.request)[...] }
            .shuffled()
        var chosen: [ChipRequest] = []
        while chosen.count < mostChallenges, !byRole.isEmpty {
            for index in byRole.indices where chosen.count < mostChallenges {
                // Anyone may put the same request there once more.
                guard let request = byRole[index].popFirst(), !chosen.contains(request) else { continue }
                chosen.append(request)
            }
            byRole.removeAll { $0.isEmpty }
        }
        return chosen
    }

    private func secret(for request: ChipRequest) throws(CircleFailure) -> SecretBytes {
        do throws(CryptoError) {
            return try unsafe SecretBytes(count: ChipSponsor.secretSize) { (output) throws(CryptoError) in
                try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                    try unsafe KeyDerivation.hkdf(
                        secret: key, salt: request.digest, info: Array("llavero chip challenge".utf8), into: output)
                }
            }
        } catch { throw .circle(.crypto(error)) }
    }

    private static let itemName = "door"
    /// Each is a message of ours for one of somebody else's: that is all that a flood of requests brings about.
    private static let mostChallenges = 8
}

/// Proves by its TPM that this machine is one that the circle allows: what it does by itself until it is admitted.
package enum CircleKnock {
    private static let itemName = "request"

    /// Makes the request, which is kept until the machine is a member.
    package static func begin(
        to circle: CircleID, as device: DeviceKeys, isRSA: Bool, in session: any KeychainSession
    ) throws(CircleFailure) {
        let applicant = try CircleFailure.ofJoining { () throws(JoiningError) in
            try ChipApplicant(to: circle, device, DeviceChip(of: device, isRSA: isRSA))
        }
        try CircleFailure.ofKeychain { () throws(KeychainError) in
            try CircleItems(session).keep(SecretValue(copying: applicant.request), as: itemName, .afterFirstUnlock)
        }
    }

    /// Asks where nobody has been asked, or answers a sponsor's challenge; false where there is nothing to do but to wait.
    ///
    /// Only members of the circle are answered: whoever may write into the box could else keep a TPM busy.
    package static func go(
        on circle: LocalCircle, in session: any KeychainSession, on server: any CircleTransport
    ) throws(CircleFailure) -> Bool {
        let kept = try CircleFailure.ofKeychain { () throws(KeychainError) in
            try CircleItems(session).secret(itemName)
        }
        guard let kept else { return false }
        let device = circle.device
        let applicant = try CircleFailure.ofJoining { () throws(JoiningError) in
            try ChipApplicant(resuming: unsafe kept.withUnsafeBytes { bytes in unsafe Array(bytes) }, device)
        }
        var mail = try CircleMail(joining: circle.state.log.circle, on: server)
        let messages = try mail.newest().map(\.body)
        guard messages.contains(applicant.request) else {
            try mail.post(applicant.request)
            return true
        }
        // Who is a member it says only when the entry has come that this machine was told of.
        guard circle.state.log.expected == nil else { return false }
        let answered = Set(messages.compactMap { try? ChipProof($0) }.filter { $0.card == device.card }.map(\.answered))
        let membership = circle.state.log.membership
        var sponsors: Set<DeviceID> = []
        var failure: CircleFailure?
        // The newest of each sponsor's: it forgets none, but may have been put back.
        for message in messages.reversed() {
            guard let (card, challenge) = try? applicant.challenger(message), let id = try? card.id(),
                let roles = membership.member(id)?.roles, roles.isSponsor || roles.isOwner,
                sponsors.insert(id).inserted, !answered.contains(challenge), sponsors.count <= mostSponsors
            else { continue }
            do throws(CircleFailure) {
                let proof = try CircleFailure.ofJoining { () throws(JoiningError) in
                    // Which endorsement key it is sealed to, its size says.
                    try applicant.take(challenge: message, DeviceChip(of: device, isRSA: false))
                }
                try mail.post(proof)
                return true
            } catch { failure = error }
        }
        if let failure { throw failure }
        return false
    }

    /// Forgets the request, and which token it was: the machine is a member.
    package static func end(in session: any KeychainSession) throws(CircleFailure) {
        try AskedToken.end(in: session)
        try CircleFailure.ofKeychain { () throws(KeychainError) in
            try CircleItems(session).remove(itemName)
        }
    }

    private static let mostSponsors = 16
}
