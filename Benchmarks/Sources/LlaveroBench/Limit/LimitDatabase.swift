// SPDX-License-Identifier: Apache-2.0

import CLimit

/// The database of the limit: one table with the unique key and the service index, WAL, synchronous=full.
final class LimitDatabase {
    private let handle: OpaquePointer
    let insert: OpaquePointer
    let find: OpaquePointer
    let first: OpaquePointer
    let list: OpaquePointer
    let delete: OpaquePointer

    private static let schema = """
        create table if not exists genp(rowid integer primary key, cdat real, mdat real, acct blob, svce blob, agrp text, pdmn text,
          sync int, data blob, unique(acct, svce, agrp, sync));
        create index if not exists svce on genp(svce)
        """

    init(path: String) throws(WrongResult) {
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else {
            throw WrongResult("SQLite does not open \(path)")
        }
        self.handle = handle
        func prepare(_ sql: String) throws(WrongResult) -> OpaquePointer {
            var statement: OpaquePointer?
            guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
                throw WrongResult("SQLite does not prepare: \(sql)")
            }
            return statement
        }
        try Self.run("pragma journal_mode=wal; pragma synchronous=full", on: handle)
        try Self.run(Self.schema, on: handle)
        insert = try prepare(
            "insert into genp(cdat,mdat,acct,svce,agrp,pdmn,sync,data) values(?,?,?,?,'group','ak',0,?)")
        find = try prepare("select data from genp where acct=? and svce=? and agrp='group' and sync=0")
        first = try prepare("select data from genp where svce=? and agrp='group' and sync=0 limit 1")
        list = try prepare("select data from genp")
        delete = try prepare("delete from genp where acct=? and svce=? and agrp='group' and sync=0")
    }

    deinit {
        for statement in [insert, find, first, list, delete] { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    func run(_ sql: String) throws(WrongResult) { try Self.run(sql, on: handle) }

    private static func run(_ sql: String, on handle: OpaquePointer) throws(WrongResult) {
        try WrongResult.unless(
            sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
    }
}
