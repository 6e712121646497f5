// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

extension Connection {
    /// A database as it is now together with the log beside it, where both can be read and nothing can be written: SQLite
    /// makes the index of a log anew only in a file beside it.
    ///
    /// It is a copy in a folder that is gone when this returns; what happens to the database later it does not show.
    package static func copy(of path: String) throws(SQLiteError) -> Connection {
        let original = try DatabasePath(path).resolved
        var failure: Int32 = 0
        // In memory where that is possible; it is as readable there as here, for this user alone.
        for parent in ["/dev/shm", "/tmp"] {
            var template = Array("\(parent)/llavero-copy-XXXXXX".utf8CString)
            guard unsafe mkdtemp(&template) != nil else {
                failure = errno
                continue
            }
            let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let copy = folder + "/copy.db"
            defer {
                for ending in ["", "-wal", "-shm", "-journal"] { unsafe unlink(copy + ending) }
                unsafe rmdir(folder)
            }
            failure = 0
            for ending in ["", "-wal"] where failure == 0 {
                failure = unsafe llv_copy_file(original + ending, copy + ending)
            }
            guard failure == 0 else { continue }
            let connection = try Connection(path: copy, mode: .readWrite)
            do throws(SQLiteError) {
                try connection.execute("pragma locking_mode=exclusive")
                _ = try connection.userVersion()
                try connection.execute("pragma query_only=1")
            } catch {
                connection.close()
                throw error
            }
            return connection
        }
        throw SQLiteError(code: .cannotOpen, operation: .open, systemError: failure)
    }
}
