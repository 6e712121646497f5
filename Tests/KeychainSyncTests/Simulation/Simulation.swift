// SPDX-License-Identifier: Apache-2.0

import KeychainRequest
import KeychainSync
import TestSeed

/// What a seed does with a circle and an honest server: devices change items, come and go in the middle of rounds, lose the
/// server before or after it did what it was asked, lock, have wrong clocks, are removed and admitted.
///
/// One effect of one device happens at a time, in an order that the seed chooses; so whatever one device does happens
/// between any two steps of another.
final class Simulation<Server: SimulatedServer> {
    let circle: SimulatedCircle<Server>
    private var random: Seed
    private var writes = 0
    /// What went wrong, in words; empty when nothing did.
    private(set) var failures: [String] = []
    /// What happened, so that a simulation which does nothing is noticed.
    private(set) var counts: [String: Int] = [:]
    private var reached: [DeviceID: [SyncView: UInt64]] = [:]
    private var reportsRead: [DeviceID: Int] = [:]

    init(_ seed: UInt64, on server: Server) throws {
        random = Seed(seed)
        let count = 2 + Int(random.next() % 6)
        circle = try SimulatedCircle(count, Seed(random.next()), on: server)
    }

    /// So many steps of what may happen, and then rounds until all is quiet.
    func run(steps: Int = 120) throws {
        defer {
            for device in circle.devices { count("insertions that came too late", device.pauses) }
            count("versions in history", circle.devices.reduce(0) { $0 + $1.keychain.past.count })
            let reached = (try? circle.members.first?.state)?.views ?? [:]
            count("heads", reached.values.reduce(0) { $0 + Int($1.number) })
        }
        let mayJump = random.oneIn(4)
        let mayChangeMembers = random.oneIn(3)
        for _ in 0..<steps {
            try act(mayJump: mayJump, mayChangeMembers: mayChangeMembers)
            try watch()
        }
        try rest()
        try compare()
    }

    // MARK: What happens

    private func act(mayJump: Bool, mayChangeMembers: Bool) throws {
        let device = random.pick(circle.members)
        switch random.next() % 40 {
        case 0..<8: write(on: device)
        case 8:
            device.crash()
            circle.server.leave(device.id)
            circle.now += 60
        case 9: if !device.isInRound { device.keychain.isLocked.toggle() }
        case 10: circle.now += Double(random.next() % 1000)
        case 11: circle.now += 7 * 3600
        case 12: if mayJump { circle.now += Double(random.next() % 200) * 24 * 3600 }
        case 13:
            // Never so far that everything before is over, but hours, and once in a while years.
            if mayJump { device.clock = Double(random.next() % 7200) - 3600 + (random.oneIn(8) ? 3e8 : 0) }
        case 14: try plant()
        case 15: if mayChangeMembers { try changeMembers(device) }
        default: try step(device)
        }
    }

    private func write(on device: SimulatedDevice) {
        circle.now += 0.001
        let name = ModelKeychain.Name(
            group: random.oneIn(2) ? "a.one" : "b.two", account: "account \(random.next() % 5)")
        writes += 1
        let secret = random.oneIn(4) ? nil : Array("secret \(writes)".utf8)
        // Items of one time are what digests are for.
        let now = random.oneIn(10) ? circle.now.rounded(.down) : circle.now
        device.keychain.set(
            name, to: secret, accessible: random.oneIn(3) ? "ak" : "ck", now: now + device.clock)
    }

    private func step(_ device: SimulatedDevice) throws {
        guard device.isInRound else { return try device.beginRound(now: circle.now) }
        // Some effects at once, or rounds would take for ever.
        for _ in 0...(random.next() % 6) where device.isInRound {
            switch random.next() % 60 {
            case 0: try device.step(circle.server.breakingWay(of: device.id, .before, &random), now: circle.now)
            case 1: try device.step(circle.server.breakingWay(of: device.id, .after, &random), now: circle.now)
            case 2: device.crash()
            default: try device.step(circle.server.way(of: device.id), now: circle.now)
            }
            circle.now += 0.01
        }
    }

    /// Anybody who may insert can leave rows about that are nothing.
    private func plant() throws {
        let view = random.pick(circle.views)
        var insertion = CircleInsertion()
        switch random.next() % 4 {
        case 0:
            let next = try circle.server.newest(.heads(view)) + 1 + (random.oneIn(4) ? 1000 : 0)
            insertion.chains = [(.heads(view), ChainBody(number: next, body: try junk(), who: "joiner"))]
        case 1:
            let next = try circle.server.newest(.log) + 1
            insertion.chains = [(.log, ChainBody(number: next, body: try junk(), who: "joiner"))]
        case 2:
            let device = random.pick(circle.devices).id
            insertion.shares = [
                ShareBody(device: device, chance: Int64(truncatingIfNeeded: random.next()), body: try junk())
            ]
        default:
            let device = random.pick(circle.devices).id
            insertion.seen = [SeenBody(device: device, counter: 1000 + random.next() % 1000, body: try junk())]
        }
        _ = try? circle.server.outsider.perform(.insert(insertion))
    }

    private func junk() throws -> [UInt8] {
        // Mostly bytes; sometimes what a member signed, at another place.
        if random.oneIn(3), let body = try circle.server.inserted.randomElement(using: &random) { return body }
        return (0..<(random.next() % 50)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private func changeMembers(_ device: SimulatedDevice) throws {
        guard !device.isInRound, !device.keychain.isLocked else { return }
        if circle.members.count < 7, random.oneIn(2) {
            _ = try circle.admit(by: device, "late device \(circle.devices.count)")
        } else if circle.members.count > 2 {
            let other = random.pick(circle.members.filter { $0 !== device })
            var options = SyncRound.Settings()
            options.task = .change([.remove(other.id)])
            try circle.synchronize(device, options)
        }
    }

    // MARK: What has to be

    private func count(_ what: String, _ number: Int = 1) { counts[what, default: 0] += number }

    /// Heads never go back, and an honest server gives no alarm.
    private func watch() throws {
        for device in circle.devices {
            for report in device.reports.dropFirst(reportsRead[device.id] ?? 0) {
                count("rounds")
                count("records that came", report.received.changed + report.received.added + report.received.removed)
                count("records that lost", report.received.kept)
                count("records that were refused", report.received.refused)
                count("records that went", report.sent)
                count("tombstones made void", report.voided)
                count("junk", report.junk.count)
                count("kept back", report.keptBack)
                if case .busy = report.end { count("rounds that others outran") }
                if case .server = report.end { count("rounds that lost the server") }
                if case .removed = report.end { count("devices removed") }
                if !report.alarms.isEmpty { failures.append("\(device.name): \(report.alarms)") }
                if report.wasPutBack { failures.append("\(device.name) was not put back") }
                switch report.end {
                case .complete, .busy, .server(.unreachable), .removed, .impossible: break
                default: failures.append("\(device.name): \(report.end)")
                }
                if !report.unreadable.isEmpty { failures.append("\(device.name): unreadable records") }
            }
            reportsRead[device.id] = device.reports.count
            guard let state = try device.state else { continue }
            for (view, known) in state.views {
                if known.number < reached[device.id]?[view] ?? 0 { failures.append("\(device.name) went back") }
                reached[device.id, default: [:]][view] = known.number
            }
        }
    }

    /// Everybody is unlocked and has the server, until nobody sends anything.
    private func rest() throws {
        for device in circle.devices {
            device.crash()
            device.keychain.isLocked = false
        }
        for _ in 0..<12 {
            var isQuiet = true
            for device in circle.members {
                let before = try circle.server.newest(.log)
                let report = try circle.synchronize(device)
                let isLogLonger = try circle.server.newest(.log) > before
                if report.sent > 0 || report.newHeads > 0 || report.newEntries > 0 || report.voided > 0 || isLogLonger {
                    isQuiet = false
                }
                circle.now += 1
            }
            try watch()
            if isQuiet { return }
        }
        failures.append("there was no rest")
    }

    private func compare() throws {
        let members = circle.members
        guard let first = members.first, let state = try first.state else { return }
        for device in members {
            let theirs = try device.state
            if device.keychain.live != first.keychain.live { failures.append("\(device.name) has other items") }
            // A view without a head may be known or not.
            let heads = { (state: CircleState) in state.views.filter { $0.value.number > 0 }.mapValues(\.hash) }
            if theirs.map(heads) != heads(state) {
                failures.append("\(device.name) has other heads")
            }
            let rest = device.keychain.entries.values.filter { $0.mark != nil }
            if !rest.isEmpty { failures.append("\(device.name) has \(rest.count) changes left") }
            for view in circle.views where !(device.keychain.waiting[view] ?? [:]).isEmpty {
                failures.append("\(device.name) has records that wait")
            }
        }
        // What a removed device wrote last may never have gone out.
        let written = members.reduce(into: Set<[UInt8]>()) { $0.formUnion($1.keychain.written) }
        var known = Set(members.flatMap { $0.keychain.live.values })
        for device in circle.devices {
            known.formUnion(device.keychain.overwritten)
            known.formUnion(device.keychain.past.compactMap { $0.secret?.bytes })
        }
        for lost in written.subtracting(known) { failures.append("\(String(decoding: lost, as: UTF8.self)) is lost") }
        let all = circle.devices.reduce(into: Set<[UInt8]>()) { $0.formUnion($1.keychain.written) }
        for value in members.flatMap({ $0.keychain.live.values }) where !all.contains(value) {
            failures.append("nobody wrote \(value)")
        }
    }
}
