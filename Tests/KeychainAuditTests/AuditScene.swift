// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAudit
import KeychainIdentity
import KeychainModel
import Synchronization
import TestProcesses

/// A folder with a log in it, and what happens to both.
final class AuditScene: Sendable {
    private let folder: TestFolder
    /// Seconds that the log's clock shows; it stands unless a test moves it.
    private let now = Atomic<UInt64>(800_000_000)

    init() throws { folder = try TestFolder() }

    var path: String { folder.file("audit") }
    var head: String { path + "/head" }

    func file(_ number: Int) -> String { path + "/audit-" + String(format: "%06d", number) + ".log" }

    func pass(seconds: UInt64) { now.add(seconds, ordering: .relaxed) }

    static func key(_ byte: UInt8 = 7) throws -> AuditKey {
        try AuditKey(SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
    }

    func log(
        fileSize: Int = 4 << 20, files: UInt32 = 8, policy: AuditPolicy = .required,
        boot: BootID = BootID(high: 1, low: 1), key: AuditKey? = nil
    ) throws -> AuditLog {
        var limits = AuditLimits()
        limits.fileSize = fileSize
        limits.files = files
        return AuditLog(
            folder: path, key: try key ?? AuditScene.key(), policy: policy, limits: limits, boot: boot,
            clock: { [self] in Double(now.load(ordering: .relaxed)) })
    }

    /// An entry that can be told from others.
    static func entry(_ number: Int) -> AuditEntry {
        AuditEntry(
            .findSecrets,
            by: AuditedProgram(user: 1000, process: Int32(number), image: "/usr/bin/tool", level: .imageByPath),
            on: .stored(.genericPassword), in: .everyOfProgram, outcome: .done,
            items: [
                AuditedItem(
                    .genericPassword, PersistentID(high: UInt64(number), low: 1),
                    group: AuditedGroup(AccessGroup.open))
            ], count: 1)
    }

    /// A log of so many entries, closed or as a killed process leaves it.
    func write(
        _ count: Int, from first: Int = 1, fileSize: Int = 4 << 20, files: UInt32 = 8, closes: Bool = true
    ) throws {
        let log = try log(fileSize: fileSize, files: files)
        for number in first..<first + count { try log.record(AuditScene.entry(number)) }
        if closes { try log.close() }
    }

    func verify(key: AuditKey? = nil, boot: BootID = BootID(high: 1, low: 1)) throws -> AuditReport {
        try AuditReader(folder: path, key: try key ?? AuditScene.key(), boot: boot).verify()
    }

    /// The numbers of the entries that `entry` made, in the log's order.
    func entries() throws -> [Int] {
        var numbers: [Int] = []
        _ = try AuditReader(folder: path, key: try AuditScene.key(), boot: BootID(high: 1, low: 1)).entries {
            record, _ in
            if case .entry(let entry) = record.content { numbers.append(Int(entry.program?.process ?? 0)) }
        }
        return numbers
    }

    func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// Puts other bytes into a file that is there.
    func put(_ bytes: [UInt8], into path: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    /// Everything before the first record, and each record with its frame.
    func split(_ path: String) throws -> (magic: [UInt8], records: [[UInt8]]) {
        let bytes = try bytes(path)
        var offset = 8
        var records: [[UInt8]] = []
        while offset < bytes.count {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } + 36
            records.append(Array(bytes[offset..<offset + size]))
            offset += size
        }
        return (Array(bytes[..<8]), records)
    }

    /// A copy of the whole folder, to be put back.
    func copy() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            files[name] = try bytes(path + "/" + name)
        }
        return files
    }

    func restore(_ files: [String: [UInt8]]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
        for (name, bytes) in files {
            try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
            chmod(path + "/" + name, 0o600)
        }
    }
}

extension SecretBytes {
    init(copying bytes: [UInt8]) {
        self.init(count: bytes.count) { buffer in buffer.copyBytes(from: bytes) }
    }
}

extension AuditReport {
    var problems: [AuditProblem] { findings.map(\.problem) }
    var alarms: [AuditProblem] { findings.filter(\.isAlarming).map(\.problem) }
}
