// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainCrypto
import KeychainRequest
import KeychainSync
import TestCircles
import Testing

/// A circle in memory: its founder, the bodies that a server would have, and the log that they give.
struct TestCircle {
    let founder: TestCircleDevice
    let view: SyncView
    private(set) var log: CircleLog
    private(set) var bodies: [ChainBody]

    /// A circle with one view that the founder writes.
    init(chance: UInt8 = 1) throws {
        founder = try TestCircleDevice()
        view = try #require(SyncView([UInt8](repeating: 7, count: SyncView.size)))
        let (log, body) = try CircleLog.found(
            by: founder, named: [1], commitment: TestCircle.hash(1), now: 1000,
            chance: [UInt8](repeating: chance, count: Founding.chanceSize))
        (self.log, bodies) = (log, [body])
        try append(.view(view, sealedPolicy: [2], commitment: TestCircle.hash(2)), by: founder)
        try append(.roles(founder.card.id(), Roles(isOwner: true, views: [view: .writer])), by: founder)
    }

    /// Appends an entry that counts.
    mutating func append(_ action: LogAction, by device: TestCircleDevice, now: Double = 1000) throws {
        let event = try insert(log.body(action, by: device, now: now).body)
        guard case .accepted? = event else {
            Issue.record("not accepted: \(String(describing: event))")
            return
        }
    }

    /// Puts a body where the next entry would be, and says what it turned out to be.
    @discardableResult
    mutating func insert(_ body: [UInt8], who: String = "role") throws -> LogEvent? {
        let body = ChainBody(number: log.next, body: body, who: who)
        bodies.append(body)
        return try log.take([body]).first
    }

    /// A body in place of the last one, which the log has as it was.
    mutating func replaceLast(_ body: [UInt8]) {
        guard let last = bodies.popLast() else { return }
        bodies.append(ChainBody(number: last.number, body: body))
    }

    mutating func admit(_ roles: Roles = Roles(), by sponsor: TestCircleDevice? = nil) throws -> TestCircleDevice {
        let device = try TestCircleDevice()
        try append(.admit(device.card, .word(roles, sealedName: [3])), by: sponsor ?? founder)
        return device
    }

    /// An entry that its author signs whatever the rules say.
    func forged(
        _ action: LogAction, by device: TestCircleDevice, previous: LogPlace? = nil, state: [UInt8]? = nil,
        like honest: LogEntry? = nil
    ) throws -> [UInt8] {
        // Any entry that its founder may make gives the places.
        let model = try honest ?? log.entry(.moved(sealedAddress: []), by: founder.card.id(), now: 1000)
        let entry = LogEntry(
            circle: model.circle, number: model.number, previous: previous ?? model.previous, skip: model.skip,
            time: model.time, author: try device.card.id(), action: action, state: state ?? model.state)
        return try SignedBody(entry.encoded(), by: device).encoded()
    }

    /// An entry that says something which only a later version knows.
    static func later(than log: CircleLog, at number: UInt64? = nil, by device: TestCircleDevice) throws -> [UInt8] {
        let number = number ?? log.next
        let target = LogEntry.skipNumber(of: number)
        let entry = LogEntry(
            circle: log.circle, number: number, previous: log.tip,
            skip: log.steps.last { $0.number <= target }?.place ?? .none, time: 1, author: try device.card.id(),
            action: .moved(sealedAddress: []), state: hash(0))
        guard case .array(var parts) = try PropertyList(decoding: entry.encoded()) else { throw CircleError.malformed }
        parts[7] = .array([.string("x")])
        return try SignedBody(PropertyList.array(parts).encoded(), by: device).encoded()
    }

    static func hash(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }
}

/// The key that a token gives, as long as it lies in the open.
struct TestToken {
    let publicKey: [UInt8]
    let id: [UInt8]
    private let device: TestCircleDevice

    init() throws {
        device = try TestCircleDevice()
        publicKey = device.card.signingKey
        id = try Digest.sha256(of: publicKey)
    }

    func ground(for card: Card, in circle: CircleID) throws -> Ground {
        .invite(
            publicKey: publicKey,
            proof: try device.signature(of: Digest.sha256(of: Membership.inviteProof(of: card, in: circle))))
    }
}
