// SPDX-License-Identifier: Apache-2.0

import Foundation

/// SQLCipher, which encrypts a whole database page by page.
///
/// One row in a durable transaction, one row found.
enum SQLCipher {
    private static let items = 10_000

    static func rows(beside rows: [Row]) -> [Row] {
        func ours(_ name: String) -> Double? { rows.first { $0.name == name && $0.items == items }?.ours }
        do {
            guard let times = try measure() else {
                return [Row(name: "SQLCipher", items: items, unit: .nothing, note: "not installed")]
            }
            return [
                Row(name: "SQLCipher: find", items: items, ours: ours(RowName.find), peer: times.find),
                Row(name: "SQLCipher: add", items: items, ours: ours(RowName.add), peer: times.add),
            ]
        } catch {
            return [Row(name: "SQLCipher", items: items, unit: .nothing, note: "not measured: \(error)")]
        }
    }

    private static func measure() throws -> (add: Double, find: Double)? {
        guard let library = DynamicLibrary(["libsqlcipher.so.0", "libsqlcipher.so.1", "libsqlcipher.so"]) else {
            return nil
        }
        let folder = try TemporaryFolder()
        let database = try SQLCipherDatabase(library, path: folder.path + "/cipher.db")
        defer { database.close() }
        try database.run("pragma key = 'a passphrase'")
        guard try database.isEncrypting() else { throw WrongResult("another SQLite answers in its place") }
        try database.run("pragma journal_mode=wal; pragma synchronous=full")
        try database.run(
            "create table genp(rowid integer primary key, cdat real, mdat real, acct text, svce text, agrp text,"
                + " pdmn text, sync int, data blob, unique(acct, svce, agrp, sync)); create index svce on genp(svce)")
        let insert = try database.prepare(
            "insert into genp(cdat, mdat, acct, svce, agrp, pdmn, sync, data)"
                + " values(0, 0, ?, 'service', 'group', 'ak', 0, zeroblob(232))")
        let find = try database.prepare(
            "select data from genp where acct = ? and svce = 'service' and agrp = 'group' and sync = 0")
        try database.run("begin")
        for number in 0..<items { try insert.run("account\(number)", expecting: 101) }
        try database.run("commit")

        var random = SplitMix(seed: 3)
        var times: (add: [Double], find: [Double]) = ([], [])
        for round in 0..<7 {
            let first = items + round * 200
            times.add.append(
                try Stopwatch.each(200) {
                    for number in first..<first + 200 {
                        try database.run("begin immediate")
                        try insert.run("account\(number)", expecting: 101)
                        try database.run("commit")
                    }
                })
            let wanted = (0..<2000).map { _ in "account\(Int.random(in: 0..<items, using: &random))" }
            times.find.append(
                try Stopwatch.each(wanted.count) { for account in wanted { try find.run(account, expecting: 100) } })
        }
        guard let add = times.add.median, let found = times.find.median else { return nil }
        return (add, found)
    }
}
