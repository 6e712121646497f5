// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSQLite
import KeychainStore
import Security

/// What a circle costs a keychain, beside the same rows and seals by SQLite and OpenSSL alone: `Scripts/bench.sh --circle N`.
enum CircleMeasure {
    private static let view = someView()
    private static let atOnce = 1000
    private static let adds = 3000

    private static func someView() -> SyncView { SyncView([UInt8](repeating: 7, count: 16)) ?? someView() }

    static func run(_ count: Int) -> Int32 {
        do {
            let host = try ProcessHost.host().embedded
            var caller = Caller(groups: [], seesEveryGroup: false, administersKeys: false, program: nil)
            caller.synchronizes = true
            let circle = try host.session(for: caller)
            let program = try host.session(
                for: Caller(groups: [.open], seesEveryGroup: false, administersKeys: false, program: nil))
            // In turn, so that both meet the same machine.
            var (off, on): ([Double], [Double]) = ([], [])
            for part in 0..<12 {
                let isOn = part % 2 == 1
                _ = try circle.perform(.sync(isOn ? .begin(state: [0]) : .end))
                let seconds = try time {
                    for index in 0..<(adds / 12) { _ = try program.add(added("add \(part) \(index)")) }
                }
                if isOn { on.append(seconds) } else { off.append(seconds) }
            }
            let (slow, fast) = (on.min() ?? 0, off.min() ?? 1)
            print("add, in a circle : in none   \(format(slow / fast)) (\(format(slow / Double(adds / 12) * 1e6)) us)")
            let limit = try atLimit(count)
            let before = memory()
            let first = try time { try apply(count, round: 1, circle) }
            print(
                "apply of \(count) new   \(format(first)) s, limit \(format(limit)) s, ratio \(format(first / limit))")
            let second = try time { try apply(count, round: 2, circle) }
            print("apply of \(count) changed   \(format(second)) s, ratio \(format(second / limit))")
            print("memory at most   \(memory()) kB, before \(before) kB")
            _ = try circle.perform(.sync(.markAll))
            var (mark, items): (UInt64, Int) = (0, 0)
            let third = try time {
                while case .sync(.changes(let changes, _)) = try circle.perform(
                    .sync(.changes(behind: mark, limit: atOnce))), let last = changes.last
                {
                    (mark, items) = (last.mark, items + changes.count)
                }
            }
            print("changes, \(items) items   \(format(third)) s; memory at most \(memory()) kB")
            guard case .sync(.live(_, let live)) = try circle.perform(.sync(.live(of: view, among: []))), live == count
            else {
                print("not all are there")
                return 1
            }
            return 0
        } catch {
            print("\(error)")
            return 1
        }
    }

    private static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        try body()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }

    private static func format(_ number: Double) -> String { String(format: "%.2f", number) }

    private static func memory() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }

    // MARK: The circle

    private static func apply(_ count: Int, round: Int, _ session: any KeychainSession) throws {
        for start in stride(from: 0, to: count, by: atOnce) {
            guard case .sync(.state(let state?)) = try session.perform(.sync(.state)) else { return }
            var batch = SyncBatch(version: state.version)
            batch.state = [UInt8](repeating: 1, count: 4000)
            batch.incoming = (start..<min(start + atOnce, count)).map { index in
                SyncIncoming(view: view, leaf: leaf(index, round), content: .item(item(index, round)))
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

    private static func item(_ index: Int, _ round: Int) -> SyncItem {
        var attributes = AttributeList()
        attributes[.account] = .string("user\(index)@example.com")
        attributes[.service] = .string("service \(index % 1000)")
        attributes[.label] = .string("An item of a circle")
        attributes[.accessGroup] = .string("test.shared")
        attributes[.accessible] = .string("ck")
        attributes[.synchronizable] = .number(1)
        attributes[.tombstone] = .number(0)
        attributes[.creationDate] = .date(1000)
        attributes[.modificationDate] = .date(1000 + Double(round))
        return SyncItem(
            itemClass: .genericPassword, attributes: attributes,
            secret: SecretValue(copying: Array("password \(round) of \(index)".utf8)))
    }

    private static func added(_ account: String) -> AddRequest {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        attributes[.service] = .string("service")
        return AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
            protection: .accessControl(AccessControl(protection: .whenUnlocked)), isSynchronizable: true,
            isTombstone: false, secret: SecretValue(copying: Array("password".utf8)), returning: [], origin: .caller)
    }

    // MARK: The limit

    /// The same rows with their indexes and two seals each, as many at once, and nothing else.
    private static func atLimit(_ count: Int) throws -> Double {
        let folder = NSTemporaryDirectory() + "limit-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let sqlite = try SQLiteConnection(path: folder + "/limit.db", mode: .create)
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
        return try time {
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
