// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAudit
import Synchronization
import Testing

@Suite struct AuditRotationTests {
    @Test("full files are sealed, the oldest go, and what is left is known to be all there is to be")
    func rotated() throws {
        let scene = try AuditScene()
        try scene.write(200, fileSize: 2048, files: 3)
        let report = try scene.verify()
        #expect(report.findings.isEmpty)
        let files = try #require(report.files)
        #expect(files.count == 3)
        #expect(files.lowerBound > 1)
        #expect(!FileManager.default.fileExists(atPath: scene.file(1)))
        let entries = try scene.entries()
        #expect(entries == Array((entries.first ?? 0)...200))
        for number in files {
            #expect(try scene.bytes(scene.file(Int(number))).count <= 2048)
        }
    }

    @Test("eight threads lose nothing when files are rotated under them, and a reader beside them finds no fault")
    func threads() throws {
        let scene = try AuditScene()
        let log = try scene.log(fileSize: 4096, files: 400)
        try log.open()
        DispatchQueue.concurrentPerform(iterations: 9) { thread in
            guard thread < 8 else {
                for _ in 0..<20 {
                    do {
                        #expect(try scene.verify().alarms == [])
                    } catch { Issue.record(error) }
                }
                return
            }
            for number in 0..<200 {
                do { try log.record(AuditScene.entry(thread * 1000 + number)) } catch { Issue.record(error) }
            }
        }
        try log.close()
        #expect(try scene.verify().findings.isEmpty)
        let entries = try scene.entries()
        #expect(entries.sorted() == (0..<8).flatMap { thread in (0..<200).map { thread * 1000 + $0 } })
        for thread in 0..<8 {
            let own = entries.filter { $0 / 1000 == thread }
            #expect(own == own.sorted())
        }
    }

    @Test("a reader is not confused by files that go while it reads")
    func readWhileRemoved() throws {
        let scene = try AuditScene()
        let log = try scene.log(fileSize: 2048, files: 2)
        try log.open()
        DispatchQueue.concurrentPerform(iterations: 2) { part in
            do {
                if part == 0 {
                    for number in 0..<500 { try log.record(AuditScene.entry(number)) }
                    return
                }
                for _ in 0..<50 {
                    // It may find no moment of rest; what it must not do is to find fault.
                    do { #expect(try scene.verify().alarms == []) } catch AuditError.unsteady {}
                }
            } catch { Issue.record(error) }
        }
        try log.close()
        #expect(try scene.verify().findings.isEmpty)
    }

    @Test("a reader finds no fault in a log that goes on faster than it reads", arguments: [1, 2, 3] as [UInt32])
    func overtaken(files: UInt32) throws {
        let scene = try AuditScene()
        // Every entry has a file of its own.
        let log = try scene.log(fileSize: 400, files: files)
        try log.open()
        let isDone = Atomic(false)
        DispatchQueue.concurrentPerform(iterations: 4) { part in
            do {
                if part == 0 {
                    defer { isDone.store(true, ordering: .relaxed) }
                    for number in 0..<400 { try log.record(AuditScene.entry(number)) }
                    return
                }
                while !isDone.load(ordering: .relaxed) {
                    do {
                        let alarms = try scene.verify().alarms
                        #expect(alarms == [], "\(alarms)")
                    } catch AuditError.unsteady {}
                }
            } catch { Issue.record(error) }
        }
        try log.close()
        let report = try scene.verify()
        #expect(report.findings.isEmpty)
        #expect(report.files?.upperBound ?? 0 > 300)
    }

    @Test("where one file is kept, no fault is found between the making of the next one and the removal of the last")
    func between() throws {
        let scene = try AuditScene()
        let log = try scene.log(fileSize: 400, files: 1)
        try log.record(AuditScene.entry(1))
        // What a reader has of the head that was quick to read it.
        let head = try scene.bytes(scene.head)
        // Another name of the first file, which gets its seal under either.
        let kept = scene.path + "-first"
        try FileManager.default.linkItem(atPath: scene.file(1), toPath: kept)
        try log.record(AuditScene.entry(2))
        try log.close()
        try FileManager.default.moveItem(atPath: kept, toPath: scene.file(1))
        try scene.put(head, into: scene.head)
        let report = try scene.verify()
        #expect(report.files == 1...2)
        #expect(report.alarms == [])
    }

    @Test("a file that somebody removed is missed, however fast the log goes on while it is looked for")
    func missed() throws {
        let scene = try AuditScene()
        let log = try scene.log(fileSize: 400, files: 4)
        for number in 0..<8 { try log.record(AuditScene.entry(number)) }
        let files = try #require(try scene.verify().files)
        try FileManager.default.removeItem(atPath: scene.file(Int(files.upperBound) - 1))
        var isFirst = true
        let report = try AuditReader(folder: scene.path, key: try AuditScene.key(), boot: BootID(high: 1, low: 1))
            .entries { _, _ in
                // One file more, and one fewer of the old ones, while the first is read; the gap is still to be there.
                if isFirst { do { try log.record(AuditScene.entry(9)) } catch { Issue.record(error) } }
                isFirst = false
            }
        #expect(report.findings.contains { $0.problem == .missingFile && $0.file == files.upperBound - 1 })
        #expect(!report.isIntact)
        try log.close()
    }

    @Test("a kill between seal and next file, or before an old file is gone, is made good by the next process")
    func unfinished() throws {
        let scene = try AuditScene()
        try scene.write(40, fileSize: 2048, files: 3)
        let files = try #require(try scene.verify().files)
        // As if the removal had not happened.
        let old = Int(files.lowerBound) - 1
        try Data([1]).write(to: URL(fileURLWithPath: scene.file(old)))
        // And as if the making of a file had been cut short.
        try Data([1]).write(to: URL(fileURLWithPath: scene.file(Int(files.upperBound) + 1) + ".new"))
        #expect(try scene.verify().problems == [.leftoverFile])
        try scene.write(20, from: 41, fileSize: 2048, files: 3)
        #expect(try scene.verify().findings.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: scene.file(old)))
    }
}
