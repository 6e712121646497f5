// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainSQLite
import KeychainStore
import TestProcesses

/// The same rows as a keychain's with their indexes and two seals each, by SQLite and OpenSSL, and nothing else.
final class LimitKeychain {
    private let folder: TestFolder
    private let sqlite: SQLiteConnection
    private let insert: Statement
    private let gcm: GCM

    init() throws {
        folder = try TestFolder()
        sqlite = try SQLiteConnection(path: folder.file("limit.db"), mode: .create)
        try sqlite.execute("pragma journal_mode=wal")
        try sqlite.execute("pragma synchronous=full")
        for statement in DatabaseSchema.definition() { try sqlite.execute(statement) }
        insert = try sqlite.prepare(
            """
            insert into genp(persistref, syncid, agrp, pdmn, sync, tomb, acct, svce, cdat, mdat, labl, data) \
            values(?, ?, 'test.shared', 'ck', 1, 0, ?, ?, 1000, 1001, ?, ?)
            """)
        gcm = try GCM()
    }

    func close() { sqlite.close() }

    /// How long so many take, in commits of a thousand.
    static func time(_ count: Int) throws -> Double {
        let keychain = try LimitKeychain()
        defer { keychain.close() }
        return try Figure.time {
            for start in stride(from: 0, to: count, by: StoreCosts.atOnce) {
                try keychain.add(start..<min(start + StoreCosts.atOnce, count))
            }
        }
    }

    /// Adds rows in one commit.
    func add(_ indices: Range<Int>) throws {
        try sqlite.beginImmediate()
        for index in indices {
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
