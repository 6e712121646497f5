// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAudit
import TestProcesses
import Testing

/// Ends that nobody wanted.
@Suite struct AuditCrashTests {
    @Test("a log may be ahead of its head by the record under way, and goes on in the same file")
    func behind() throws {
        let scene = try AuditScene()
        try scene.write(3)
        let head = try scene.bytes(scene.head)
        try scene.write(1, from: 4)
        try scene.put(head, into: scene.head)
        let report = try scene.verify()
        #expect(report.isIntact)
        #expect(report.problems == [.headIsBehind(1)])
        try scene.write(1, from: 5)
        #expect(try scene.verify().findings.isEmpty)
        #expect(try scene.verify().files == 1...1)
        #expect(try scene.entries() == Array(1...5))
    }

    @Test("a torn write of the head costs nothing; damage to it beside a log that does not go on is an alarm")
    func tornHead() throws {
        let scene = try AuditScene()
        try scene.write(3)
        let whole = try scene.bytes(scene.head)
        let half = whole.count / 2
        for place in [0, half] {
            var bytes = whole
            for index in place..<place + half / 2 { bytes[index] = 0 }
            try scene.put(bytes, into: scene.head)
            #expect(try scene.verify().problems.contains(.halfDamagedHead))
        }
        try scene.write(1, from: 4)
        #expect(try scene.verify().isIntact)
        #expect(try scene.entries() == Array(1...4))
    }

    @Test("a torn last record is reported, stays as it is, and the next file says why it was begun")
    func tornRecord() throws {
        for size in [1, 3, 4, 20, 60] {
            let scene = try AuditScene()
            try scene.write(3)
            let torn = try scene.bytes(scene.file(1)) + (try scene.split(scene.file(1)).records[2].prefix(size))
            try scene.put(torn, into: scene.file(1))
            var report = try scene.verify()
            #expect(report.isIntact)
            #expect(report.problems == [.tornRecord(size)])
            try scene.write(2, from: 4)
            report = try scene.verify()
            #expect(report.isIntact)
            #expect(report.problems == [.interruption(.tornTail), .tornRecord(size)])
            #expect(try scene.bytes(scene.file(1)) == torn)
            #expect(try scene.entries() == Array(1...5))
        }
    }

    @Test("what a power cut takes is told from what somebody cuts: by the kernel's start, and by what was on the disk")
    func powerCut() throws {
        let scene = try AuditScene()
        let log = try scene.log()
        // The first record after a second goes to the disk, those that follow at once do not.
        try log.record(AuditScene.entry(1))
        scene.pass(seconds: 2)
        for number in 2...4 { try log.record(AuditScene.entry(number)) }
        let crashed = try scene.copy()
        try log.close()
        func cut(_ count: Int) throws {
            try scene.restore(crashed)
            let (magic, records) = try scene.split(scene.file(1))
            let kept = magic + records.dropLast(count).flatMap(\.self)
            // A file system may leave zeros where nothing was written yet.
            try scene.put(kept + [UInt8](repeating: 0, count: 100), into: scene.file(1))
        }
        let next = BootID(high: 2, low: 2)
        try cut(2)
        #expect(try !scene.verify().isIntact)
        #expect(try scene.verify(boot: next).isIntact)
        #expect(try scene.verify(boot: next).problems.contains(.missingEnd(to: 5)))
        try cut(3)
        #expect(try !scene.verify(boot: next).isIntact)
        try cut(2)
        let second = try scene.log(boot: next)
        try second.record(AuditScene.entry(9))
        try second.close()
        let report = try scene.verify(boot: next)
        #expect(report.isIntact)
        #expect(report.problems == [.interruption(.unsyncedTail), .tornRecord(100)])
        #expect(try scene.entries() == [1, 2, 9])
    }

    @Test("a process that is killed fifty times loses no entry that it was told is written")
    func killed() throws {
        let scene = try AuditScene()
        var acknowledged = 0
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let writer = try AuditWriter(["write", scene.path, String(acknowledged + 1)])
            acknowledged = try writer.kill(after: Int.random(in: 1...60, using: &random))
            let report = try scene.verify(boot: .current())
            #expect(report.isIntact, "\(report.findings)")
            // Entries that were on their way may be there too; those that follow must not be taken for repeated ones.
            let entries = try scene.entries()
            #expect(entries == Array(1...entries.count))
            #expect(entries.count >= acknowledged)
            acknowledged = entries.count
        }
        #expect(acknowledged > 50)
    }

    @Test("a file that cannot grow refuses where recording is required, and is counted where it is not")
    func full() throws {
        let folder = try TestFolder()
        let (ending, lines) = try HelperProcess.run(
            ["full", folder.file("audit")], environment: [:], in: folder, program: AuditWriter.path())
        #expect(ending == .exited(0), "\(lines)")
    }
}
