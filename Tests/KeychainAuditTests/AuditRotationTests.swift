// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAudit
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
