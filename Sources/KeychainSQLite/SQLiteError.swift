// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
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

/// SQLite's answer to a call, an extended result code.
package struct ResultCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The code without what extends it: `busySnapshot` and `busy` share one.
    package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

    /// A row with this key is there already.
    package var isUniqueViolation: Bool {
        switch self {
        case .uniqueViolation, .primaryKeyViolation, .rowIDViolation: true
        default: false
        }
    }

    /// The file is damaged, or no database at all.
    package var isCorruption: Bool { primary == .corrupt || primary == .notADatabase }
    /// The code as an error's number.
    package var number: Int64 { Int64(rawValue) }
    /// A page is not what was written; the others may be.
    package var isDamagedPage: Bool { primary == .corrupt || self == .damagedPage }
    /// Another connection held the lock for longer than we wait, or wrote after our snapshot.
    package var isBusy: Bool { primary == .busy }
    package var isReadOnly: Bool { primary == .readOnly }
    /// The disk, or the file's allowed size, is full.
    package var isFull: Bool { primary == .full }
    /// Reading or writing the file failed; `SQLiteError.systemError` says how.
    package var isIO: Bool { primary == .io }
}

extension ResultCode {
    package static let ok = ResultCode(rawValue: SQLITE_OK)
    package static let error = ResultCode(rawValue: SQLITE_ERROR)
    package static let permission = ResultCode(rawValue: SQLITE_PERM)
    package static let abort = ResultCode(rawValue: SQLITE_ABORT)
    package static let busy = ResultCode(rawValue: SQLITE_BUSY)
    package static let locked = ResultCode(rawValue: SQLITE_LOCKED)
    package static let noMemory = ResultCode(rawValue: SQLITE_NOMEM)
    package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
    package static let io = ResultCode(rawValue: SQLITE_IOERR)
    package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
    package static let full = ResultCode(rawValue: SQLITE_FULL)
    package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
    package static let schemaChanged = ResultCode(rawValue: SQLITE_SCHEMA)
    package static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
    package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
    package static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
    package static let range = ResultCode(rawValue: SQLITE_RANGE)
    package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
    // Extended codes: the primary code and a number above it. Spelled out because macros built from macros
    // do not all reach Swift.
    package static let busySnapshot = ResultCode(rawValue: SQLITE_BUSY | 2 << 8)
    package static let damagedPage = ResultCode(rawValue: SQLITE_IOERR | 32 << 8)
    package static let ioSharedMemorySize = ResultCode(rawValue: SQLITE_IOERR | 19 << 8)
    package static let cannotOpenSymbolicLink = ResultCode(rawValue: SQLITE_CANTOPEN | 6 << 8)
    package static let primaryKeyViolation = ResultCode(rawValue: SQLITE_CONSTRAINT | 6 << 8)
    package static let uniqueViolation = ResultCode(rawValue: SQLITE_CONSTRAINT | 8 << 8)
    package static let rowIDViolation = ResultCode(rawValue: SQLITE_CONSTRAINT | 10 << 8)
}

extension ResultCode: CustomStringConvertible {
    /// SQLite's fixed English name of the code; it never contains anything of a statement.
    package var description: String {
        let name = unsafe sqlite3_errstr(rawValue).map { unsafe String(cString: $0) }
        return "\(name ?? "unknown") (\(rawValue))"
    }
}
