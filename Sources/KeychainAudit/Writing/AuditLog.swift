// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainModel
internal import KeychainSystem

/// A log of who did what, to which entries are only ever added.
///
/// Any number of threads may call; one process has the log at a time.
package final class AuditLog: Sendable {
    private struct State {
        var writer: LogWriter?
        /// Entries that were not written since the last that was, and why the last of them was not.
        var lost: UInt64 = 0
        var reason: Int64 = 0
        /// How many of them the head knows of.
        var noted: UInt64 = 0
        /// No sooner is the log opened again.
        var nextTry: (after: Double, error: AuditError)?
        var isClosed = false
    }

    package let policy: AuditPolicy
    private let folder: AuditFolder
    private let key: AuditKey
    private let limits: AuditLimits
    private let boot: BootID
    private let clock: @Sendable () -> Double
    private let epoch = llv_fork_epoch()
    private let state = ForkSafeMutex(State())

    /// A log in a folder, which is made with the first entry if it is missing; the one above it must be there.
    ///
    /// `clock` gives seconds since 2001-01-01 UTC.
    package init(
        folder: String, key: AuditKey, policy: AuditPolicy, limits: AuditLimits = AuditLimits(),
        boot: BootID = .current(), clock: @escaping @Sendable () -> Double
    ) {
        self.folder = AuditFolder(path: folder)
        self.key = key
        self.policy = policy
        self.limits = limits
        self.boot = boot
        self.clock = clock
    }

    /// Opens the log now, as the first entry would; throws under either policy.
    package func open() throws(AuditError) { try changing { (_, _) throws(AuditError) in } }

    /// Writes an entry; throws what hinders it where a record is required, and counts it as lost where it is not.
    package func record(_ entry: AuditEntry) throws(AuditError) {
        do throws(AuditError) {
            let due = try changing(losing: 1) { (writer, time) throws(AuditError) in
                try AuditLog.append(entry, to: writer, at: time)
                return writer.takeDue(at: time)
            }
            // Outside of the lock: the others need not wait for the disk.
            guard let due else { return }
            try due.file.sync()
            try changing { (writer, _) throws(AuditError) in try writer.noteSynced(due.number) }
        } catch { if policy == .required { throw error } }
    }

    /// Throws where a record is required and the log cannot be written; for what must not be done then.
    package func requireWritable() throws(AuditError) {
        if policy == .required { try open() }
    }

    /// Entries that were lost and of which no record says so yet.
    package var lost: UInt64 { state.withLock { $0.lost } }

    /// Brings everything to the disk.
    package func sync() throws(AuditError) {
        try changing { (writer, _) throws(AuditError) in try writer.sync() }
    }

    /// Brings everything to the disk and lets go of the files; entries that come later are lost.
    package func close() throws(AuditError) {
        defer {
            state.withLock { state in
                state.writer = nil
                state.isClosed = true
            }
        }
        guard state.withLock({ $0.writer != nil }) else { return }
        try sync()
    }

    private static func append(_ entry: AuditEntry, to writer: LogWriter, at time: Double) throws(AuditError) {
        guard entry.items.count > AuditRecord.mostItems else { return try writer.append(.entry(entry), at: time) }
        var first = entry
        first.items = Array(entry.items[..<AuditRecord.mostItems])
        try writer.append(.entry(first), at: time)
        for start in stride(from: AuditRecord.mostItems, to: entry.items.count, by: AuditRecord.mostItems) {
            let end = min(start + AuditRecord.mostItems, entry.items.count)
            try writer.append(.moreItems(Array(entry.items[start..<end])), at: time)
        }
    }

    /// Runs `body` with the log open, after what was lost has its record; a failure counts as so many lost entries.
    private func changing<Result: Sendable>(
        losing count: UInt64 = 0, _ body: (LogWriter, Double) throws(AuditError) -> Result
    ) throws(AuditError) -> Result {
        guard llv_fork_epoch() == epoch else { throw .abandoned }
        let outcome = state.withLock { state -> Swift.Result<Result, AuditError> in
            let time = clock()
            do throws(AuditError) {
                let writer = try opened(&state, at: time)
                if state.lost > 0 {
                    try writer.settle(lost: state.lost, because: state.reason, at: time)
                    state.lost = 0
                    state.noted = 0
                }
                return .success(try body(writer, time))
            } catch {
                AuditLog.note(error, losing: count, &state)
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func opened(_ state: inout State, at time: Double) throws(AuditError) -> LogWriter {
        if state.isClosed { throw .closed }
        if let writer = state.writer { return writer }
        // Looking through the files for every entry that cannot be written would be dear.
        if let next = state.nextTry, time >= next.after - 1, time < next.after { throw next.error }
        do throws(AuditError) {
            let writer = try LogWriter(
                folder, key, limits, boot, reservesSpace: policy == .required, at: time)
            state.nextTry = nil
            state.lost += writer.head.lost - min(writer.head.lost, state.noted)
            state.noted = writer.head.lost
            state.writer = writer
            return writer
        } catch {
            state.nextTry = (time + 1, error)
            throw error
        }
    }

    private static func note(_ error: AuditError, losing count: UInt64, _ state: inout State) {
        if count > 0 {
            state.lost += count
            state.reason = error.number
        }
        guard let writer = state.writer else { return }
        if writer.isSound, count > 0, (try? writer.note(lost: state.lost)) != nil { state.noted = state.lost }
        if !writer.isSound { state.writer = nil }
    }
}

/// How large a log may become, and how much of it a power cut may take.
package struct AuditLimits: Sendable {
    /// Bytes after which a file gets its seal, and how many files are kept.
    package var fileSize = 4 << 20
    package var files: UInt32 = 8
    /// What is written goes to the disk together with the first record after so many seconds, or so many records.
    package var secondsUnsynced = 1.0
    package var recordsUnsynced: UInt64 = 10_000

    package init() {}
}

/// What becomes of an operation that cannot be recorded.
package enum AuditPolicy: Sendable {
    /// It is done; how many there were is recorded as soon as that can be written.
    case bestEffort
    /// It is refused.
    case required
}
