// SPDX-License-Identifier: Apache-2.0

package import KeychainRequest
package import KeychainSync
internal import TestProcesses

/// What every way to a circle's server does, whatever is behind it: `@Test(arguments: CircleConformance.all)`.
///
/// Each check wants the ways of two members of one circle in which nothing is yet.
package struct CircleConformance: Sendable, CustomStringConvertible {
    package let description: String
    private let body: @Sendable (any CircleTransport, any CircleTransport) throws -> Void

    private init(
        _ description: String, _ body: @escaping @Sendable (any CircleTransport, any CircleTransport) throws -> Void
    ) {
        (self.description, self.body) = (description, body)
    }

    /// Throws what is wrong.
    package func check(_ first: any CircleTransport, _ second: any CircleTransport) throws { try body(first, second) }

    package static let all = chains + insertions + records + headRecords + others

    private static let chains: [CircleConformance] = [
        .init("an empty circle has nothing") { first, _ in
            try expect(try newest(first, [.log, .heads(view(1))]) == [0, 0])
            try expect(try chain(first, .log) == [])
            try expect(try bodies(first, .heads(view(1)), [1, 2]) == [])
            guard case .shares([]) = try first.perform(.shares(device(1))),
                case .seen([]) = try first.perform(.seen(of: [device(1)], limit: 3)),
                case .mail([]) = try first.perform(.mail(box(1), behind: 0, limit: 10)),
                case .newest([]) = try first.perform(.newest([]))
            else { throw Trouble("something came out of an empty circle") }
        },
        .init("what one inserts another reads, in order and from where it asks") { first, second in
            for number in 1...5 { try first.insert(chain: .heads(view(1)), UInt64(number), body(number)) }
            try expect(try newest(second, [.heads(view(2)), .heads(view(1)), .log, .heads(view(1))]) == [0, 5, 0, 5])
            guard case .newest(let ends) = try second.perform(.newest([.heads(view(2)), .heads(view(1))])) else {
                throw Trouble("no ends")
            }
            try expect(try ends == [.none, ChainEnd(of: SyncHead(number: 5, body: body(5)))])
            try expect(try chain(second, .heads(view(1))).map(\.number) == [1, 2, 3, 4, 5])
            try expect(try chain(second, .heads(view(1)), behind: 3).map(\.body) == [body(4), body(5)])
            try expect(try chain(second, .heads(view(1)), behind: 5) == [])
            try expect(try chain(second, .heads(view(1)), behind: .max) == [])
            try expect(try chain(second, .heads(view(1)), behind: 1, limit: 2).map(\.number) == [2, 3])
        },
        .init("the log and the heads of views are chains of their own") { first, second in
            try first.insert(chain: .log, 1, [1])
            try first.insert(chain: .heads(view(1)), 1, [2])
            try first.insert(chain: .heads(view(2)), 1, [3])
            try expect(try chain(second, .log).map(\.body) == [[1]])
            try expect(try chain(second, .heads(view(2))).map(\.body) == [[3]])
        },
        .init("single bodies come in order, each once, and none that is not there") { first, second in
            for number in [1, 2, 3, 7] { try first.insert(chain: .log, UInt64(number), body(number)) }
            try expect(try bodies(second, .log, [7, 2, 2, 5, .max]).map(\.number) == [2, 7])
            try expect(try bodies(second, .log, []) == [])
        },
        .init("numbers may have gaps, and the newest is the highest") { first, second in
            try first.insert(chain: .log, 999_999, [9])
            try first.insert(chain: .log, 1, [1])
            try expect(try newest(second, [.log]) == [999_999])
            try expect(try chain(second, .log).map(\.number) == [1, 999_999])
        },
        .init("a body may be empty or as large as allowed, and no larger") { first, second in
            try first.insert(chain: .log, 1, [])
            let large = [UInt8](repeating: 7, count: CircleLimit.bodySize)
            try first.insert(chain: .log, 2, large)
            try expect(try chain(second, .log).map(\.body) == [[], large])
            do throws(CircleServerError) {
                try first.insert(chain: .log, 3, large + [0])
            } catch {
                guard case .broken = error else { throw Trouble("\(error)") }
                try expect(try newest(second, [.log]) == [2])
                return
            }
            throw Trouble("a body was too large, and was taken")
        },
    ]

    private static let insertions: [CircleConformance] = [
        .init("a number that is taken stays whose it is") { first, second in
            try first.insert(chain: .log, 1, [1])
            for transport in [first, second] {
                try expectTaken { () throws(CircleServerError) in try transport.insert(chain: .log, 1, [2]) }
            }
            try expect(try chain(second, .log).map(\.body) == [[1]])
        },
        .init("of an insertion of which a part is taken nothing happens, and the next one does") { first, second in
            try first.insert(chain: .heads(view(1)), 1, [1])
            var insertion = CircleInsertion()
            insertion.chains = [
                (.heads(view(2)), ChainBody(number: 1, body: [2])), (.heads(view(1)), ChainBody(number: 1, body: [3])),
            ]
            insertion.records = [(view(1), record(1, 1))]
            insertion.mail = [MailBody(box: box(1), number: 1, body: [4])]
            let whole = insertion
            try expectTaken { () throws(CircleServerError) in _ = try second.perform(.insert(whole)) }
            try expect(try newest(first, [.heads(view(2))]) == [0])
            guard case .mail([]) = try first.perform(.mail(box(1), behind: 0, limit: 1)) else {
                throw Trouble("half of it happened")
            }
            try expect(try records(first, view(1), [record(1, 1).place]) == [])
            insertion.chains.removeLast()
            _ = try second.perform(.insert(insertion))
            try expect(try newest(first, [.heads(view(2))]) == [1])
            try expect(try records(first, view(1), [record(1, 1).place]) == [record(1, 1)])
        },
        .init("an insertion of nothing is done") { first, _ in
            guard case .done = try first.perform(.insert(CircleInsertion())) else { throw Trouble("not done") }
        },
        .init("of many who want the same number one gets it, each time") { first, second in
            let transports = [first, second, first, second]
            for number in UInt64(1)...20 {
                // Not at the same time, which a test of what is behind has to try; but by turns.
                var winners = 0
                for (place, transport) in transports.enumerated() {
                    do throws(CircleServerError) {
                        try transport.insert(chain: .log, number, [UInt8(place)])
                        winners += 1
                    } catch .taken {}
                }
                try expect(winners == 1)
            }
        },
    ]

    private static let records: [CircleConformance] = [
        .init("records come by their places, and only those that were asked for") { first, second in
            var insertion = CircleInsertion()
            insertion.chains = [(.heads(view(1)), ChainBody(number: 1, body: [1]))]
            insertion.records = (1...1000).map { (view(1), record($0, 1)) }
            _ = try first.perform(.insert(insertion))
            let some = stride(from: 1, through: 1000, by: 7).map { record($0, 1) }
            let others = [record(1, 2).place, record(2000, 1).place]
            let found = try records(second, view(1), some.map(\.place) + others + some.map(\.place))
            try expect(found == some)
            try expect(try records(second, view(2), some.map(\.place)) == [])
            try expect(try records(second, view(1), []) == [])
        },
        .init("one record may lie under many heads, and in one head's number under many chance numbers") {
            first, second in
            let all = [
                record(1, 1), record(1, 2), record(1, 1, chance: -5), record(1, 1, chance: .min),
                record(1, 1, chance: .max),
            ]
            var insertion = CircleInsertion()
            insertion.records = all.map { (view(1), $0) }
            _ = try first.perform(.insert(insertion))
            for one in all { try expect(try records(second, view(1), [one.place]) == [one]) }
            try expect(try records(second, view(1), all.map(\.place)).count == all.count)
        },
        .init("large records come in parts, each at least one, until there are none left") { first, second in
            let all = (1...40).map { number in
                RecordBody(
                    place: record(number, 1).place, body: [UInt8](repeating: UInt8(number), count: CircleLimit.bodySize)
                )
            }
            for one in all {
                var insertion = CircleInsertion()
                insertion.records = [(view(1), one)]
                _ = try first.perform(.insert(insertion))
            }
            var missing = Set(all.map(\.place))
            while !missing.isEmpty {
                let part = try records(second, view(1), Array(missing))
                try expect(!part.isEmpty)
                try expect(part.reduce(0) { $0 + $1.body.count } <= CircleLimit.answerSize + CircleLimit.bodySize)
                for one in part { try expect(missing.remove(one.place) != nil && all.contains(one)) }
            }
        },
    ]

    private static let headRecords: [CircleConformance] = [
        .init("the records of heads come head by head, by their names, from one on, and none of another chance number")
        {
            first, second in
            var insertion = CircleInsertion()
            let (others, all) = ((1...3).map { record($0, 3, chance: 7) }, (1...3).map { record($0, 3) })
            insertion.records = (others + all + [record(9, 2), record(4, 1), record(2, 1)]).map { (view(1), $0) }
            _ = try first.perform(.insert(insertion))
            let heads = [1, 2, 3].map { SyncHeadPlace(number: $0, chance: 42) }
            let found = try headRecords(second, view(1), heads)
            try expect(found == [record(2, 1), record(4, 1), record(9, 2)] + all)
            let rest = try headRecords(second, view(1), heads, behind: record(2, 1).place.id)
            try expect(rest == Array(found.dropFirst()))
            try expect(try headRecords(second, view(1), [heads[2]], behind: record(2, 3).place.id) == [record(3, 3)])
            try expect(try headRecords(second, view(2), heads) == [])
            try expect(try headRecords(second, view(1), []) == [])
        },
        .init("under one head no more are looked at than one can list, and large ones come in parts") { first, second in
            var insertion = CircleInsertion()
            insertion.records = (1...(CircleHead.greatestCount + 10)).map { (view(1), record($0, 1)) }
            insertion.records.append((view(1), record(1, 2)))
            let large = (1...4).map { number in
                RecordBody(
                    place: record(number, 3).place, body: [UInt8](repeating: UInt8(number), count: CircleLimit.bodySize)
                )
            }
            insertion.records += large.map { (view(1), $0) }
            _ = try first.perform(.insert(insertion))
            let heads = [1, 2, 3].map { SyncHeadPlace(number: $0, chance: 42) }
            let found = try headRecords(second, view(1), Array(heads.prefix(2)))
            try expect(found == (1...CircleHead.greatestCount).map { record($0, 1) } + [record(1, 2)])
            var parts: [RecordBody] = []
            while parts.count < large.count {
                let part = try headRecords(second, view(1), [heads[2]], behind: parts.last?.place.id)
                try expect(!part.isEmpty)
                try expect(part.reduce(0) { $0 + $1.body.count } < CircleLimit.headsSize + CircleLimit.bodySize)
                parts += part
            }
            try expect(parts == large)
        },
    ]

    private static let others: [CircleConformance] = [
        .init("shares are those for a device") { first, second in
            let shares = (-2...2).map { ShareBody(device: device(1), chance: $0, body: body(Int(3 + $0))) }
            let other = ShareBody(device: device(2), chance: 1, body: [9])
            var insertion = CircleInsertion()
            insertion.shares = shares + [other]
            _ = try first.perform(.insert(insertion))
            guard case .shares(let found) = try second.perform(.shares(device(1))) else { throw Trouble("no shares") }
            try expect(found.count == shares.count && shares.allSatisfy(found.contains))
            insertion.shares = [ShareBody(device: device(1), chance: 2, body: [8])]
            try expectTaken { () throws(CircleServerError) in _ = try second.perform(.insert(insertion)) }
        },
        .init("of what devices have seen the newest come") { first, second in
            var insertion = CircleInsertion()
            for number in 1...5 {
                insertion.seen.append(SeenBody(device: device(1), counter: UInt64(number), body: body(number)))
            }
            insertion.seen.append(SeenBody(device: device(2), counter: 7, body: [7]))
            insertion.seen.append(SeenBody(device: device(3), counter: 8, body: [8]))
            _ = try first.perform(.insert(insertion))
            guard case .seen(let found) = try second.perform(.seen(of: [device(4), device(2), device(1)], limit: 2)),
                case .seen([]) = try second.perform(.seen(of: [], limit: 2))
            else { throw Trouble("nothing seen") }
            try expect(!found.contains { $0.device == device(3) })
            try expect(found.filter { $0.device == device(1) }.map(\.counter) == [5, 4])
            try expect(found.filter { $0.device == device(2) } == [SeenBody(device: device(2), counter: 7, body: [7])])
            var again = CircleInsertion()
            again.seen = [SeenBody(device: device(1), counter: 5, body: [0])]
            let taken = again
            try expectTaken { () throws(CircleServerError) in _ = try first.perform(.insert(taken)) }
        },
        .init("mail lies in its box, in order") { first, second in
            for number in [3, 1, 2] {
                var insertion = CircleInsertion()
                insertion.mail = [MailBody(box: box(1), number: UInt64(number), body: body(number))]
                _ = try first.perform(.insert(insertion))
            }
            guard case .mail(let found) = try second.perform(.mail(box(1), behind: 1, limit: 10)),
                case .mail(let one) = try second.perform(.mail(box(1), behind: 0, limit: 1)),
                case .mail([]) = try second.perform(.mail(box(2), behind: 0, limit: 10))
            else { throw Trouble("no mail") }
            try expect(found.map(\.number) == [2, 3] && found.map(\.body) == [body(2), body(3)])
            try expect(one.map(\.number) == [1])
        },
    ]

    // MARK: Pieces

    package static func view(_ number: UInt8) -> SyncView { name(number, SyncView.init) }
    package static func device(_ number: UInt8) -> DeviceID { name(number, DeviceID.init) }
    package static func box(_ number: UInt8) -> MailBox { name(number, MailBox.init) }

    package static func record(_ number: Int, _ head: UInt64, chance: Int64 = 42) -> RecordBody {
        let name = (0..<16).map { UInt8(truncatingIfNeeded: $0 < 8 ? 0 : number >> (8 * (15 - $0))) }
        guard let id = SyncRecordID(name) else { preconditionFailure("sixteen bytes") }
        return RecordBody(place: SyncRecordPlace(head: head, chance: chance, id: id), body: body(number))
    }

    private static func name<Name>(_ number: UInt8, _ make: ([UInt8]) -> Name?) -> Name {
        guard let name = make([UInt8](repeating: number, count: 16)) else { preconditionFailure("sixteen bytes") }
        return name
    }

    private static func body(_ number: Int) -> [UInt8] { Array("body \(number)".utf8) }

    private static func newest(_ transport: any CircleTransport, _ chains: [CircleChain]) throws -> [UInt64] {
        guard case .newest(let ends) = try transport.perform(.newest(chains)) else { throw Trouble("no numbers") }
        return ends.map(\.number)
    }

    private static func chain(
        _ transport: any CircleTransport, _ chain: CircleChain, behind: UInt64 = 0, limit: Int = 100
    ) throws -> [ChainBody] {
        guard case .bodies(let bodies) = try transport.perform(.chain(chain, behind: behind, limit: limit)) else {
            throw Trouble("no chain")
        }
        return bodies
    }

    private static func bodies(
        _ transport: any CircleTransport, _ chain: CircleChain, _ numbers: [UInt64]
    ) throws -> [ChainBody] {
        guard case .bodies(let bodies) = try transport.perform(.bodies(chain, numbers)) else {
            throw Trouble("no bodies")
        }
        return bodies
    }

    private static func records(
        _ transport: any CircleTransport, _ view: SyncView, _ places: [SyncRecordPlace]
    ) throws -> [RecordBody] {
        guard case .records(let records) = try transport.perform(.records(view, places)) else {
            throw Trouble("no records")
        }
        return records
    }

    private static func headRecords(
        _ transport: any CircleTransport, _ view: SyncView, _ heads: [SyncHeadPlace], behind id: SyncRecordID? = nil
    ) throws -> [RecordBody] {
        guard case .records(let records) = try transport.perform(.headRecords(view, heads, behind: id)) else {
            throw Trouble("no records of heads")
        }
        return records
    }

    private static func expect(_ holds: Bool, line: UInt = #line) throws {
        guard holds else { throw Trouble("line \(line) of the conformance suite does not hold") }
    }

    private static func expectTaken(_ body: () throws(CircleServerError) -> Void) throws {
        do throws(CircleServerError) {
            try body()
        } catch {
            guard error == .taken else { throw Trouble("not taken: \(error)") }
            return
        }
        throw Trouble("it was taken, and taken again")
    }
}

extension CircleTransport {
    /// Inserts one body of a chain.
    package func insert(chain: CircleChain, _ number: UInt64, _ body: [UInt8]) throws(CircleServerError) {
        var insertion = CircleInsertion()
        insertion.chains = [(chain, ChainBody(number: number, body: body))]
        _ = try perform(.insert(insertion))
    }
}
