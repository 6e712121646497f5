// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What failed in SQLite, and where: numbers only.
///
/// SQLite's own message is left out on purpose: it quotes the statement, and a caller who built one from a value would
/// find the value in a log.
package struct SQLiteError: Error, Hashable, Sendable {
    /// What was being done.
    package enum Operation: Sendable {
        case open, configure, prepare, bind, step, execute, begin, commit, backup
    }

    package let code: ResultCode
    package let operation: Operation
    /// The errno behind `code`, 0 where SQLite recorded none.
    package let systemError: Int32

    package init(code: ResultCode, operation: Operation, systemError: Int32 = 0) {
        self.code = code
        self.operation = operation
        self.systemError = systemError
    }
}

extension SQLiteError {
    /// Whether the disk, the user's share of it, or what this process may make of a file is full.
    ///
    /// Where there is no room for the index of the log, which is made for reading too, SQLite keeps no errno.
    package var isForWantOfRoom: Bool {
        code.isFull || code == .ioSharedMemorySize && systemError != EIO
            || [ENOSPC, EDQUOT, EFBIG].contains(systemError)
    }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        "SQLite \(operation): \(code)" + (systemError == 0 ? "" : ", errno \(systemError)")
    }
}
