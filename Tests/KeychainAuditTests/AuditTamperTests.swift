// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAudit
import Testing

/// What somebody can do to the files who does not have the key.
@Suite struct AuditTamperTests {
    @Test("every byte of every file, changed, is noticed")
    func everyByte() throws {
        let scene = try AuditScene()
        try scene.write(12, fileSize: 1200)
        let files = try #require(try scene.verify().files)
        #expect(files.count > 1)
        for path in files.map({ scene.file(Int($0)) }) {
            let whole = try scene.bytes(path)
            for index in whole.indices {
                var bytes = whole
                bytes[index] ^= index % 2 == 0 ? 0x01 : 0x80
                try scene.put(bytes, into: path)
                #expect(try !scene.verify().isIntact, "byte \(index) of \(path)")
            }
            try scene.put(whole, into: path)
        }
        #expect(try scene.verify().findings.isEmpty)
    }

    @Test("every byte of the head, changed, is noticed")
    func everyByteOfHead() throws {
        let scene = try AuditScene()
        try scene.write(3)
        let whole = try scene.bytes(scene.head)
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 0x10
            try scene.put(bytes, into: scene.head)
            #expect(try !scene.verify().findings.isEmpty, "byte \(index)")
        }
        try scene.put(whole + [0], into: scene.head)
        #expect(try !scene.verify().findings.isEmpty)
    }

    @Test("an end that is cut off is noticed, wherever the cut is, and says which record is the first to miss")
    func cutTail() throws {
        let scene = try AuditScene()
        try scene.write(5)
        let path = scene.file(1)
        let whole = try scene.bytes(path)
        for count in 0..<whole.count {
            try scene.put(Array(whole[..<count]), into: path)
            #expect(try !scene.verify().isIntact, "\(count) bytes left")
        }
        let parts = try {
            try scene.put(whole, into: path)
            return try scene.split(path)
        }()
        try scene.put(parts.magic + parts.records.dropLast(2).flatMap(\.self), into: path)
        let report = try scene.verify()
        #expect(report.findings.first?.problem == .missingEnd(to: 6))
        #expect(report.findings.first?.record == 5)
        // The next process does not hide it.
        try scene.write(1, from: 9)
        let later = try scene.verify()
        #expect(later.alarms == [.interruption(.cutTail)])
        #expect(later.last?.number == 8)
    }

    @Test("a beginning that is cut off is noticed")
    func cutHead() throws {
        let scene = try AuditScene()
        try scene.write(5)
        let (magic, records) = try scene.split(scene.file(1))
        for count in 1..<records.count {
            try scene.put(magic + records.dropFirst(count).flatMap(\.self), into: scene.file(1))
            let report = try scene.verify()
            #expect(report.alarms.first == .noOpening)
            #expect(!report.isIntact)
        }
    }

    @Test("records that are removed, repeated, reordered or put in are noticed, and the others are still read")
    func order() throws {
        let scene = try AuditScene()
        try scene.write(6)
        let (magic, records) = try scene.split(scene.file(1))
        func report(_ changed: [[UInt8]]) throws -> AuditReport {
            try scene.put(magic + changed.flatMap(\.self), into: scene.file(1))
            return try scene.verify()
        }
        var changed = records
        changed.remove(at: 3)
        #expect(try report(changed).alarms == [.misplacedRecord(claims: 5)])
        #expect(try scene.entries() == [1, 2, 5, 6])
        changed = records
        changed.insert(records[3], at: 4)
        #expect(try report(changed).alarms == [.misplacedRecord(claims: 4)])
        #expect(try scene.entries() == [1, 2, 3, 4, 5, 6])
        changed = records
        changed.swapAt(2, 3)
        #expect(try report(changed).alarms.first == .misplacedRecord(claims: 4))
        #expect(try scene.entries() == [1, 5, 6])
        let other = try AuditScene()
        let foreign = try other.log(key: AuditScene.key(9))
        for number in 1...6 { try foreign.record(AuditScene.entry(number + 100)) }
        try foreign.close()
        changed = records
        changed[3] = try other.split(other.file(1)).records[3]
        #expect(try !report(changed).isIntact)
        #expect(try !scene.entries().contains(103))
        changed = records + [records[6]]
        #expect(try report(changed).alarms == [.misplacedRecord(claims: 7)])
    }

    @Test("a record of another file, or of another log under the same key, is not taken for one of this file")
    func transplanted() throws {
        let scene = try AuditScene()
        try scene.write(12, fileSize: 1200)
        var (magic, records) = try scene.split(scene.file(1))
        records[2] = try scene.split(scene.file(2)).records[2]
        try scene.put(magic + records.flatMap(\.self), into: scene.file(1))
        #expect(try !scene.verify().isIntact)
    }

    @Test("files that are swapped, missing, or strangers are noticed")
    func files() throws {
        let scene = try AuditScene()
        try scene.write(40, fileSize: 1200)
        let whole = try scene.copy()
        let manager = FileManager.default
        try manager.moveItem(atPath: scene.file(2), toPath: scene.path + "/aside")
        try manager.moveItem(atPath: scene.file(3), toPath: scene.file(2))
        try manager.moveItem(atPath: scene.path + "/aside", toPath: scene.file(3))
        #expect(try scene.verify().alarms.contains(.noOpening))
        let newest = try #require(whole.keys.filter { $0.hasSuffix(".log") }.max())
        for name in whole.keys.filter({ $0.hasSuffix(".log") }) {
            try scene.restore(whole)
            try manager.removeItem(atPath: scene.path + "/" + name)
            let report = try scene.verify()
            if name == newest {
                #expect(!report.isIntact)
            } else {
                #expect(report.alarms == [.missingFile], "\(name)")
            }
        }
        try scene.restore(whole)
        let (magic, records) = try scene.split(scene.file(2))
        try scene.put(magic + records.dropLast().flatMap(\.self), into: scene.file(2))
        #expect(try scene.verify().alarms == [.missingSeal, .brokenLink])
        try scene.restore(whole)
        try scene.put(magic + records.flatMap(\.self) + records[1], into: scene.file(2))
        #expect(try scene.verify().alarms.first == .recordAfterSeal)
        try scene.restore(whole)
        try Data(magic).write(to: URL(fileURLWithPath: scene.file(90)))
        #expect(try !scene.verify().isIntact)
    }

    @Test("a log without its head, or with an older one, is not taken for whole; the next process says so for good")
    func withoutHead() throws {
        let scene = try AuditScene()
        try scene.write(3)
        let older = try scene.bytes(scene.head)
        try scene.write(3, from: 4)
        let whole = try scene.copy()
        try scene.put(older, into: scene.head)
        #expect(try scene.verify().problems == [.headIsBehind(3)])
        try FileManager.default.removeItem(atPath: scene.head)
        #expect(try scene.verify().alarms == [.noHead])
        try scene.write(2, from: 7)
        #expect(try scene.verify().alarms == [.interruption(.lostHead)])
        #expect(try scene.entries() == Array(1...8))
        try scene.restore(whole)
        for number in [1] { try FileManager.default.removeItem(atPath: scene.file(number)) }
        #expect(try scene.verify().alarms.contains(.missingEnd(to: 7)))
        try scene.write(1, from: 7)
        #expect(try scene.verify().alarms.contains(.interruption(.cutTail)))
    }

    @Test("what was changed behind the back of a running log stays an alarm after it goes on")
    func changedMeanwhile() throws {
        let scene = try AuditScene()
        try scene.write(4)
        var bytes = try scene.bytes(scene.file(1))
        bytes[bytes.count - 1] ^= 1
        try scene.put(bytes, into: scene.file(1))
        try scene.write(4, from: 5)
        let report = try scene.verify()
        #expect(report.alarms == [.alteredRecord, .interruption(.damage)])
        #expect(try scene.entries() == [1, 2, 3, 5, 6, 7, 8])
    }

    @Test("an older copy of everything looks like what it was: nothing in the folder can tell")
    func rolledBack() throws {
        let scene = try AuditScene()
        try scene.write(3)
        let old = try scene.copy()
        try scene.write(3, from: 4)
        try scene.restore(old)
        #expect(try scene.verify().findings.isEmpty)
    }
}
