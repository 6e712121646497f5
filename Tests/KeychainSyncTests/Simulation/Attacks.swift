// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainRequest
import KeychainSync
import TestCircles
import TestSeed
import Testing

/// What a server may do that lies, and what a member may do that turned.
enum Attack: String, CaseIterable {
    /// Everything is as it was before.
    case goesBack = "goes back"
    /// One device is shown another history than the others, and then theirs.
    case joinsHistories = "joins two histories"
    /// The newest head of a view is kept from a device.
    case hidesNewest = "hides the newest head"
    case dropsHead = "drops a head"
    case dropsRecord = "drops a record"
    case swapsRecords = "swaps two records"
    case replaysRecord = "puts an older record in place of a newer"
    case editsHead = "edits a head"
    case renumbersHead = "gives a head another number"
    case editsRecord = "edits a record"
    case editsChance = "edits a record's chance number"
    case editsName = "edits a record's name"
    case editsHeadOfRecord = "edits the number of a record's head"
    case movesRecord = "moves a record to another view"
    case dropsEntry = "drops an entry of the log"
    case editsEntry = "edits an entry of the log"
    case editsSeen = "edits what a device has seen"
    case editsShare = "edits a share"
    /// Rows that are nothing, planted by the thousand.
    case plantsJunk = "plants junk"
    /// A device that was removed goes on writing.
    case removedWrites = "has a removed device write"
    /// A member signs a head that does not follow.
    case memberForks = "has a member sign another history"
    case memberLiesAboutRoot = "has a member sign a wrong root"
    case memberListsNothing = "has a member list a record that is not there"
    /// Who joins is shown heads of before a removal, and behind them one that the removed device signed.
    case joinsOld = "shows who joins an older state"
    case memberWritesRubbish = "has a member write what nobody can open"

    /// Whether this is something that has no effect but on those who do it: work goes on, without an alarm.
    var isHarmless: Bool {
        switch self {
        case .plantsJunk, .removedWrites, .editsShare, .editsSeen: true
        default: false
        }
    }
}

/// A circle at rest, one attack, and what the devices make of it.
final class AttackRun {
    let circle: SimulatedCircle<MemoryServer>
    let attack: Attack
    private var random: Seed
    private(set) var failures: [String] = []
    /// Whether anybody noticed: an alarm, junk, or a record that could not be read.
    private(set) var wasNoticed = false
    private var firstReports: [DeviceID: Int] = [:]

    init(_ attack: Attack, _ seed: UInt64) throws {
        self.attack = attack
        random = Seed(seed)
        circle = try SimulatedCircle(3, Seed(random.next()))
    }

    private var server: MemoryServer { circle.server }

    private func write(_ device: SimulatedDevice, _ group: String = "a.one", _ count: Int = 1) {
        for _ in 0..<count {
            circle.now += 1
            let name = ModelKeychain.Name(group: group, account: "account \(random.next() % 4)")
            device.keychain.set(name, to: Array("value \(random.next())".utf8), now: circle.now)
        }
    }

    private func round(_ device: SimulatedDevice, _ server: MemoryServer? = nil) throws {
        circle.now += 1
        try device.synchronize(server ?? circle.server, now: circle.now)
    }

    private func change(_ body: (inout ServerTables) -> Void) {
        var tables = server.tables
        body(&tables)
        server.tables = tables
    }

    func run() throws {
        let (a, b, c) = (circle[0], circle[1], circle[2])
        for device in [a, b, c] { write(device, "a.one", 3) }
        for _ in 0..<3 { for device in [a, b, c] { try round(device) } }
        for device in circle.devices { firstReports[device.id] = device.reports.count }
        let before = try states()
        try attack(a, b, c)
        // Everybody goes on as always, for a while.
        for _ in 0..<2 {
            for device in circle.members { try round(device) }
            circle.now += 7 * 3600
        }
        for device in circle.devices {
            for report in device.reports.dropFirst(firstReports[device.id] ?? 0)
            where !report.alarms.isEmpty || !report.junk.isEmpty || !report.unreadable.isEmpty { wasNoticed = true }
        }
        try check(before)
    }

    private func states() throws -> [DeviceID: CircleState] {
        var states: [DeviceID: CircleState] = [:]
        for device in circle.devices { states[device.id] = try device.state }
        return states
    }

    /// Whatever the server did: no value that no member wrote, no head that goes back, and where nothing was to be
    /// alarmed about, no alarm and equal devices.
    private func check(_ before: [DeviceID: CircleState]) throws {
        let written = circle.devices.reduce(into: Set<[UInt8]>()) { $0.formUnion($1.keychain.written) }
        for device in circle.devices {
            for value in device.keychain.live.values where !written.contains(value) {
                failures.append("\(device.name) has a value that nobody wrote")
            }
            let after = try device.state
            for (view, known) in before[device.id]?.views ?? [:] where (after?.views[view]?.number ?? 0) < known.number
            {
                failures.append("\(device.name) went back")
            }
            if after?.log.tip.number ?? 0 < before[device.id]?.log.tip.number ?? 0 {
                failures.append("\(device.name)'s log went back")
            }
            let members = Set(circle.devices.map(\.id))
            for member in after?.log.membership.members.keys ?? [:].keys where !members.contains(member) {
                failures.append("\(device.name) knows a member that nobody admitted")
            }
        }
        guard attack.isHarmless else {
            if !wasNoticed { failures.append("nobody noticed") }
            return
        }
        for device in circle.members {
            for report in device.reports.dropFirst(firstReports[device.id] ?? 0) where !report.alarms.isEmpty {
                failures.append("\(device.name): \(report.alarms)")
            }
            if device.keychain.live != circle.members.first?.keychain.live {
                failures.append("\(device.name) has other items")
            }
        }
    }

    // MARK: The attacks

    private func attack(_ a: SimulatedDevice, _ b: SimulatedDevice, _ c: SimulatedDevice) throws {
        let chain = CircleChain.heads(circle.firstView)
        switch attack {
        case .goesBack:
            let old = server.tables
            write(a)
            try round(a)
            try round(b)
            server.tables = old
        case .joinsHistories:
            let other = MemoryServer(server.tables)
            write(a)
            write(b)
            try round(a)
            try round(b, other)
            // Sometimes one history is longer, sometimes the other.
            if random.oneIn(2) {
                write(b)
                try round(b, other)
            }
        case .hidesNewest:
            write(a)
            circle.now += 7 * 3600
            try round(a)
            let newest = server.tables.newest(chain)
            change { $0.chains[chain]?[newest] = nil }
        case .dropsHead:
            let first = try twoHeads(a)
            change { $0.chains[chain]?[first] = nil }
        case .editsHead:
            let first = try twoHeads(a)
            change { flip(&$0.chains[chain, default: [:]][first, default: .init(body: [], who: "")].body) }
        case .renumbersHead:
            let first = try twoHeads(a)
            let older = server.tables.chains[chain]?[first - 1]
            change { $0.chains[chain]?[first] = older }
        case .dropsRecord, .swapsRecords, .replaysRecord, .editsRecord, .editsChance, .editsName, .editsHeadOfRecord,
            .movesRecord:
            try attackRecords(a)
        case .dropsEntry, .editsEntry:
            let number = server.tables.newest(.log) + 1
            var options = SyncRound.Settings()
            options.task = .change([
                .roles(
                    c.id,
                    Roles(
                        isOwner: true, isSponsor: true, views: [circle.firstView: .writer, circle.secondView: .writer]))
            ])
            try a.synchronize(server, options, now: circle.now)
            write(a)
            try round(a)
            if attack == .dropsEntry {
                change { $0.chains[.log]?[number] = nil }
            } else {
                change { flip(&$0.chains[.log, default: [:]][number, default: .init(body: [], who: "")].body) }
            }
        case .editsSeen:
            circle.now += 7 * 3600
            try round(a)
            // In one order in each process, so that a seed flips the same bits again.
            change { tables in
                for key in tables.seen.keys.sorted(by: { ($0.device, $0.counter) < ($1.device, $1.counter) }) {
                    flip(&tables.seen[key, default: []])
                }
            }
        case .editsShare:
            change { tables in
                for key in tables.shares.keys.sorted(by: { ($0.device, $0.chance) < ($1.device, $1.chance) }) {
                    flip(&tables.shares[key, default: []])
                }
            }
            write(a)
        case .plantsJunk: try plant()
        case .removedWrites: try removedWrites(a, c)
        case .joinsOld: try joinsOld(a, c)
        case .memberForks, .memberLiesAboutRoot, .memberListsNothing, .memberWritesRubbish: try turn(c)
        }
    }

    /// Two heads of a device that nobody else has read yet; the number of the first.
    private func twoHeads(_ device: SimulatedDevice) throws -> UInt64 {
        let first = server.tables.newest(.heads(circle.firstView)) + 1
        for _ in 0..<2 {
            write(device)
            try round(device)
        }
        return first
    }

    private func attackRecords(_ device: SimulatedDevice) throws {
        let next = server.tables.newest(.heads(circle.firstView)) + 1
        for account in ["account 0", "account 1"] {
            circle.now += 1
            device.keychain.set(
                ModelKeychain.Name(group: "a.one", account: account), to: Array("value \(random.next())".utf8),
                now: circle.now)
        }
        try round(device)
        let view = circle.firstView
        let keys = server.tables.records.keys.filter { $0.view == view && $0.place.head == next }
            .sorted { $0.place.id < $1.place.id }
        guard keys.count == 2 else { return failures.append("there are \(keys.count) records") }
        let key = random.pick(keys)
        let place = key.place
        change { tables in
            let body = tables.records.removeValue(forKey: key) ?? []
            func put(_ view: SyncView, _ head: UInt64, _ chance: Int64, _ id: SyncRecordID) {
                tables.records[
                    ServerTables.RecordKey(
                        view: view, place: SyncRecordPlace(head: head, chance: chance, id: id))] = body
            }
            switch attack {
            case .swapsRecords:
                let other = keys[0] == key ? keys[1] : keys[0]
                tables.records[key] = tables.records[other]
                tables.records[other] = body
            case .replaysRecord:
                let older = tables.records.filter { $0.key.view == view && $0.key.place.id == place.id }
                tables.records[key] = older.max { $0.key.place.head < $1.key.place.head }?.value ?? [1]
            case .editsRecord:
                var changed = body
                flip(&changed)
                tables.records[key] = changed
            case .editsChance: put(view, place.head, place.chance &+ 1, place.id)
            case .editsHeadOfRecord: put(view, place.head - 1, place.chance, place.id)
            case .movesRecord: put(circle.secondView, place.head, place.chance, place.id)
            case .editsName:
                var name = place.id.bytes
                flip(&name)
                if let id = SyncRecordID(name) { put(view, place.head, place.chance, id) }
            default: break
            }
        }
    }

    private func flip(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        bytes[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1 << (random.next() % 8))
    }

    private func plant() throws {
        for view in circle.views {
            for _ in 0..<40 {
                var insertion = CircleInsertion()
                let body = (0..<20).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                let number = server.tables.newest(.heads(view)) + 1
                insertion.chains = [(.heads(view), ChainBody(number: number, body: body, who: "joiner"))]
                let id = try #require(SyncRecordID(Array(body.prefix(16))))
                insertion.records = [
                    (view, RecordBody(place: SyncRecordPlace(head: number, chance: 1, id: id), body: body))
                ]
                insertion.shares = [
                    ShareBody(device: circle[1].id, chance: Int64(truncatingIfNeeded: random.next()), body: body)
                ]
                _ = try server.perform(.insert(insertion))
            }
        }
        write(circle[0])
        write(circle[1])
    }

    private func removedWrites(_ owner: SimulatedDevice, _ device: SimulatedDevice) throws {
        // It goes on as if it had never heard of it.
        let other = MemoryServer(server.tables)
        var options = SyncRound.Settings()
        options.task = .change([.remove(device.id)])
        try owner.synchronize(server, options, now: circle.now)
        write(device)
        try round(device, other)
        device.isRemoved = true
        let chain = CircleChain.heads(circle.firstView)
        let number = other.tables.newest(chain)
        guard let row = other.tables.chains[chain]?[number] else { return failures.append("it wrote nothing") }
        change { tables in
            // At its number stands the barrier; so it takes the next one, and the records are there, too.
            let next = tables.newest(chain) + 1
            tables.chains[chain]?[next] = row
            tables.records.merge(other.tables.records) { mine, _ in mine }
        }
        let secret = device.keychain.live.values
        write(owner)
        for _ in 0..<2 { for member in circle.members { try round(member) } }
        // What it wrote last, nobody has taken.
        for member in circle.members {
            let taken = Set(member.keychain.live.values).intersection(secret)
            let past = device.keychain.entries.values.filter { $0.mark == nil }.compactMap { $0.item.secret?.bytes }
            if taken.contains(where: { !past.contains($0) }) { failures.append("\(member.name) took it") }
        }
    }

    private func joinsOld(_ owner: SimulatedDevice, _ device: SimulatedDevice) throws {
        guard let then = try device.state, let known = then.views[circle.firstView] else { return }
        var options = SyncRound.Settings()
        options.task = .change([.remove(device.id)])
        try owner.synchronize(server, options, now: circle.now)
        device.isRemoved = true
        write(owner)
        try round(owner)
        guard let new = try circle.admit(by: owner, "new"), let state = try owner.state,
            let newest = state.views[circle.firstView]
        else { return failures.append("nobody was admitted") }
        var told = CircleState(device: new.id, log: CircleLog(circle: state.log.circle, expecting: state.log.tip))
        var view = ViewState()
        view.expected = ViewState.HeadPlace(number: newest.number, hash: newest.hash)
        told.views[circle.firstView] = view
        new.keychain = ModelKeychain()
        _ = new.keychain.perform(try told.beginning())
        let head = CircleHead(
            circle: then.log.circle, view: circle.firstView, number: newest.number + random.next() % 1000 + 1,
            previous: newest.hash, logNumber: then.log.tip.number, logHash: then.log.tip.hash, generation: 1, chance: 7,
            entries: [], root: known.root, oldestTombstone: 0, time: 0, author: device.id)
        let chain = CircleChain.heads(circle.firstView)
        var tables = server.tables
        tables.chains[chain] = tables.chains[chain]?.filter { $0.key <= known.number }
        tables.chains[chain]?[head.number] = try .init(body: head.signed(by: device.device), who: "")
        try round(new, MemoryServer(tables))
        if new.reports.last?.alarms.isEmpty ?? true || !new.keychain.live.isEmpty {
            failures.append("who joined took an older state")
        }
    }

    /// A member signs, with its own key and where it may, what it should not.
    private func turn(_ device: SimulatedDevice) throws {
        guard let state = try device.state, let known = state.views[circle.firstView] else { return }
        let chain = CircleChain.heads(circle.firstView)
        let id = try #require(SyncRecordID((0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
        let rubbish = (0..<600).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var tree = try StateTree()
        for leaf in device.keychain.leaves[circle.firstView]?.values ?? [:].values { try tree.set(leaf) }
        let digest = try Digest.sha256(of: rubbish)
        var entries: [CircleHead.Entry] = []
        if attack == .memberListsNothing || attack == .memberWritesRubbish {
            entries = [CircleHead.Entry(id: id, digest: digest)]
            try tree.set(SyncLeaf(id: id, head: known.next, digest: digest))
        }
        let root = try attack == .memberLiesAboutRoot ? digest : tree.root()
        let head = CircleHead(
            circle: state.log.circle, view: circle.firstView, number: known.next,
            previous: attack == .memberForks ? digest : known.hash, logNumber: state.log.tip.number,
            logHash: state.log.tip.hash, generation: 1, chance: 7, entries: entries, root: root, oldestTombstone: 0,
            time: 0, author: device.id)
        var insertion = CircleInsertion()
        insertion.chains = [(chain, ChainBody(number: head.number, body: try head.signed(by: device.device)))]
        if attack == .memberWritesRubbish {
            let place = SyncRecordPlace(head: head.number, chance: 7, id: id)
            insertion.records = [(circle.firstView, RecordBody(place: place, body: rubbish))]
        }
        _ = try server.perform(.insert(insertion))
        write(circle[0])
    }
}
