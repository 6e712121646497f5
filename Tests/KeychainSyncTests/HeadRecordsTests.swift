// SPDX-License-Identifier: Apache-2.0

import KeychainRequest
import KeychainSync
import Synchronization
import TestSeed
import Testing

/// How a pull asks for the records of a view: head by head where most of what those list is wanted, one by one elsewhere.
@Suite struct HeadRecordsTests {
    private typealias Name = ModelKeychain.Name

    /// A server that notes how records were asked for.
    private final class Noting: CircleTransport {
        private let server: MemoryServer
        private let noted = Mutex((whole: 0, single: 0, bytes: 0))

        init(_ server: MemoryServer) { self.server = server }

        var asked: (whole: Int, single: Int, bytes: Int) { noted.withLock { $0 } }

        func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
            noted.withLock { noted in
                switch request {
                case .headRecords: noted.whole += 1
                case .records: noted.single += 1
                default: break
                }
            }
            let reply = try server.perform(request)
            if case .records(let records) = reply {
                noted.withLock { $0.bytes += records.reduce(0) { $0 + $1.body.count } }
            }
            return reply
        }
    }

    /// A circle in which one device wrote so many items, and then so many of them again.
    private func circle(_ seed: UInt64, _ counts: [Int]) throws -> SimulatedCircle<MemoryServer> {
        let circle = try SimulatedCircle(2, Seed(seed))
        for (version, count) in counts.enumerated() {
            circle.now += 10
            for number in 0..<count {
                let name = Name(group: "a.one", account: "\(number)")
                circle[0].keychain.set(name, to: [UInt8(version)], now: circle.now)
            }
            try circle.synchronize(circle[0])
        }
        return circle
    }

    private func checkPull(_ circle: SimulatedCircle<MemoryServer>) throws -> (whole: Int, single: Int, bytes: Int) {
        let server = Noting(circle.server)
        let report = try circle[1].synchronize(server, now: circle.now)
        #expect(report.alarms.isEmpty && report.unreadable.isEmpty)
        #expect(circle[1].keychain.live == circle[0].keychain.live)
        return server.asked
    }

    @Test("heads are asked for whole, and what was replaced among their records is left out")
    func whole() throws {
        let asked = try checkPull(circle(1, [100, 30]))
        #expect(asked.whole > 0 && asked.single == 0)
    }

    @Test("of many heads the next are asked for before the records of these are taken, each once")
    func early() throws {
        let circle = try circle(5, [2400])
        let asked = try checkPull(circle)
        #expect(asked.whole == 3 && asked.single == 0 && circle[1].answeredEarly == 2)
    }

    @Test("heads of which little is wanted are not")
    func few() throws {
        let asked = try checkPull(circle(2, [100, 99, 98]))
        #expect(asked.whole == 0 && asked.single == 1)
    }

    @Test("what somebody put beside the records of a head keeps nobody from them", arguments: [1, 1000])
    func planted(count: Int) throws {
        let circle = try circle(3, [100, 30])
        for place in Set(
            circle.server.tables.records.keys.map { SyncHeadPlace(number: $0.place.head, chance: $0.place.chance) })
        {
            var insertion = CircleInsertion()
            for number in 0..<count {
                // In front of almost all names there are.
                let id = try #require(
                    SyncRecordID([0, 0] + (0..<14).map { UInt8(truncatingIfNeeded: number >> (8 * (13 - $0))) }))
                let body = RecordBody(
                    place: SyncRecordPlace(head: place.number, chance: place.chance, id: id), body: [1, 2, 3])
                insertion.records.append((circle.firstView, body))
            }
            _ = try circle.server.perform(.insert(insertion))
        }
        let asked = try checkPull(circle)
        // Whoever puts a thousand there is read once.
        #expect(asked.whole > 0 && (asked.single > 0) == (count == 1000))
    }

    @Test("large ones between all records of a head are read in one answer and never again")
    func plantedLarge() throws {
        let circle = try circle(5, [100])
        let keys = circle.server.tables.records.keys.filter { $0.view == circle.firstView }
            .sorted { $0.place.id < $1.place.id }
        // Behind each name the next one there can be: sixteen answers full.
        var insertion = CircleInsertion()
        let body = [UInt8](repeating: 7, count: CircleLimit.headsSize / 6)
        for key in keys {
            var name = key.place.id.bytes
            name[15] &+= 1
            let place = SyncRecordPlace(
                head: key.place.head, chance: key.place.chance, id: try #require(SyncRecordID(name)))
            insertion.records.append((circle.firstView, RecordBody(place: place, body: body)))
        }
        _ = try circle.server.perform(.insert(insertion))
        let asked = try checkPull(circle)
        #expect(asked.whole == 1 && asked.single > 0)
        #expect(asked.bytes < 2 * CircleLimit.headsSize)
    }

    @Test("a record that lies under no head of its number and chance number is missing", arguments: [0, 50, 99])
    func missing(lost: Int) throws {
        let circle = try circle(4, [100])
        let keys = circle.server.tables.records.keys.filter { $0.view == circle.firstView && $0.place.head == 1 }
        circle.server.tables.records[keys.sorted { $0.place.id < $1.place.id }[lost]] = nil
        let report = try circle[1].synchronize(circle.server, now: circle.now)
        #expect(report.alarms == [.missingRecord(circle.firstView, head: 1)] && circle[1].keychain.live.isEmpty)
    }
}
