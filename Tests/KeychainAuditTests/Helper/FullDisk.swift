// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAudit
internal import Synchronization

/// A log on a disk that has no more room, and then has some again: a limit on the size of files stands for it.
enum FullDisk {
    /// Seconds; moved, so that the log is opened anew without waiting.
    private static let now = Atomic<Int>(1000)

    static func run(_ folder: String) throws -> Int32 {
        signal(SIGXFSZ, SIG_IGN)
        return try required(folder + "-required") && bestEffort(folder + "-effort") ? 0 : 1
    }

    private static func required(_ folder: String) throws -> Bool {
        let log = try AuditHelper.log(folder, fileSize: 1 << 20, policy: .required, clock: time)
        var attempts = 0
        allow(20_000)
        // What an entry has no room for, the shorter record of its loss may have.
        while refusal(of: log) == nil {
            _ = record(attempts, in: log)
            attempts += 1
        }
        guard refusal(of: log) == .system(EFBIG) else { return complain("there was another hindrance") }
        allow(.max)
        guard refusal(of: log) == nil else { return complain("a disk with room was not written to") }
        try log.record(AuditHelper.entry(attempts))
        try log.close()
        return try check(folder, attempts: attempts + 1)
    }

    private static func record(_ number: Int, in log: AuditLog) -> AuditError? {
        do throws(AuditError) { try log.record(AuditHelper.entry(number)) } catch { return error }
        return nil
    }

    private static func refusal(of log: AuditLog) -> AuditError? {
        do throws(AuditError) { try log.requireWritable() } catch { return error }
        return nil
    }

    private static func bestEffort(_ folder: String) throws -> Bool {
        allow(20_000)
        let attempts = try lose(10, in: folder)
        // What the one before lost stands in the head, which takes no room.
        let next = try AuditHelper.log(folder, fileSize: 1 << 20, policy: .bestEffort, clock: time)
        allow(.max)
        try next.record(AuditHelper.entry(attempts))
        try next.close()
        return try check(folder, attempts: attempts + 1)
    }

    /// Writes until so many entries were lost, and ends without closing; returns how many there were.
    private static func lose(_ count: UInt64, in folder: String) throws -> Int {
        let log = try AuditHelper.log(folder, fileSize: 1 << 20, policy: .bestEffort, clock: time)
        var attempts = 0
        while log.lost < count {
            try log.record(AuditHelper.entry(attempts))
            attempts += 1
        }
        return attempts
    }

    /// Whether each attempt is there, or counted as lost.
    private static func check(_ folder: String, attempts: Int) throws -> Bool {
        var count: Int64 = 0
        let report = try AuditReader(folder: folder, key: AuditHelper.key()).entries { record, _ in
            if case .entry = record.content { count += 1 }
        }
        guard report.isIntact, count > 1, report.lost > 0, count + report.lost == attempts else {
            return complain("\(count) entries of \(attempts), \(report)")
        }
        return true
    }

    @Sendable private static func time() -> Double { Double(now.add(2, ordering: .relaxed).newValue) }

    private static func allow(_ size: rlim_t) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = size
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    private static func complain(_ text: String) -> Bool {
        print(text)
        return false
    }
}
