// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAudit
import KeychainIdentity
import KeychainModel
import Testing

@Suite struct AuditLogTests {
    @Test("what was recorded is read again, in order, with its time, and nothing is found wrong")
    func written() throws {
        let scene = try AuditScene()
        try scene.write(20)
        let report = try scene.verify()
        #expect(report.findings.isEmpty)
        #expect(report.records == 21)
        #expect(report.last?.number == 21)
        #expect(report.last?.time == 800_000_000_000_000)
        #expect(try scene.entries() == Array(1...20))
    }

    @Test("the next process goes on in the same file")
    func continued() throws {
        let scene = try AuditScene()
        try scene.write(3)
        try scene.write(3, from: 4)
        let report = try scene.verify()
        #expect(report.findings.isEmpty)
        #expect(report.files == 1...1)
        #expect(try scene.entries() == Array(1...6))
    }

    @Test("every field of an entry comes back, and an entry with many items has all of them")
    func fields() throws {
        let scene = try AuditScene()
        let items = (0..<1000).map {
            AuditedItem(.key, PersistentID(high: 9, low: UInt64($0)), group: $0 == 3 ? .tooLong : .unknown)
        }
        let program = AuditedProgram(user: .max, process: .max, image: nil, level: nil)
        let entry = AuditEntry(
            .delete, by: program, on: .identity, in: AuditedGroup(try #require(AccessGroup("a.group"))),
            outcome: .failed(.missingEntitlement), items: items, count: 1000)
        let log = try scene.log()
        try log.record(entry)
        try log.record(AuditEntry(.start, by: nil))
        try log.close()
        var read: [AuditEntry] = []
        let report = try AuditReader(folder: scene.path, key: AuditScene.key()).entries { record, _ in
            switch record.content {
            case .entry(let entry): read.append(entry)
            case .moreItems(let items): read[read.count - 1].items += items
            default: break
            }
        }
        #expect(report.findings.isEmpty)
        #expect(read == [entry, AuditEntry(.start, by: nil)])
    }

    @Test("names and paths that are too long are not kept")
    func long() throws {
        let group = try #require(AccessGroup(String(repeating: "g", count: 257)))
        #expect(AuditedGroup(group) == .tooLong)
        let path = "/" + String(repeating: "p", count: 4112)
        #expect(AuditedProgram(user: 0, process: 1, image: path, level: .kernel).image == nil)
    }

    @Test("one process has the log at a time, and its files are its owner's alone")
    func exclusive() throws {
        let scene = try AuditScene()
        let first = try scene.log()
        try first.open()
        let second = try scene.log()
        #expect(throws: AuditError.inUse) { try second.open() }
        try first.close()
        #expect(throws: AuditError.closed) { try first.record(AuditScene.entry(1)) }
        scene.pass(seconds: 1)
        try second.open()
        for path in [scene.head, scene.file(1)] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: scene.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test("a folder that others can write to is refused")
    func unsafe() throws {
        let scene = try AuditScene()
        try scene.write(1)
        chmod(scene.path, 0o770)
        #expect(throws: AuditError.unsafeFolder) { try scene.log().open() }
    }

    @Test("a key of zeros, or of another size, is none")
    func keys() throws {
        #expect(throws: AuditError.unusableKey) { try AuditScene.key(0) }
        #expect(throws: AuditError.unusableKey) { try AuditKey(SecretBytes(copying: [1, 2, 3])) }
    }

    @Test("where recording is not required, what cannot be written is counted, and the count is written later")
    func lost() throws {
        let scene = try AuditScene()
        let holder = try scene.log()
        try holder.open()
        let log = try scene.log(policy: .bestEffort)
        for number in 1...3 { try log.record(AuditScene.entry(number)) }
        #expect(log.lost == 3)
        try holder.close()
        scene.pass(seconds: 2)
        try log.record(AuditScene.entry(4))
        #expect(log.lost == 0)
        try log.close()
        let report = try scene.verify()
        #expect(report.isIntact)
        #expect(report.lost == 3)
        #expect(report.problems == [.lostEntries(3, reason: -2)])
        #expect(try scene.entries() == [4])
    }

    @Test("no log is not an intact log")
    func none() throws {
        let scene = try AuditScene()
        #expect(try scene.verify().alarms == [.noLog])
    }

    @Test("under another key nothing is read")
    func otherKey() throws {
        let scene = try AuditScene()
        try scene.write(3)
        let report = try scene.verify(key: AuditScene.key(8))
        #expect(!report.isIntact)
        #expect(report.records == 0)
        #expect(report.problems.contains(.damagedHead))
    }
}
