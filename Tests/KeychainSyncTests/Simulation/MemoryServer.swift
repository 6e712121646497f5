// SPDX-License-Identifier: Apache-2.0

import KeychainRequest
import KeychainSync
import Synchronization

/// The five tables as a server has them that does what it is asked: what is inserted stays, a taken key is refused, and a
/// transaction happens whole or not at all.
struct ServerTables: Sendable {

    struct ShareKey: Hashable {
        let device: DeviceID
        let chance: Int64
    }

    struct SeenKey: Hashable {
        let device: DeviceID
        let counter: UInt64
    }

    struct MailKey: Hashable {
        let box: MailBox
        let number: UInt64
    }

    struct RecordKey: Hashable {
        let view: SyncView
        let place: SyncRecordPlace
    }

    struct ChainRow: Sendable {
        var body: [UInt8]
        var who: String
    }

    var chains: [CircleChain: [UInt64: ChainRow]] = [:]
    var records: [RecordKey: [UInt8]] = [:]
    var shares: [ShareKey: [UInt8]] = [:]
    var seen: [SeenKey: [UInt8]] = [:]
    var mail: [MailKey: [UInt8]] = [:]
    /// All bodies in the order in which they came, which a seed gives again; a dictionary has another order in each process.
    private(set) var inserted: [[UInt8]] = []

    func newest(_ chain: CircleChain) -> UInt64 { chains[chain]?.keys.max() ?? 0 }

    mutating func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
        switch request {
        case .newest(let asked):
            var ends: [ChainEnd] = []
            for chain in asked {
                let number = newest(chain)
                guard let row = chains[chain]?[number] else {
                    ends.append(.none)
                    continue
                }
                guard let end = try? ChainEnd(of: SyncHead(number: number, body: row.body)) else {
                    throw .broken("no digest")
                }
                ends.append(end)
            }
            return .newest(ends)
        case .chain(let chain, let behind, let limit):
            let rows = (chains[chain] ?? [:]).filter { $0.key > behind }.sorted { $0.key < $1.key }.prefix(limit)
            return .bodies(rows.map { ChainBody(number: $0.key, body: $0.value.body, who: $0.value.who) })
        case .bodies(let chain, let numbers):
            return .bodies(
                numbers.sorted().compactMap { number in
                    chains[chain]?[number].map { ChainBody(number: number, body: $0.body, who: $0.who) }
                })
        case .records(let view, let places):
            return .records(
                places.compactMap { place in
                    records[RecordKey(view: view, place: place)].map { RecordBody(place: place, body: $0) }
                })
        case .headRecords(let view, let heads, let behind):
            let rows = heads.enumerated().flatMap { index, head in
                records.filter { key, _ in
                    key.view == view && key.place.head == head.number && key.place.chance == head.chance
                        && (index > 0 || behind.map { $0 < key.place.id } ?? true)
                }.sorted { $0.key.place.id < $1.key.place.id }
                    .prefix(CircleHead.greatestCount).map { RecordBody(place: $0.key.place, body: $0.value) }
            }
            var size = 0
            return .records(
                Array(
                    rows.prefix { row in
                        defer { size += row.body.count }
                        return size < CircleLimit.headsSize
                    }))
        case .shares(let device):
            return .shares(
                shares.filter { $0.key.device == device }.sorted { $0.key.chance < $1.key.chance }.map {
                    ShareBody(device: device, chance: $0.key.chance, body: $0.value)
                })
        case .seen(let devices, let limit):
            let wanted = seen.filter { devices.contains($0.key.device) }
            let byDevice = Dictionary(grouping: wanted, by: \.key.device).sorted { $0.key < $1.key }
            return .seen(
                byDevice.flatMap { device, rows in
                    rows.sorted { $0.key.counter > $1.key.counter }.prefix(limit).map {
                        SeenBody(device: device, counter: $0.key.counter, body: $0.value)
                    }
                })
        case .mail(let box, let behind, let limit):
            let rows = mail.filter { $0.key.box == box && $0.key.number > behind }
                .sorted { $0.key.number < $1.key.number }.prefix(limit)
            return .mail(rows.map { MailBody(box: box, number: $0.key.number, body: $0.value) })
        case .newestMail(let box, let each):
            let rows = mail.filter { $0.key.box == box }.sorted { $0.key.number < $1.key.number }.suffix(each)
            return .mail(rows.map { MailBody(box: box, number: $0.key.number, body: $0.value) })
        case .insert(let insertion):
            // On a copy: what fails half-way has not happened.
            var changed = self
            try changed.insert(insertion)
            self = changed
            return .done
        }
    }

    private mutating func insert(_ insertion: CircleInsertion) throws(CircleServerError) {
        for (chain, body) in insertion.chains {
            // A bigint.
            guard Int64(exactly: body.number) != nil else { throw .refused("a number above those of the tables") }
            guard chains[chain]?[body.number] == nil else { throw .taken }
            chains[chain, default: [:]][body.number] = ChainRow(body: body.body, who: body.who)
        }
        for (view, record) in insertion.records {
            let key = RecordKey(view: view, place: record.place)
            guard records.updateValue(record.body, forKey: key) == nil else { throw .taken }
        }
        for share in insertion.shares {
            let key = ShareKey(device: share.device, chance: share.chance)
            guard shares.updateValue(share.body, forKey: key) == nil else { throw .taken }
        }
        for note in insertion.seen {
            let key = SeenKey(device: note.device, counter: note.counter)
            guard seen.updateValue(note.body, forKey: key) == nil else { throw .taken }
        }
        for message in insertion.mail {
            let key = MailKey(box: message.box, number: message.number)
            guard mail.updateValue(message.body, forKey: key) == nil else { throw .taken }
        }
        inserted += insertion.chains.map(\.body.body) + insertion.records.map(\.record.body)
        inserted += insertion.shares.map(\.body) + insertion.seen.map(\.body) + insertion.mail.map(\.body)
    }

    /// What lies in the tables, as somebody reads it who took a copy of the database.
    var everything: [[UInt8]] {
        chains.values.flatMap { $0.values.map(\.body) } + Array(records.values) + Array(shares.values)
            + Array(seen.values) + Array(mail.values)
    }
}

/// A server in memory.
final class MemoryServer: CircleTransport {
    private let state: Mutex<ServerTables>
    private let asked = Mutex(0)

    init(_ tables: ServerTables = ServerTables()) { state = Mutex(tables) }

    /// How often it was asked for anything.
    var requests: Int { asked.withLock { $0 } }

    var tables: ServerTables {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
        asked.withLock { $0 += 1 }
        let result: Result<CircleReply, CircleServerError> = state.withLock { tables in
            do throws(CircleServerError) { return .success(try tables.perform(request)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
