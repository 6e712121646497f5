// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSQLite
import KeychainStore
import TestProcesses

/// What a circle costs a keychain, beside the same rows and seals by SQLite and OpenSSL alone.
enum StoreCosts {
    private static let view = someView()
    private static let atOnce = 1000
    private static let times = 3000

    private static func someView() -> SyncView { SyncView([UInt8](repeating: 7, count: 16)) ?? someView() }

    static func run(_ count: Int) throws {
        let folder = try TestFolder()
        let device = try RealDevice(folder: folder.path)
        try programs(device)
        let limit = try atLimit(count)
        let circle = device.session
        let first = try Figure.time { try apply(count, round: 1, circle) }
        Figure.say("taking \(count) new items", first, "adding them at the limit", limit)
        let second = try Figure.time { try apply(count, round: 2, circle) }
        Figure.say("taking \(count) changes", second, "adding them at the limit", limit)
        _ = try circle.perform(.sync(.markAll))
        var (mark, items): (UInt64, Int) = (0, 0)
        let third = try Figure.time {
            while case .sync(.changes(let changes, _)) = try circle.perform(
                .sync(.changes(behind: mark, limit: atOnce))), let last = changes.last
            {
                (mark, items) = (last.mark, items + changes.count)
            }
        }
        Figure.say("reading \(items) changes", third, "adding them at the limit", limit)
        guard case .sync(.live(_, let live)) = try circle.perform(.sync(.live(of: view, among: []))), live == count
        else { throw Trouble("not all are there") }
    }

    /// What programs do, in a circle and in none, in turn, so that both meet the same machine.
    private static func programs(_ device: RealDevice) throws {
        let (circle, program) = (device.session, device.program)
        var (adds, updates): ([[Double]], [[Double]]) = ([[], []], [[], []])
        // It ends in a circle.
        for part in 0..<12 {
            let isOn = part % 2
            _ = try circle.perform(.sync(isOn == 1 ? .begin(state: [0]) : .end))
            let accounts = (0..<(times / 12)).map { "add \(part) \($0)" }
            adds[isOn].append(
                try Figure.time { for account in accounts { _ = try program.add(Sample.added(account)) } })
            updates[isOn].append(
                try Figure.time {
                    for account in accounts {
                        let changes = ItemChanges(
                            attributes: AttributeList(), group: nil, accessControl: nil, isSynchronizable: nil,
                            secret: SecretValue(copying: Array("another of \(account)".utf8)))
                        try program.update(
                            UpdateRequest(
                                predicate: Sample.predicate(account), changes: changes, tombstones: .whenSynchronizable)
                        )
                    }
                })
        }
        for (what, figures) in [("add", adds), ("update", updates)] {
            let each = figures.map { ($0.min() ?? 0) / Double(times / 12) }
            Figure.say("\(what) in a circle", each[1], "in none", each[0], atMost: 1.1)
        }
    }

    // MARK: Finds, counted by callgrind

    static func fill(_ folder: String, items: Int, isInCircle: Bool) throws {
        let device = try RealDevice(folder: folder)
        if isInCircle { _ = try device.session.perform(.sync(.begin(state: [UInt8](repeating: 1, count: 4000)))) }
        for number in 0..<items { _ = try device.program.add(Sample.added("item \(number)")) }
    }

    static func find(_ folder: String, items: Int, times: Int) throws {
        let device = try RealDevice(folder: folder)
        for number in 0..<times {
            // Spread, and the same in each process.
            let account = "item \((number &* 7919) % items)"
            let found = try device.program.match(
                MatchRequest(predicate: Sample.predicate(account), returning: .data, limit: .single))
            guard found.count == 1 else { throw Trouble("it was not found") }
        }
    }

    // MARK: The circle

    private static func apply(_ count: Int, round: Int, _ session: any KeychainSession) throws {
        for start in stride(from: 0, to: count, by: atOnce) {
            guard case .sync(.state(let state?)) = try session.perform(.sync(.state)) else { return }
            var batch = SyncBatch(version: state.version)
            batch.state = [UInt8](repeating: 1, count: 4000)
            batch.incoming = (start..<min(start + atOnce, count)).map { index in
                SyncIncoming(view: view, leaf: leaf(index, round), content: .item(Sample.item(index, round)))
            }
            _ = try session.perform(.sync(.apply(batch)))
        }
    }

    private static func leaf(_ index: Int, _ round: Int) -> SyncLeaf {
        // As spread as an HMAC is.
        let digest = (try? Digest.sha256(of: Array("\(index)".utf8))) ?? []
        let id = SyncRecordID(Array(digest.prefix(16))) ?? leaf(index, round).id
        return SyncLeaf(id: id, head: UInt64(round), digest: digest)
    }

    // MARK: The limit

    /// The same rows with their indexes and two seals each, as many at once, and nothing else.
    static func atLimit(_ count: Int, atOnce: Int = atOnce) throws -> Double {
        let folder = try TestFolder()
        let sqlite = try SQLiteConnection(path: folder.file("limit.db"), mode: .create)
        defer { sqlite.close() }
        try sqlite.execute("pragma journal_mode=wal")
        try sqlite.execute("pragma synchronous=full")
        for statement in DatabaseSchema.definition() { try sqlite.execute(statement) }
        let insert = try sqlite.prepare(
            """
            insert into genp(persistref, syncid, agrp, pdmn, sync, tomb, acct, svce, cdat, mdat, labl, data) \
            values(?, ?, 'test.shared', 'ck', 1, 0, ?, ?, 1000, 1001, ?, ?)
            """)
        let gcm = try GCM()
        return try Figure.time {
            for start in stride(from: 0, to: count, by: atOnce) {
                try sqlite.beginImmediate()
                for index in start..<min(start + atOnce, count) {
                    var blob: [UInt8] = Array("Lv".utf8)
                    for size in [320, 64] {
                        var random = SystemRandomNumberGenerator()
                        let key = (0..<4).flatMap { _ in
                            withUnsafeBytes(of: random.next() as UInt64) { Array($0) }
                        }
                        let plain = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: size)
                        var sealed = [UInt8](repeating: 0, count: size + 16)
                        try sealed.withUnsafeMutableBytes { output in
                            try key.withUnsafeBytes { key in
                                try plain.withUnsafeBytes { plain in
                                    try gcm.seal(key: key, additional: plain, plain: plain, into: output)
                                }
                            }
                        }
                        blob += sealed + [UInt8](repeating: 0, count: 40)
                    }
                    let digest = try Digest.sha256(of: Array("\(index)".utf8))
                    // A reference begins with the time, so its index grows at the end.
                    let reference = withUnsafeBytes(of: UInt64(index).bigEndian) { Array($0) } + digest.prefix(8)
                    try insert.bind(blob: reference, at: 1)
                    try insert.bind(blob: Array(digest.suffix(16)), at: 2)
                    try insert.bind(blob: Array(digest.prefix(16)), at: 3)
                    try insert.bind(
                        blob: Array(try Digest.sha256(of: Array("service \(index % 1000)".utf8)).prefix(16)), at: 4)
                    try insert.bind(blob: Array(digest.prefix(16)), at: 5)
                    try insert.bind(blob: blob, at: 6)
                    try insert.run()
                }
                try sqlite.commit()
            }
        }
    }
}
