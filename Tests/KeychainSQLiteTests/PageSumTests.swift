// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Testing

@Suite struct PageSumTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("a.db") }

    /// A database of some forty pages: rows that go on in other pages, an index, and what deletions left.
    private func filled(log: Bool = false) throws -> SQLiteConnection {
        try Data().write(to: URL(fileURLWithPath: path))
        let connection = try SQLiteConnection(path: path, mode: .fill)
        try connection.execute("pragma journal_mode=wal; pragma synchronous=off")
        if log { try connection.execute("pragma wal_autocheckpoint=0") }
        try connection.execute("create table t(a integer primary key, b blob unique, c blob)")
        try connection.execute(
            """
            with recursive n(i) as (select 1 union all select i + 1 from n where i < 120)
            insert into t select i, randomblob(16), randomblob(case i % 9 when 0 then 6000 else 300 end) from n
            """)
        try connection.execute("delete from t where a % 10 = 3")
        return connection
    }

    /// Every value of every row, by table and by index; nil where a page cannot be read.
    private func content() throws(SQLiteError) -> [[UInt8]]? {
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            var values: [[UInt8]] = []
            for query in ["select a, b, c from t order by a", "select b, a, null from t order by b"] {
                let statement = try connection.prepare(query)
                while try statement.step() { for column in 0..<3 { values.append(statement.blob(column)) } }
            }
            return values
        } catch {
            guard error.code.isDamagedPage || error.code.isCorruption else { throw error }
            return nil
        }
    }

    /// Runs `body` with each of some changed contents in the place of a file.
    private func tampering(
        _ file: String, _ changes: [(Data) -> Data], _ body: (Int) throws -> Void
    ) throws {
        let url = URL(fileURLWithPath: file)
        let whole = try Data(contentsOf: url)
        for (number, change) in changes.enumerated() {
            try change(whole).write(to: url)
            try body(number)
        }
        try whole.write(to: url)
    }

    private func flip(at position: Int) -> (Data) -> Data {
        { data in
            var data = data
            data[position] ^= 1 << UInt8(position % 8)
            return data
        }
    }

    @Test("a page with one changed bit, a sector of zeros, another page's content or a missing end is never believed")
    func damaged() throws {
        try filled().close()
        let whole = try content()
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        #expect(whole != nil && size > 30 * 4096)
        let flips = stride(from: 0, to: size, by: 211).map(flip)
        let sectors = stride(from: 0, to: size, by: 512).map { start in
            { (data: Data) -> Data in
                var data = data
                data.replaceSubrange(start..<start + 512, with: Data(count: 512))
                return data
            }
        }
        let swaps = (1..<size / 4096 - 1).map { page in
            { (data: Data) -> Data in
                var data = data
                data.replaceSubrange(page * 4096..<(page + 1) * 4096, with: data[(page + 1) * 4096..<(page + 2) * 4096])
                return data
            }
        }
        let cuts = stride(from: 4096, to: size, by: 1024).map { count in { (data: Data) in data.prefix(count) } }
        var noticed = 0
        try tampering(path, flips + sectors + swaps + cuts) { number in
            let found = try content()
            #expect(found == nil || found == whole, "change \(number)")
            if found == nil { noticed += 1 }
        }
        // The others are of pages that no query reads.
        #expect(noticed > (flips.count + sectors.count + swaps.count + cuts.count) * 3 / 4)
        #expect(try content() == whole)
    }

    @Test("a changed byte of the log is never believed while a connection goes on with it")
    func damagedLog() throws {
        let connection = try filled(log: true)
        let whole = try content()
        let log = URL(fileURLWithPath: path + "-wal")
        let bytes = try Data(contentsOf: log)
        // The log is no file that SQLite locks.
        let handle = try FileHandle(forUpdating: log)
        var noticed = 0
        for position in stride(from: 32, to: bytes.count, by: 173) {
            try handle.seek(toOffset: UInt64(position))
            try handle.write(contentsOf: [bytes[position] ^ 0x20])
            let found = try content()
            #expect(found == nil || found == whole, "byte \(position)")
            if found == nil { noticed += 1 }
            try handle.seek(toOffset: UInt64(position))
            try handle.write(contentsOf: [bytes[position]])
        }
        // Zeros go on from zeros, as sums do.
        for frame in stride(from: 0, to: (bytes.count - 32) / 4120 - 2, by: 3) {
            let place = 32 + frame * 4120
            try handle.seek(toOffset: UInt64(place))
            try handle.write(contentsOf: Data(count: 2 * 4120))
            let found = try content()
            #expect(found == nil || found == whole, "frame \(frame)")
            try handle.seek(toOffset: UInt64(place))
            try handle.write(contentsOf: bytes[place..<place + 2 * 4120])
        }
        #expect(noticed > 50 && whole != nil)
        connection.close()
    }

    @Test("what another program writes without sums is noticed, and every page is counted that it wrote")
    func foreign() throws {
        try filled().close()
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        let before = try connection.examinePages()
        #expect(try before.hasSums && before.pages == connection.pageCount && before.damaged == 0)
        connection.close()
        let sqlite = Process()
        sqlite.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        sqlite.arguments = [
            "-c",
            "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute('update t set c=zeroblob(300) where a=7'); d.commit()",
            path,
        ]
        try sqlite.run()
        sqlite.waitUntilExit()
        #expect(sqlite.terminationStatus == 0)
        #expect(try content() == nil)
        let reader = try SQLiteConnection(path: path, mode: .readWrite)
        #expect(try reader.examinePages().damaged > 0)
        // Who trusts the pages reads what was written.
        try reader.trustPages()
        let row = try reader.prepare("select c from t where a = 7")
        #expect(try row.step() && row.blob(0) == [UInt8](repeating: 0, count: 300))
    }

    @Test("a sample has each page in one of its shares, and finds what is damaged in that one")
    func sample() throws {
        try filled().close()
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        try tampering(path, [flip(at: 9 * 4096 + 100)]) { _ in
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            defer { connection.close() }
            let shares = try (1...UInt32(4)).map { try connection.examinePages(from: $0, step: 4) }
            #expect(shares.map(\.pages).reduce(0, +) == size / 4096 && shares.allSatisfy(\.hasSums))
            // The tenth page.
            #expect(shares.map(\.damaged) == [0, 1, 0, 0])
            #expect(throws: SQLiteError.self) { try connection.examinePages(from: 0, step: 4) }
        }
    }

    @Test("a database without sums works as ever, and its copy has sums and every row")
    func upgraded() throws {
        let plain = try SQLiteConnection(path: path, mode: .create)
        try plain.execute("create table t(a integer primary key, b blob unique, c blob)")
        // More pages than are kept in memory, so that some are written before the first one.
        try plain.execute("pragma cache_size=10")
        try plain.execute(
            """
            with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
            insert into t select i, randomblob(16), randomblob(400) from n
            """)
        #expect(try !plain.examinePages().hasSums)
        let whole = try content()
        let copy = folder.file("copy.db")
        try Data().write(to: URL(fileURLWithPath: copy))
        try plain.copyWithSums(to: copy)
        plain.close()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: copy, toPath: path)
        let examined = try SQLiteConnection(path: path, mode: .readWrite).examinePages()
        #expect(examined.hasSums && examined.pages > 200 && examined.damaged == 0)
        #expect(try content() == whole && whole?.count == 12000)
    }

    @Test("a transaction reads what it has written and not committed, also what no longer fits in memory")
    func ownPages() throws {
        let connection = try filled()
        try connection.execute("pragma cache_size=5")
        try connection.execute("begin immediate; update t set c = randomblob(700)")
        try connection.execute("savepoint s; update t set b = randomblob(16); rollback to s")
        #expect(try connection.number("cache_size") == 5)
        let sum = try connection.prepare("select sum(length(c)) from t")
        #expect(try sum.step() && sum.int64(0) == 108 * 700)
        sum.reset()
        try connection.execute("commit")
        connection.close()
        #expect(try content() != nil)
        let again = try SQLiteConnection(path: path, mode: .readWrite)
        #expect(try again.examinePages().damaged == 0)
    }
}

extension SQLiteConnection {
    fileprivate var pageCount: Int { get throws { try Int(number("page_count")) } }
}
