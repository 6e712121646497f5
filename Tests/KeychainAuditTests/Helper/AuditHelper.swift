// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAudit
internal import KeychainIdentity
internal import KeychainModel

/// Writes logs in a process of its own: to be killed, with a disk that is full, or for the time it takes.
@main
enum AuditHelper {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2 else { exit(64) }
        switch arguments[1] {
        case "write": try write(arguments[2], from: Int(arguments.last ?? "") ?? 1)
        case "full": exit(try FullDisk.run(arguments[2]))
        case "bench": try bench(arguments[2], count: Int(arguments.last ?? "") ?? 100_000)
        default: exit(64)
        }
    }

    static func log(
        _ folder: String, fileSize: Int, policy: AuditPolicy, clock: @escaping @Sendable () -> Double = now
    ) throws -> AuditLog {
        var limits = AuditLimits()
        limits.fileSize = fileSize
        limits.files = 10_000
        return AuditLog(folder: folder, key: try key(), policy: policy, limits: limits, clock: clock)
    }

    static func key() throws -> AuditKey {
        let bytes = SecretBytes(count: 32) { buffer in
            for index in buffer.indices { buffer[index] = 7 }
        }
        return try AuditKey(bytes)
    }

    static func entry(_ number: Int) -> AuditEntry {
        AuditEntry(
            .findSecrets,
            by: AuditedProgram(user: 1000, process: Int32(number), image: "/usr/bin/tool", level: .imageByPath),
            on: .stored(.genericPassword), in: .everyOfProgram, outcome: .done,
            items: [
                AuditedItem(.genericPassword, PersistentID(high: 1, low: UInt64(number)), group: AuditedGroup(.open))
            ], count: 1)
    }

    private static func write(_ folder: String, from first: Int) throws {
        let log = try log(folder, fileSize: 4096, policy: .required)
        for number in first... {
            try log.record(entry(number))
            let line = Array("\(number)\n".utf8)
            _ = Glibc.write(STDOUT_FILENO, line, line.count)
        }
    }

    private static func bench(_ folder: String, count: Int) throws {
        // The clock stands, so that nothing is waited for but the system's own buffers.
        let log = try log(folder, fileSize: 64 << 20, policy: .bestEffort) { 0 }
        try log.open()
        let start = now()
        for number in 0..<count { try log.record(entry(number)) }
        let spent = now() - start
        print("\(spent / Double(count) * 1e6) µs an entry")
        try log.close()
        let begin = now()
        let report = try AuditReader(folder: folder, key: key()).verify()
        print("\((now() - begin) / Double(report.records) * 1e6) µs to verify one")
    }

    @Sendable static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec - 978_307_200) + Double(time.tv_nsec) / 1e9
    }
}
