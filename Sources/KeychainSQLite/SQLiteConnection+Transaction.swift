// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// The statements every connection runs again and again, compiled at first use.
internal struct CachedStatements {
    var begin: Statement?
    var beginReading: Statement?
    var commit: Statement?
    var rollback: Statement?
    var userVersion: Statement?
}

extension SQLiteConnection {
    package var isInTransaction: Bool {
        guard database.isUsable else { return false }
        return unsafe sqlite3_get_autocommit(database.handle) == 0
    }

    /// Begins a transaction that may write, waiting for the connection's turn and for the lock now.
    ///
    /// One begun for reading that turns to writing would fail at once when another connection has committed since,
    /// whatever the timeout. One operation spans the transaction: a fork may otherwise come in
    /// the middle of it and make other writers wait.
    package func beginImmediate() throws(SQLiteError) {
        // SQLite takes "immediate" on a database it may not write as "begin to read".
        if database.isUsable && isReadOnly { throw SQLiteError(code: .readOnly, operation: .begin) }
        try queue?.enter(within: busyTimeout)
        do throws(SQLiteError) { try cached(\.begin, "begin immediate").run(.begin) } catch {
            queue?.leave()
            throw error
        }
    }

    /// Begins a transaction for reading: all that is read in it is of one moment.
    ///
    /// It never turns to writing.
    package func beginReading() throws(SQLiteError) {
        try cached(\.beginReading, "begin").run(.begin)
    }

    /// Commits.
    ///
    /// When it throws, the transaction may still be open: roll back.
    package func commit() throws(SQLiteError) {
        try cached(\.commit, "commit").run(.commit)
        queue?.leave()
    }

    /// Undoes the open transaction, if there is one.
    ///
    /// After some errors (full disk, failed read) SQLite already did.
    package func rollback() {
        defer { queue?.leave() }
        guard isInTransaction else { return }
        // What a rollback cannot undo now, the journal undoes when the file is opened next.
        try? cached(\.rollback, "rollback").run()
    }

    /// Folds the log in and cuts it to nothing, unless a connection reads there now.
    ///
    /// Waits for the connection's turn, at most so many seconds, and not for readers.
    package func truncateLog(within seconds: Double = 2) throws(SQLiteError) {
        try queue?.enter(within: seconds)
        defer { queue?.leave() }
        let usual = busyTimeout
        busyTimeout = 0
        defer { busyTimeout = usual }
        try execute("pragma wal_checkpoint(truncate)")
    }

    /// A number of ours in the file's header.
    package func userVersion() throws(SQLiteError) -> Int32 {
        let statement = try cached(\.userVersion, "pragma user_version")
        defer { statement.reset() }
        guard try statement.step() else { throw SQLiteError(code: .corrupt, operation: .step) }
        return Int32(truncatingIfNeeded: statement.int64(0))
    }

    /// What SQLite says of the file under one of its names for such numbers.
    package func number(_ pragma: StaticString) throws(SQLiteError) -> Int64 {
        let statement = try prepare("pragma \(pragma)")
        defer { statement.reset() }
        guard try statement.step() else { throw SQLiteError(code: .corrupt, operation: .step) }
        return statement.int64(0)
    }

    package func setUserVersion(_ version: Int32) throws(SQLiteError) {
        try execute("pragma user_version = \(version)")
    }

    private func cached(
        _ slot: WritableKeyPath<CachedStatements, Statement?>, _ sql: String
    ) throws(SQLiteError) -> Statement {
        if let statement = transaction[keyPath: slot] { return statement }
        let statement = try prepare(sql)
        transaction[keyPath: slot] = statement
        return statement
    }
}
