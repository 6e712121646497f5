// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import Glibc
internal import KeychainSystem

/// A line on standard error for each statement that has run, where `LLAVERO_TRACE=sql` asks a debug build for it.
///
/// `trace[4711] sql 31 us, 1 row, 58 steps: select … where agrp = ?1`. The text is the one that was compiled: values are
/// bound to its parameters, and SQLite is not asked for them.
internal enum SQLTrace {
    /// What watches the statements of a database, to be kept for as long as it has any; nil where no trace is wanted.
    static func statements(of database: OpaquePointer) -> AnyObject? {
        #if DEBUG
            if DebugBuild.traces("sql") { return unsafe StatementTrace(of: database) }
        #endif
        return nil
    }
}

#if DEBUG
    /// Counts the rows of the statements that run, which SQLite does not, and takes the time, of which SQLite has milliseconds.
    private final class StatementTrace {
        private struct Run {
            var rows = 0
            let began = StatementTrace.now()
        }

        /// By statement: one may run while another is between two of its rows.
        private var runs: [UInt: Run] = [:]

        init(of database: OpaquePointer) {
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe sqlite3_trace_v2(
                database, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE),
                { event, context, statement, detail in
                    guard let context = unsafe context, let statement = unsafe statement else { return 0 }
                    let trace = unsafe Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue()
                    let key = UInt(bitPattern: statement)
                    switch Int32(bitPattern: event) {
                    case SQLITE_TRACE_STMT:
                        // A trigger of a statement is told of as a comment.
                        let isTrigger = unsafe detail?.load(as: UInt8.self) == UInt8(ascii: "-")
                        if !isTrigger { trace.runs[key] = Run() }
                    case SQLITE_TRACE_ROW: trace.runs[key]?.rows += 1
                    default: if let run = trace.runs.removeValue(forKey: key) { unsafe trace.end(run, of: statement) }
                    }
                    return 0
                }, context)
        }

        private func end(_ run: Run, of statement: UnsafeMutableRawPointer) {
            let handle = OpaquePointer(statement)
            let steps = unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1)
            guard let text = unsafe sqlite3_sql(handle) else { return }
            let words = unsafe String(cString: text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let rows = run.rows == 1 ? "1 row" : "\(run.rows) rows"
            DebugBuild.trace("sql \((StatementTrace.now() - run.began) / 1000) us, \(rows), \(steps) steps: \(words)")
        }

        private static func now() -> UInt64 {
            var time = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }
    }
#endif
