// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainRequest
import KeychainSync
import KeychainSyncPostgres
import Synchronization
import TestCircles
import TestPostgres
import TestProcesses
import Testing

@Suite struct CutTests {
    private static let view = CircleConformance.view(1)

    private static func insertion(_ number: UInt64) -> CircleInsertion {
        var insertion = CircleInsertion()
        insertion.chains = [(.heads(view), ChainBody(number: number, body: [1, 2, 3]))]
        insertion.records = [1, 2].map { (view, CircleConformance.record($0, number)) }
        // With more than one head's records it is a transaction of several statements.
        insertion.mail = [MailBody(box: CircleConformance.box(1), number: number, body: [4])]
        return insertion
    }

    @Test(
        "a connection cut behind any byte of an insertion: it is there once or not at all",
        arguments: CuttingProxy.Direction.allCases)
    func insertions(direction: CuttingProxy.Direction) throws {
        let ground = try Ground()
        let role = try ground.makeMember("ana")
        let proxy = try CuttingProxy(before: ground.server)
        let cut = try ServerAddress(
            "host=\(proxy.folder.path) port=\(ground.server.port) dbname=circles user='\(role)'")
        let direct = try ground.local2("ana")

        let whole = ground.transport(cut)
        _ = try whole.perform(.newest([.log]))
        proxy.reset()
        _ = try whole.perform(.insert(CutTests.insertion(1)))
        let bytes = proxy.count(direction)
        #expect(bytes > 50)
        whole.close()

        var outcomes: [String: Int] = [:]
        for (place, number) in zip(0...bytes, UInt64(2)...) {
            let transport = ground.transport(cut)
            _ = try transport.perform(.newest([.log]))
            proxy.cut(direction, behind: place)
            var isAcknowledged = false
            do throws(CircleServerError) {
                _ = try transport.perform(.insert(CutTests.insertion(number)))
                isAcknowledged = true
            } catch {
                #expect(error.isUnreachable, "byte \(place): \(error)")
            }
            proxy.reset()
            transport.close()
            // The server may still be at it, and this would be first. That is right too, but the last bytes are to show the other.
            if place + 3 > bytes {
                try EventLimit.wait(for: "the server has given up") {
                    try ground.server.sql("select count(*) from pg_stat_activity where usename = '\(role)'") == "1"
                }
            }
            // Again, as after every loss: whether it was there shows now.
            var wasThere = false
            do throws(CircleServerError) {
                _ = try direct.perform(.insert(CutTests.insertion(number)))
            } catch {
                #expect(error == .taken)
                wasThere = true
            }
            #expect(wasThere || !isAcknowledged, "byte \(place): acknowledged, and gone")
            outcomes["\(isAcknowledged ? "acknowledged" : "lost"), \(wasThere ? "there" : "not there")", default: 0] +=
                1
            guard
                case .bodies(let heads) = try direct.perform(
                    .chain(.heads(CutTests.view), behind: number - 1, limit: 9)),
                case .records(let records) = try direct.perform(
                    .records(CutTests.view, CutTests.insertion(number).records.map(\.record.place)))
            else { return }
            #expect(heads.count == 1 && records.count == 2, "byte \(place)")
        }
        print("cut \(direction): \(outcomes)")
        // Both kinds of a cut happened: before the commit was told, and before it was heard of.
        #expect(outcomes["lost, not there"] ?? 0 > 0 || direction == .toClient)
        #expect(outcomes["lost, there"] ?? 0 > 0)
    }

    @Test(
        "a question on a kept connection that broke is asked again on a new one",
        arguments: CuttingProxy.Direction.allCases)
    func questions(direction: CuttingProxy.Direction) throws {
        let ground = try Ground()
        let role = try ground.makeMember("ana")
        let proxy = try CuttingProxy(before: ground.server)
        let transport = ground.transport(
            try ServerAddress("host=\(proxy.folder.path) port=\(ground.server.port) dbname=circles user='\(role)'"))
        _ = try transport.perform(.newest([.log]))
        for place in [0, 1, 40] {
            proxy.cut(direction, behind: place)
            // The new connection is cut too, which is not a kept one: that is an error.
            #expect(throws: CircleServerError.self) { try transport.perform(.newest([.log])) }
            proxy.reset()
            _ = try transport.perform(.newest([.log]))
        }
        // The server ends the connection while it rests: an insertion finds that out before it is sent.
        let backends = "pg_stat_activity where usename = '\(role)'"
        for request: CircleRequest in [.newest([.log]), .insert(CutTests.insertion(1))] {
            try ground.server.sql("select pg_terminate_backend(pid) from \(backends)")
            try EventLimit.wait(for: "the connection has ended") {
                try ground.server.sql("select count(*) from \(backends)") == "0"
            }
            _ = try transport.perform(request)
        }
    }
}

@Suite struct CrowdTests {
    @Test("of two who write the same number at the same time one gets it")
    func two() throws {
        let ground = try Ground()
        let transports = [try ground.member("ana"), try ground.local("ben")]
        let winners = Noted<[UInt64: [Int]]>([:])
        let failures = Noted<[CircleServerError]>([])
        together(2) { writer in
            for number in UInt64(1)...200 {
                do throws(CircleServerError) {
                    try transports[writer].insert(chain: .log, number, [UInt8(writer)])
                    winners.withLock { $0[number, default: []].append(writer) }
                } catch { if error != .taken { failures.withLock { $0.append(error) } } }
            }
        }
        #expect(failures.withLock { $0 } == [])
        let won = winners.withLock { $0 }
        #expect(won.count == 200 && won.values.allSatisfy { $0.count == 1 })
        guard case .bodies(let bodies) = try transports[0].perform(.chain(.log, behind: 0, limit: 300)) else { return }
        #expect(bodies.map { [Int($0.body[0])] } == (1...200).map { won[$0] ?? [] })
    }

    @Test("sixteen writers and one who polls: every head comes by, once and in order")
    func sixteen() throws {
        let ground = try Ground()
        let view = CircleConformance.view(1)
        let each = 25
        let writers = try (0..<16).map { try ground.local("writer \($0)") }
        let poller = try ground.local("poller")
        let (written, left) = (Noted<[UInt64: Int]>([:]), Noted(writers.count))
        let (seen, failures) = (Noted<[ChainBody]>([]), Noted<[CircleServerError]>([]))
        together(writers.count + 1) { place in
            do throws(CircleServerError) {
                guard place < writers.count else {
                    var isLast = false
                    while true {
                        guard
                            case .bodies(let bodies) = try poller.perform(
                                .chain(.heads(view), behind: seen.withLock { $0.last?.number ?? 0 }, limit: 100))
                        else { return }
                        seen.withLock { $0 += bodies }
                        if isLast && bodies.isEmpty { return }
                        isLast = left.withLock { $0 } == 0
                    }
                }
                defer { left.withLock { $0 -= 1 } }
                var done = 0
                while done < each {
                    guard case .newest(let newest) = try writers[place].perform(.newest([.heads(view)])) else { return }
                    let number = newest[0].number + 1
                    do throws(CircleServerError) {
                        try writers[place].insert(chain: .heads(view), number, [UInt8(place)])
                        written.withLock { $0[number] = place }
                        done += 1
                    } catch .taken {}
                }
            } catch { failures.withLock { $0.append(error) } }
        }
        #expect(failures.withLock { $0 } == [])
        let bodies = seen.withLock { $0 }
        #expect(bodies.map(\.number) == (1...UInt64(16 * each)).map { $0 })
        #expect(bodies.allSatisfy { body in written.withLock { $0[body.number] } == Int(body.body[0]) })
    }
}

/// Runs `body` so many times at the same time, each in a thread of its own.
private func together(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        Thread.detachNewThread {
            body(number)
            group.leave()
        }
    }
    group.wait()
}

/// What threads write down together.
private final class Noted<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { value in body(&value) }
    }
}
