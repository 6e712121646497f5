// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CSQLite
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

/// Decides how long a connection waits while another one holds the lock it needs.
///
/// SQLite's locks have no queue: the connection that asks while the lock is free gets it. So the pauses are random, which
/// spreads those who ask. Writers that have a `WriterQueue` wait there; what is left to wait for here are a recovery of the
/// log, the last connection that closes, and writers on file systems without a queue.
internal final class BusyHandler {
    /// Seconds until a waiting call fails with `busy`.
    var timeout: Double

    private var started: UInt64 = 0
    private var random: UInt64

    init(timeout: Double) {
        self.timeout = timeout
        random = Self.now() | 1
    }

    func install(on database: OpaquePointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        random ^= UInt64(UInt(bitPattern: context)) << 20
        unsafe sqlite3_busy_handler(
            database,
            { context, attempt in
                guard let context = unsafe context else { return 0 }
                let handler = unsafe Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue()
                return handler.wait(attempt: attempt) ? 1 : 0
            }, context)
    }

    /// Sleeps and answers whether to ask for the lock again.
    ///
    /// `attempt` counts from 0 for each lock.
    func wait(attempt: Int32) -> Bool {
        let now = Self.now()
        if attempt == 0 { started = now }
        let waited = now - started
        guard Double(waited) < timeout * 1e9 else { return false }
        var pause = timespec(tv_sec: 0, tv_nsec: Int(self.pause(attempt: attempt)))
        // The gate stays held: the waiting thread may hold locks of ours, and has a connection that is in use.
        unsafe nanosleep(&pause, nil)
        return true
    }

    /// Nanoseconds between 0.2 and 25 ms: a commit takes less than 0.1 ms, so the first pauses are short; then they
    /// double, and stay long.
    ///
    /// Many connections that ask a thousand times a second leave no time to the one that has the lock.
    private func pause(attempt: Int32) -> UInt64 {
        let longest = UInt64(400_000) << UInt64(min(attempt, 6))
        return Self.shortest + draw() % (longest - Self.shortest)
    }

    /// Marsaglia's xorshift: the pauses only have to differ between connections.
    private func draw() -> UInt64 {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return random
    }

    private static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static let shortest: UInt64 = 200_000
}
