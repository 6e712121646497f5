// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync

/// What a circle's server gives of its log, and what lies in its boxes.
internal enum LogFuzzing {
    /// The body behind those of a circle, as it is and as what an owner signed; a snapshot, and the state that a device keeps.
    static func feedLog(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        var wasRead = false
        if let state = try? CircleLog(decoding: bytes) {
            wasRead = true
            try promise((try? state.encoded()) == bytes, "a log that is read is written as the same bytes")
        }
        if let snapshot = try? LogSnapshot(decoding: bytes) {
            wasRead = true
            try promise((try? snapshot.membership.digest()) != nil, "what was read has a hash")
        }
        guard let circle = CircleFixture.shared else { throw BrokenPromise("there is a circle to try it with") }
        try take(bytes, in: circle)
        if let signed = try? SignedBody(bytes, by: circle.owner).encoded() { try take(signed, in: circle) }
        return wasRead || (try? SignedBody(decoding: bytes)) != nil ? .accepted : .refused
    }

    /// As the body behind those of a circle.
    private static func take(_ body: [UInt8], in circle: CircleFixture) throws(BrokenPromise) {
        var log = circle.log
        let body = ChainBody(number: log.next, body: body)
        guard let events = try? log.take([body]) else { throw BrokenPromise("every body is something") }
        switch events.first {
        case .accepted(let entry)?:
            try promise(log.tip.number == entry.number && log.last == entry.number, "what counts is the tip")
            try promise((try? log.membership.digest()) == entry.state, "an entry says what it leads to")
            guard let written = try? log.encoded() else { throw BrokenPromise("a log can be kept") }
            try promise((try? CircleLog(decoding: written)) == log, "a log is read as it was kept")
        case .junk?:
            try promise(log.tip == circle.log.tip && log.membership == circle.log.membership, "junk changes nothing")
            try promise(log.last == circle.log.last + 1, "junk takes its number")
        case .fork?, .later?: try promise(log == circle.log, "nothing is read behind an alarm")
        case nil: throw BrokenPromise("the next body is read")
        }
    }

    /// Codes and tokens that people paste, and messages of the box.
    static func feedJoining(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        var wasRead = false
        let text = String(decoding: bytes, as: UTF8.self)
        for kind in JoinCode.Kind.allCases {
            guard let code = JoinCode(kind, pasted: text) else { continue }
            wasRead = true
            guard let written = code.text else { throw BrokenPromise("a code can be written") }
            try promise(JoinCode(kind, pasted: written) == code, "a code is read as it was written")
        }
        if let written = try? token(bytes)?.text() {
            wasRead = true
            guard let again = try? token(written.array)?.text() else { throw BrokenPromise("a token is read again") }
            try promise(again.array == written.array, "a token is read as it was written")
        }
        guard let circle = CircleFixture.shared else { throw BrokenPromise("there is a circle to try it with") }
        if let admission = try? JoinToken.admission(for: bytes, in: circle.log) {
            wasRead = true
            if let body = try? circle.log.body(admission, by: circle.owner, now: 1) {
                var log = circle.log
                guard case .accepted? = try? log.take([body]).first else { throw BrokenPromise("what was made counts") }
            }
        }
        var sponsor = ComparedSponsor()
        if let answer = try? sponsor.take(
            offer: bytes, log: circle.log, heads: [], by: circle.owner, randomness: CircleFixture.chance)
        {
            wasRead = true
            try promise(sponsor.isOpen, "an answer opens an attempt")
            try promise((try? sponsor.take(reveal: answer)) == nil, "an answer is no reveal")
        }
        if var applicant = circle.applicant, (try? applicant.take(answer: bytes)) != nil { wasRead = true }
        return wasRead ? .accepted : .refused
    }

    private static func token(_ bytes: [UInt8]) throws -> JoinToken? {
        let text = SecretBytes(bytes)
        return try text.withUnsafeBytes { (text) throws(JoiningError) in try JoinToken(pasted: text) }
    }

    /// Bodies, contents, and what is kept of them; the last is the next entry.
    static func logs() throws -> [[UInt8]] {
        guard let circle = CircleFixture.shared, let snapshot = circle.snapshot else { throw Seeds.Missing() }
        let next = try circle.log.body(.moved(sealedAddress: [1]), by: circle.owner, now: 1)
        let contents = try (circle.bodies + [next]).map { try SignedBody(decoding: $0.body).content }
        return try circle.bodies.map(\.body) + contents + [circle.log.encoded(), snapshot, next.body]
    }

    static func joinings() throws -> [[UInt8]] {
        guard let circle = CircleFixture.shared, let applicant = circle.applicant, let device = FuzzDevice.two else {
            throw Seeds.Missing()
        }
        var sponsor = ComparedSponsor()
        let answer = try sponsor.take(
            offer: applicant.offer, log: circle.log, heads: [], by: circle.owner, randomness: CircleFixture.chance)
        var joining = applicant
        let reveal = try joining.take(answer: answer).reveal
        let pasted = try PastedApplicant(to: circle.log.circle, device)
        guard let code = pasted.code.text else { throw Seeds.Missing() }
        let token = try JoinToken(
            circle: circle.log.circle, tip: circle.log.tip, secret: CircleFixture.secret())
        return try [
            applicant.offer, answer, reveal, pasted.request, Array(code.utf8), token.text().array,
            token.request(by: device),
        ]
    }
}

/// A circle whose keys anyone can compute, and a device that wants to join.
private struct CircleFixture: Sendable {
    let owner: FuzzDevice
    private(set) var log: CircleLog
    private(set) var bodies: [ChainBody]
    /// Of the log as it is.
    private(set) var snapshot: [UInt8]?
    let applicant: ComparedApplicant<FuzzDevice>?

    static let shared = try? CircleFixture()

    static func chance(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }
    static func secret() -> SecretBytes { SecretBytes([UInt8](1...16)) }

    private init() throws {
        guard let owner = FuzzDevice.one, let device = FuzzDevice.two, let view = FuzzDevice.view else {
            throw Seeds.Missing()
        }
        let hash = [UInt8](repeating: 9, count: Digest.sha256Size)
        var (log, body) = try CircleLog.found(
            by: owner, named: [1], commitment: hash, now: 1,
            chance: CircleFixture.chance(Founding.chanceSize))
        var bodies = [body]
        let words = try RecoveryDevice(RecoveryKey(seed: CircleFixture.secret()))
        let invite = try JoinToken.invite(
            for: CircleFixture.secret(), roles: Roles(), expiry: 1000, sealedName: [2])
        for action in [
            .view(view, sealedPolicy: [2], commitment: hash), .invite(invite),
            try words.enrolment(in: log.circle),
            .allow([Allowance(endorsementKey: hash, roles: Roles(views: [view: .reader]), sealedName: [])]),
        ] as [LogAction] {
            body = try log.body(action, by: owner, now: 1)
            _ = try log.take([body])
            bodies.append(body)
        }
        while log.last % LogSnapshot.interval(of: log.membership) != 0 {
            body = ChainBody(number: log.next, body: [])
            _ = try log.take([body])
            bodies.append(body)
        }
        snapshot = try log.snapshot(by: owner)?.body
        applicant = try ComparedApplicant(to: log.circle, device, randomness: CircleFixture.chance)
        (self.owner, self.log, self.bodies) = (owner, log, bodies.filter { !$0.body.isEmpty })
    }
}
