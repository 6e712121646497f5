// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation
import KeychainSQLite

/// A program with one thread forks while a connection of its own is in a transaction.
///
/// A process of its own: another thread of it could hold a lock of SQLite at the fork, which the child would then wait for.
/// The library enters the fork gate around every call, so that this does not happen to a program; tests of connections do not.
enum SQLiteFork {
    /// Makes a database at the path, forks, and says how the child ended and what the parent then sees.
    static func run(_ arguments: [String]) -> Int32 {
        guard let path = arguments.first else { return 64 }
        do {
            try fork(path)
            return 0
        } catch {
            say("failed", error)
            return 1
        }
    }

    private static func fork(_ path: String) throws {
        var connection: SQLiteConnection? = try SQLiteConnection(path: path, mode: .create)
        try connection?.execute("pragma journal_mode=wal; create table t(a)")
        var statement: Statement? = try connection?.prepare("insert into t values(1)")
        try statement?.run()
        try connection?.beginImmediate()

        let child = llt_fork()
        if child == 0 {
            guard connection?.isAbandoned == true, connection?.isInTransaction == false else { _exit(1) }
            guard (try? statement?.run()) == nil else { _exit(2) }
            connection?.rollback()
            connection?.close()
            statement = nil
            connection = nil
            guard let own = try? SQLiteConnection(path: path, mode: .readWrite) else { _exit(3) }
            own.busyTimeout = 0
            // The parent's transaction is still open: closing here did not take its lock back.
            guard (try? own.execute("insert into t values(2)")) == nil else { _exit(4) }
            guard let rows = try? own.prepare("select count(*) from t"), (try? rows.step()) == true else { _exit(5) }
            _exit(rows.int64(0) == 1 ? 0 : 6)
        }
        var status: Int32 = 0
        say("child", llt_wait(child, 900_000, &status) ? llt_exit_code(status) : -1)
        try statement?.run()
        try connection?.commit()
        let rows = try connection?.prepare("select count(*) from t")
        say("rows", try rows?.step() == true ? rows?.int64(0) ?? -1 : -1)
    }
}
