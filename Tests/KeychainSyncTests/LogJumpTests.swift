// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
import KeychainCrypto
import KeychainRequest
import KeychainSync
import TestCircles
import TestProcesses
import TestSeed
import Testing

@Suite struct LogJumpTests {
    /// Ten thousand entries by `KEYCHAIN_LOG_ENTRIES=10000`.
    @Test("who was away for long reads few entries, and has the log that the others have")
    func far() throws {
        let count = ProcessInfo.processInfo.environment["KEYCHAIN_LOG_ENTRIES"].flatMap { UInt64($0) } ?? 600
        var circle = try LongCircle(seed: Seed(for: "LogJumpTests.far"))
        let start = circle.log
        var middle = start
        while circle.log.last < count {
            if circle.log.last == count / 3 { middle = circle.log }
            try circle.grow()
        }
        try circle.growToSnapshot()
        for (log, name) in [(start, "from the beginning"), (middle, "from the middle")] {
            let read = try expectOnlyLog(of: circle, after: log)
            print("LogJumpTests: \(circle.log.last - log.last) entries \(name): \(read) bodies read")
            #expect(read <= 250)
        }
    }

    @Test("junk on the way costs a few bodies more, also where a snapshot would be", arguments: 1...12)
    func junk(number: UInt64) throws {
        var circle = try LongCircle(seed: Seed(number), junkOneIn: 4)
        let log = circle.log
        while circle.log.last < 300 { try circle.grow() }
        try circle.growToSnapshot()
        #expect(try expectOnlyLog(of: circle, after: log) < 150)
    }

    /// Jumps, and expects the log that all have, then and after all that comes behind; how many bodies the jump read.
    private func expectOnlyLog(of circle: LongCircle, after log: CircleLog) throws -> Int {
        let (arrived, read) = try circle.jump(from: log)
        var whole = try #require(arrived)
        #expect(whole.membership == circle.log.membership && whole.tip == circle.log.tip)
        let steps = whole.steps
        #expect(try steps == circle.steps(at: circle.log.tip.number))
        var other = circle
        for _ in 0..<70 {
            try other.grow()
            // Behind the tip lies junk already where the snapshot's number is junk.
            let events = try whole.take(Array(other.bodies.suffix(from: Int(whole.last))))
            #expect(!events.isEmpty && whole.tip == other.log.tip && whole.steps == other.log.steps)
        }
        return read
    }

    @Test("owners whom nobody knew then are followed back to one who was known; others count for nothing")
    func strangers() throws {
        var circle = try LongCircle(seed: Seed(1))
        let log = circle.log
        for _ in 0..<3 {
            try circle.replaceOwner()
            for _ in 0..<100 { try circle.grow() }
        }
        try circle.growToSnapshot()
        let (arrived, read) = try circle.jump(from: log)
        #expect(arrived?.membership == circle.log.membership)
        #expect(read < 150)

        // A member who is no owner makes a history in which it is one.
        var forged = try LongCircle(seed: Seed(2))
        let before = forged.log
        let member = forged.member
        let id = try member.card.id()
        try forged.forgeOwnership(of: member)
        #expect(forged.log.membership.member(id)?.roles.isOwner == true)
        #expect(try forged.jump(from: before).log == nil)
    }

    @Test("owners who made each other owners, in every way at once, are refused and not searched through")
    func vouchers() throws {
        let circle = try TestCircle()
        let others = try (0..<40).map { _ in try TestCircleDevice() }
        var (place, bodies, listed) = (circle.log.tip, [UInt64: ChainBody](), [(name: [UInt8], coded: PropertyList)]())
        for (index, device) in others.enumerated() {
            let number = circle.log.next + UInt64(index)
            // The first by somebody whom nobody knows; each later one by as many as can sign.
            let signers = index == 0 ? [try TestCircleDevice()] : Array(others[max(0, index - 16)..<index])
            let id = try device.card.id()
            let entry = LogEntry(
                circle: circle.log.circle, number: number, previous: place, skip: .none, time: 1,
                author: try signers[0].card.id(), action: .roles(id, Roles(isOwner: true)), state: TestCircle.hash(1))
            var signed = SignedBody(try entry.encoded())
            for signer in signers { try signed.sign(by: signer) }
            bodies[number] = ChainBody(number: number, body: try signed.encoded())
            place = LogPlace(number: number, hash: try Digest.sha256(of: signed.content))
            let span = PropertyList.array([.array([.number(Int64(number)), .number(0)])])
            let roles = PropertyList.array([.boolean(true), .boolean(false), .array([])])
            listed.append(
                (
                    id.bytes,
                    .array([
                        .data(try device.card.encoded()), roles, .number(1), .data([]), .number(0), .number(-1), span,
                        .array([]), .array([]),
                    ])
                ))
        }
        guard case .array(var parts) = try PropertyList(decoding: circle.log.membership.encoded()),
            case .array(let known) = parts[3]
        else { throw Trouble("no membership") }
        listed.append((try circle.founder.card.id().bytes, known[0]))
        parts[3] = .array(listed.sorted { $0.name.lexicographicallyPrecedes($1.name) }.map(\.coded))
        let membership = try PropertyList.array(parts).encoded()
        #expect(try Membership(decoding: membership).owners.count == 41)
        let content = PropertyList.array([
            .string("llavero snapshot"), .array([.number(Int64(place.number)), .data(place.hash)]), .data(membership),
        ])
        var snapshot = SignedBody(try content.encoded())
        for signer in others.suffix(16) { try snapshot.sign(by: signer) }
        var jump = try LogJump(from: circle.log, over: [snapshot.encoded()])
        var step = try jump.take([])
        while case .needs(let numbers) = step { step = try jump.take(numbers.compactMap { bodies[$0] }) }
        guard case .refused = step else {
            Issue.record("the jump ended elsewhere")
            return
        }
    }

    @Test("two owners have to sign where two had to")
    func quorum() throws {
        var circle = try LongCircle(seed: Seed(3))
        let second = try circle.addOwner(quorum: 2)
        let log = circle.log
        for _ in 0..<100 { try circle.grow() }
        try circle.growToSnapshot()
        #expect(try circle.jump(from: log).log == nil)
        try circle.sign(by: second)
        #expect(try circle.jump(from: log).log?.tip == circle.log.tip)
    }

    @Test("a snapshot of a history that our tip is no part of is a fork; changed bodies lead nowhere")
    func hostile() throws {
        var circle = try LongCircle(seed: Seed(4))
        var other = circle
        try other.append(.policy(other.view, sealedPolicy: [1]))
        let log = other.log
        for _ in 0..<100 { try circle.grow() }
        try circle.growToSnapshot()
        var jump = try LogJump(from: log, over: circle.mail)
        var step = try jump.take([])
        while case .needs(let numbers) = step { step = try jump.take(numbers.map { circle.bodies[Int($0) - 1] }) }
        guard case .fork = step else {
            Issue.record("the jump ended elsewhere")
            return
        }
        let start = try circle.log(at: 10)
        for wrong in 0..<3 {
            var jump = try LogJump(from: start, over: circle.mail)
            var step = try jump.take([])
            while case .needs(let numbers) = step {
                let bodies = numbers.map { circle.bodies[Int($0) - 1] }
                switch wrong {
                case 0: step = try jump.take(Array(bodies.dropLast()))
                case 1: step = try jump.take(bodies.map { ChainBody(number: $0.number, body: bodies[0].body) })
                default: step = try jump.take([])
                }
            }
            guard case .refused = step else {
                Issue.record("the jump ended elsewhere")
                return
            }
        }
    }

    @Test("a joined device takes any snapshot that the entry follows which it was told of")
    func joined() throws {
        var circle = try LongCircle(seed: Seed(5))
        while circle.log.last < 200 { try circle.grow() }
        try circle.growToSnapshot()
        let snapshot = circle.log.tip
        for _ in 0..<7 { try circle.grow() }
        let fresh = CircleLog(circle: circle.log.circle, expecting: circle.log.tip)
        let (arrived, read) = try circle.jump(from: fresh)
        var log = try #require(arrived)
        #expect(log.tip == snapshot && log.expected == circle.log.tip && read < 60)
        _ = try log.take(Array(circle.bodies.suffix(from: Int(log.last))))
        #expect(log.expected == nil && log.tip == circle.log.tip && log.steps == circle.log.steps)
        let elsewhere = CircleLog(
            circle: circle.log.circle, expecting: LogPlace(number: circle.log.tip.number, hash: TestCircle.hash(1)))
        #expect(try circle.jump(from: elsewhere).log == nil)
    }
}

/// A circle whose log grows at random: views get other policies, devices come and go, junk is planted.
private struct LongCircle {
    private(set) var circle: TestCircle
    private(set) var mail: [[UInt8]] = []
    private(set) var owner: TestCircleDevice
    let member: TestCircleDevice
    private var seed: Seed
    private let junkOneIn: UInt64
    private var guests: [TestCircleDevice] = []
    private var quorum: TestCircleDevice?

    var log: CircleLog { circle.log }
    var bodies: [ChainBody] { circle.bodies }
    var view: SyncView { circle.view }

    init(seed: Seed, junkOneIn: UInt64 = 200) throws {
        circle = try TestCircle()
        owner = circle.founder
        (self.seed, self.junkOneIn) = (seed, junkOneIn)
        member = try circle.admit(Roles(views: [circle.view: .writer]))
    }

    /// One entry more, or junk.
    mutating func grow() throws {
        if seed.oneIn(junkOneIn) {
            try circle.insert([1])
        } else if seed.oneIn(500), guests.count < 20 {
            guests.append(try circle.admit(by: owner))
        } else if seed.oneIn(500), let guest = guests.popLast() {
            try append(.remove(guest.card.id()))
        } else {
            let policy = [UInt8](repeating: UInt8(truncatingIfNeeded: seed.next()), count: 8)
            try append(.policy(circle.view, sealedPolicy: policy))
        }
        if let made = try log.snapshot(by: owner) { mail.append(made.body) }
        if mail.count > 4 { mail.removeFirst() }
    }

    mutating func append(_ action: LogAction) throws {
        guard let quorum else { return try circle.append(action, by: owner) }
        let body = try log.body(action, by: owner, now: 1)
        let whole = try #require(try log.signed(body.body, by: quorum))
        try circle.insert(whole.body)
    }

    mutating func growToSnapshot() throws {
        repeat { try grow() } while log.last % LogSnapshot.interval(of: log.membership) != 0
    }

    mutating func sign(by device: TestCircleDevice) throws {
        mail.append(try #require(try log.snapshot(by: device)).body)
    }

    /// Another owner instead of the one that there is.
    mutating func replaceOwner() throws {
        let new = try TestCircleDevice()
        try circle.append(.admit(new.card, .word(Roles(), sealedName: [])), by: owner)
        for _ in 0..<20 { try grow() }
        try circle.append(.roles(new.card.id(), Roles(isOwner: true)), by: owner)
        try circle.append(.remove(owner.card.id()), by: new)
        owner = new
    }

    mutating func addOwner(quorum count: Int) throws -> TestCircleDevice {
        let second = try circle.admit(Roles(isOwner: true))
        try circle.append(.quorum(count), by: owner)
        quorum = second
        return second
    }

    /// What only a member's own program takes.
    mutating func forgeOwnership(of device: TestCircleDevice) throws {
        try circle.append(.roles(device.card.id(), Roles(isOwner: true)), by: owner)
        // As if the owner had not signed it: by the member alone.
        var signed = SignedBody(try SignedBody(decoding: circle.bodies[Int(log.last) - 1].body).content)
        try signed.sign(by: device)
        circle.replaceLast(try signed.encoded())
        owner = device
        for _ in 0..<64 { try append(.policy(circle.view, sealedPolicy: [1])) }
        while log.last % LogSnapshot.interval(of: log.membership) != 0 {
            try append(.policy(circle.view, sealedPolicy: [1]))
        }
        mail = [try #require(try log.snapshot(by: device)).body]
    }

    func log(at number: UInt64) throws -> CircleLog {
        var log = CircleLog(circle: log.circle)
        _ = try log.take(Array(bodies.prefix(Int(number))))
        return log
    }

    func steps(at number: UInt64) throws -> [CircleLog.Step] { try log(at: number).steps }

    /// Jumps as a device does, and counts the bodies that it reads.
    func jump(from log: CircleLog) throws -> (log: CircleLog?, read: Int) {
        var jump = try LogJump(from: log, over: mail)
        var read = 0
        var step = try jump.take([])
        while case .needs(let numbers) = step {
            read += numbers.count
            step = try jump.take(numbers.map { bodies[Int($0) - 1] })
        }
        guard case .arrived(let log) = step else { return (nil, read) }
        return (log, read)
    }
}
