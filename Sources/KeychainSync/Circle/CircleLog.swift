// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto

/// The log of a circle as far as it was read: which entry is the last that counts, and what the log says there.
///
/// Devices that read the same bodies have the same log: no clock, no order of arrival, no word of the server's has a part
/// in it.
package struct CircleLog: Sendable, Equatable {
    package private(set) var membership: Membership
    /// The last entry that counts.
    package private(set) var tip = LogPlace.none
    /// The last number that was read; those behind the tip are taken by junk.
    package private(set) var last: UInt64 = 0
    /// An entry that this device was told of when it joined; until it is met, this is not known to be the circle.
    package private(set) var expected: LogPlace?
    /// What counts at or before the numbers that skips lead to, ascending.
    package private(set) var steps: [Step] = []
    /// The last entries that count, ascending.
    private(set) var recent: [LogPlace] = []

    package struct Step: Sendable, Equatable {
        package let number: UInt64
        package let place: LogPlace
    }

    /// A log of which nothing was read yet.
    package init(circle: CircleID, expecting place: LogPlace? = nil) {
        membership = Membership(circle: circle)
        expected = place
    }

    /// A log that was not read up to its tip.
    init(_ membership: Membership, tip: LogPlace, expecting place: LogPlace?, steps: [Step], recent: [LogPlace]) {
        (self.membership, self.tip, last, expected) = (membership, tip, tip.number, place)
        (self.steps, self.recent) = (steps, recent.suffix(CircleLog.mostRecent))
    }

    package var circle: CircleID { membership.circle }

    /// The number that the next entry takes.
    package var next: UInt64 { last + 1 }

    /// The hash of an entry that counts, of the last few hundred; nil of junk and of what is not remembered.
    package func hash(at number: UInt64) -> [UInt8]? { recent.last { $0.number == number }?.hash }

    /// The entry that a body is, whoever signed it; nil where it is none.
    package static func place(of body: ChainBody) throws(CircleError) -> LogPlace? {
        guard let signed = try? SignedBody(decoding: body.body) else { return nil }
        return LogPlace(number: body.number, hash: try CircleCoding.digest(of: signed.content))
    }

    /// Whether a body is our tip: the server's body of that number has to be.
    package func isTip(_ body: ChainBody) throws(CircleError) -> Bool {
        try CircleLog.place(of: body) == tip
    }

    static let mostRecent = 256
}

/// What a body of the log turned out to be.
package enum LogEvent: Sendable, Equatable {
    case accepted(LogEntry)
    /// It takes its number and changes nothing; `who` is the server's word for who put it there.
    case junk(number: UInt64, who: String)
    /// Owners, so many as have to, signed another history than this one; of no author, the entry is not there that this device was told
    /// of. Nothing behind it is read.
    case fork(number: UInt64, author: DeviceID?)
    /// Owners of a later version wrote it, so many as have to: this program cannot follow. Nothing behind it is read.
    case later(number: UInt64)
}

extension CircleLog {
    /// Reads bodies behind the last one, in order; a gap ends it, and so does a fork.
    package mutating func take(_ bodies: [ChainBody]) throws(CircleError) -> [LogEvent] {
        var events: [LogEvent] = []
        for body in bodies where body.number > last {
            guard body.number == next else { break }
            let event = try read(body)
            events.append(event)
            switch event {
            case .accepted, .junk: continue
            case .fork, .later: return events
            }
        }
        return events
    }

    /// Treats the next body as junk, whatever it is: a person's decision after an alarm.
    package mutating func passOver() { advance() }

    private mutating func read(_ body: ChainBody) throws(CircleError) -> LogEvent {
        guard let (entry, hash, isOwners) = try verified(body) else { return junk(body) }
        // What one member alone may sign would else have any member stop all, as often as it likes.
        let fork = isOwners ? LogEvent.fork(number: entry.number, author: entry.author) : nil
        guard entry.previous == tip, entry.skip == skip(of: entry.number) else { return fork ?? junk(body) }
        if let expected, expected.number == next, expected.hash != hash {
            return .fork(number: entry.number, author: entry.author)
        }
        switch entry.action {
        case .later: return .later(number: entry.number)
        case .suite(let number) where number > CircleLog.suite: return .later(number: entry.number)
        default: break
        }
        var changed = membership
        do throws(CircleError) { try changed.apply(entry) } catch {
            guard case .refused = error else { throw error }
            advance()
            return .junk(number: body.number, who: body.who)
        }
        // Its authors know other rules, or lie: in both cases going on would part us.
        guard try changed.digest() == entry.state else { return fork ?? junk(body) }
        membership = changed
        advance(to: LogPlace(number: entry.number, hash: hash))
        return .accepted(entry)
    }

    /// Takes a number for nothing, unless this device was told of an entry there.
    private mutating func junk(_ body: ChainBody) -> LogEvent {
        if expected?.number == next { return .fork(number: next, author: nil) }
        advance()
        return .junk(number: body.number, who: body.who)
    }

    /// The entry, if those signed it who may; nil of junk.
    ///
    /// With it, whether the owners stand for it: so many of them as have to, or the founder.
    private func verified(_ body: ChainBody) throws(CircleError) -> (LogEntry, hash: [UInt8], isOwners: Bool)? {
        guard let signed = try? SignedBody(decoding: body.body),
            let entry = try? LogEntry(decoding: signed.content), entry.circle == circle, entry.number == body.number
        else { return nil }
        var isOwners = true
        if case .found(let founding) = entry.action {
            guard membership.members.isEmpty, try founding.card.id() == entry.author,
                try signed.isSigned(by: founding.card)
            else { return nil }
        } else {
            let signers = try signers(of: signed)
            guard membership.allows(entry.action, by: entry.author, signedBy: signers) else { return nil }
            isOwners = membership.isQuorum(signers, of: entry.author)
        }
        return (entry, try CircleCoding.digest(of: signed.content), isOwners)
    }

    /// An entry under its own number that its author signed, present or not, and might have written there.
    ///
    /// Where this device read the log itself, the entry is the one that it read. Nobody honest signs two entries of one number, so of
    /// the rest it is the word of who had the right.
    func signedEntry(_ body: ChainBody) throws(CircleError) -> LogEntry? {
        guard let signed = try? SignedBody(decoding: body.body),
            let entry = try? LogEntry(decoding: signed.content), entry.circle == circle, entry.number == body.number,
            let author = membership.members[entry.author], try signed.isSigned(by: author.card)
        else { return nil }
        if let known = hash(at: entry.number) {
            return try CircleCoding.digest(of: signed.content) == known ? entry : nil
        }
        let before = entry.number - 1
        let wasPresent = membership.member(entry.author, at: before) != nil
        let wasOwner = author.owning.contains { $0.contains(before) }
        let hadTheRight =
            switch entry.action {
            case .found: entry.number == author.admittedAt
            case .admit(_, .invite), .admit(_, .allowed): wasPresent
            case .admit(_, .word): wasOwner || wasPresent && author.isRecovery
            default: wasOwner
            }
        return hadTheRight ? entry : nil
    }

    /// The members who are present and signed.
    func signers(of signed: SignedBody) throws(CircleError) -> Set<DeviceID> {
        var signers: Set<DeviceID> = []
        for signature in signed.signatures {
            guard let member = membership.member(signature.device), try signed.isSigned(by: member.card) else {
                continue
            }
            signers.insert(signature.device)
        }
        return signers
    }

    /// What the skip of an entry with this number, the next one, has to be.
    func skip(of number: UInt64) -> LogPlace {
        let target = LogEntry.skipNumber(of: number)
        return steps.last { $0.number == target }?.place ?? .none
    }

    /// Takes the next number, for an entry that counts or for junk.
    private mutating func advance(to place: LogPlace? = nil) {
        last += 1
        if let place {
            tip = place
            recent.append(place)
            if recent.count > CircleLog.mostRecent { recent.removeFirst() }
            if place == expected { expected = nil }
        }
        // Those numbers stay that are this one without some of its lowest bits.
        let target = LogEntry.skipNumber(of: last)
        steps.removeAll { $0.number > target }
        steps.append(Step(number: last, place: tip))
    }

    /// The one suite of keys and ciphers.
    private static let suite: Int64 = 1
}

/// The state that a device keeps, sealed with everything else that it knows of its circle.
extension CircleLog {
    package func encoded() throws(CircleError) -> [UInt8] {
        var codedSteps: [PropertyList] = []
        for step in steps { codedSteps.append(.array([try .count(step.number), try step.place.coded()])) }
        var codedRecent: [PropertyList] = []
        for place in recent { codedRecent.append(.array([try .count(place.number), .data(place.hash)])) }
        return try CircleCoding.encode(
            .array([
                .string(CircleLog.title), try .count(last), try tip.coded(), try (expected ?? .none).coded(),
                .array(codedSteps), .array(codedRecent), .data(try membership.encoded()),
            ]))
    }

    package init(decoding bytes: [UInt8]) throws(CircleError) {
        var parts = try CircleParts(decoding: bytes, title: CircleLog.title)
        let last = try parts.number()
        let tip = try LogPlace(parts.parts())
        let expected = try LogPlace(parts.parts())
        steps = try parts.list(atMost: UInt64.bitWidth) { (parts) throws(CircleError) in
            Step(number: try parts.number(), place: try LogPlace(parts.parts()))
        }
        recent = try parts.list(atMost: CircleLog.mostRecent) { (parts) throws(CircleError) in
            LogPlace(number: try parts.number(), hash: try parts.hash())
        }
        membership = try Membership(decoding: parts.data(atMost: .max))
        try parts.end()
        guard tip.number <= last else { throw .malformed }
        (self.last, self.tip) = (last, tip)
        self.expected = expected == .none ? nil : expected
    }

    private static let title = "llavero log"
}
