// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CSQLite
internal import KeychainModel

/// The SQLite handles of this process, so that a forked child can rid SQLite of those it inherited.
///
/// SQLite keeps, per file, what locks its process holds. A child inherits that record and none of the locks: what it
/// opens next would rely on a lock nobody holds, and when the parent's last connection closes, it would fold in and
/// delete the log the child goes on writing to.
internal enum InheritedHandles {
    /// Safe to share: a handle is only used by the child that inherited it, where nobody else knows it.
    @safe
    private struct Entry: @unchecked Sendable {
        let handle: OpaquePointer
        let epoch: UInt32
    }

    private static let entries = ForkSafeMutex<[Entry]>([])

    /// Call it inside an operation, like the two below.
    static func insert(_ handle: OpaquePointer, epoch: UInt32) {
        let entry = unsafe Entry(handle: handle, epoch: epoch)
        entries.withLock { $0.append(entry) }
    }

    static func remove(_ handle: OpaquePointer) {
        entries.withLock { entries in
            let index = entries.firstIndex { unsafe $0.handle == handle }
            if let index { entries.remove(at: index) }
        }
    }

    /// Closes what an earlier process opened; its own locks and files are out of reach from here and stay.
    static func closeAll() {
        let now = llv_fork_epoch()
        entries.withLock { entries in
            for entry in entries where entry.epoch != now { unsafe close(entry.handle) }
            entries.removeAll { $0.epoch != now }
        }
    }

    private static func close(_ handle: OpaquePointer) {
        // A rollback would change the log's index, which is shared with the parent. There is a transaction only when a
        // thread forked in the middle of its own, and such a child is good for exec alone.
        guard unsafe sqlite3_get_autocommit(handle) != 0 else { return }
        // Without this, closing folds in the log and deletes it as soon as the parent is gone.
        guard unsafe llv_sqlite_set_option(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) == SQLITE_OK else { return }
        while let statement = unsafe sqlite3_next_stmt(handle, nil) { unsafe sqlite3_finalize(statement) }
        unsafe sqlite3_close_v2(handle)
    }
}
