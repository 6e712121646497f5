// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The queue in which connections wait that want to write, of all processes together: each gets its turn, in the order in
/// which they came.
///
/// Every commit with the checkpoint that SQLite may add to it, and every checkpoint of our own, happens in a turn. This is
/// more than fairness: SQLite before 3.51.3 may lose commits when one connection begins the log anew while another one
/// begins a checkpoint (the WAL-reset bug, https://sqlite.org/wal.html#walresetbug). The checkpoint of the last
/// connection that closes needs no turn, for SQLite holds the whole file then.
// Safe: for one thread at a time, like the connection that has it.
@safe
internal final class WriterQueue {
    private let path: String
    private var handle: OpaquePointer?
    private var isEntered = false
    private var epoch: UInt32 = 0

    /// The file at `path` is made when the first turn is taken.
    init(path: String) { self.path = path }

    deinit { close() }

    /// Waits for the turn, at most so many seconds; then throws `busy`.
    ///
    /// Also throws at once when the file system has no locks to give, which SQLite itself would ask for again and again.
    func enter(within seconds: Double) throws(SQLiteError) {
        guard let handle = try unsafe opened() else { return }
        let failure = unsafe llv_queue_enter(handle, seconds)
        switch failure {
        case 0: isEntered = true
        case ETIMEDOUT: throw SQLiteError(code: .busy, operation: .begin)
        default: throw SQLiteError(code: .io, operation: .begin, systemError: failure)
        }
    }

    /// Lets the next one have its turn, if this one has it.
    func leave() {
        guard isEntered, let handle = unsafe handle else { return }
        isEntered = false
        // What a forked child does here would end its parent's turn.
        if epoch == llv_fork_epoch() { unsafe llv_queue_leave(handle) }
    }

    func close() {
        leave()
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        if epoch == llv_fork_epoch() { unsafe llv_queue_close(handle) }
    }

    /// The open queue; nil where there can be none, because its file is not there yet and the disk has no room for it.
    private func opened() throws(SQLiteError) -> OpaquePointer? {
        if let handle = unsafe handle, epoch == llv_fork_epoch() { return unsafe handle }
        var failure: Int32 = 0
        unsafe handle = unsafe llv_queue_open(path, &failure)
        epoch = llv_fork_epoch()
        if let handle = unsafe handle { return unsafe handle }
        switch failure {
        case ENOSPC, EDQUOT: return nil
        case EROFS: throw SQLiteError(code: .readOnly, operation: .begin, systemError: failure)
        default: throw SQLiteError(code: .cannotOpen, operation: .begin, systemError: failure)
        }
    }
}
