// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

/// Sealing everything again: in batches that can be stopped and gone on with.
@Suite struct ResealingTests {
    private static let items = TestItem.many(300, .ak)
    /// Rows of one transaction.
    private static let batch = 256

    /// What the progress was told.
    private final class Progress {
        var reports: [[Int]] = []

        func record(_ done: Int, _ total: Int) { reports.append([done, total]) }
    }

    /// A keychain with a passcode and 300 items of the first generation, of which the second has begun.
    private static func rotated(_ ground: Ground) throws -> Scene {
        let scene = try Scene(ground)
        for item in items { #expect(scene.program.add(item) == errSecSuccess) }
        try scene.program.setPasscode(try Passcodes.first())
        try scene.program.keybag { try $0.rotateKeys(passcode: Passcodes.first()) }
        return scene
    }

    @Test("it stops where it is told to, and goes on from there in another program", arguments: Ground.onDisk)
    func stopping(ground: Ground) throws {
        let scene = try Self.rotated(ground)
        let progress = Progress()
        try scene.program.keybag {
            try $0.reseal {
                progress.record($0, $1)
                return false
            }
        }
        let left = Self.items.count - Self.batch
        #expect(progress.reports == [[Self.batch, Self.items.count]])
        #expect(try scene.intruder().generations() == [1: left, 2: Self.batch])
        #expect(try scene.program.state().isResealing)
        #expect(try StoredKeybag.earlierGenerations(in: scene.intruder()) == [1: 7])
        #expect(Set(scene.program.find(Self.items)) == [errSecSuccess])
        let first = try scene.intruder().blobs()

        let other = try scene.restarted()
        try other.unlock(try Passcodes.first())
        try other.keybag {
            try $0.reseal {
                progress.record($0, $1)
                return true
            }
        }
        #expect(progress.reports.last == [Self.items.count, Self.items.count])
        #expect(try scene.intruder().generations() == [2: Self.items.count])
        // What was done already was not done again.
        let second = try scene.intruder().blobs()
        #expect(first.count { second[$0.key] == $0.value } == Self.batch)
        #expect(try !other.state().isResealing && other.state().generation == 2)
        #expect(try StoredKeybag.earlierGenerations(in: scene.intruder()) == [:])
        #expect(Set(other.find(Self.items)) == [errSecSuccess])
        #expect(try other.check() == [])
    }

    @Test("with nothing to do it says nothing and changes nothing", arguments: Ground.onDisk)
    func nothing(ground: Ground) throws {
        let scene = try Scene(ground)
        let progress = Progress()
        try scene.program.setPasscode(try Passcodes.first())
        #expect(scene.program.add(TestItem("item", .ak)) == errSecSuccess)
        try scene.program.lock()
        let before = try StoredKeybag.bytes(in: scene.intruder())
        try scene.program.keybag {
            try $0.reseal {
                progress.record($0, $1)
                return true
            }
        }
        #expect(progress.reports == [])
        #expect(try StoredKeybag.bytes(in: scene.intruder()) == before)
    }

    @Test("while locked nothing is sealed again", arguments: Ground.onDisk)
    func locked(ground: Ground) throws {
        let scene = try Self.rotated(ground)
        let program = scene.program
        try program.lock()
        #expect(program.status { try $0.reseal() } == errSecInteractionNotAllowed)
        #expect(program.add(TestItem("new", .dk)) == errSecSuccess)
        #expect(try scene.intruder().generations() == [1: 300, 2: 1])
        try program.unlock(try Passcodes.first())
        try program.keybag { try $0.reseal() }
        #expect(try scene.intruder().generations() == [2: 301])
    }

    @Test("another generation may begin before the last one is done", arguments: Ground.onDisk)
    func secondRotation(ground: Ground) throws {
        let scene = try Self.rotated(ground)
        let program = scene.program
        for number in 0..<3 { #expect(program.add(TestItem("second \(number)", .ck)) == errSecSuccess) }
        try program.keybag { try $0.rotateKeys(passcode: Passcodes.first()) }
        try program.lock()
        #expect(program.add(TestItem("third", .dk)) == errSecSuccess)
        try program.unlock(try Passcodes.first())
        #expect(try scene.intruder().generations() == [1: 300 - 48, 2: 51, 3: 1])
        #expect(try StoredKeybag.earlierGenerations(in: scene.intruder()) == [1: 7, 2: 7])
        let all = Self.items + (0..<3).map { TestItem("second \($0)", .ck) } + [TestItem("third", .dk)]
        #expect(Set(program.find(all)) == [errSecSuccess])
        try program.keybag { try $0.reseal() }
        #expect(try scene.intruder().generations() == [3: 304])
        #expect(try StoredKeybag.earlierGenerations(in: scene.intruder()) == [:] && program.state().generation == 3)
        program.reopen()
        try program.unlock(try Passcodes.first())
        #expect(Set(program.find(all)) == [errSecSuccess])
        #expect(try program.check() == [])
    }

    @Test("after every rotation all items are sealed again, and the earlier keys go", arguments: Ground.onDisk)
    func everyTime(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        let items = TestItem.each("item", of: Protection.withoutPasscode)
        for item in items { #expect(program.add(item) == errSecSuccess) }
        for generation in 2...4 {
            try program.keybag {
                try $0.rotateKeys(passcode: nil)
                try $0.reseal()
            }
            #expect(try scene.intruder().generations() == [generation: items.count])
            #expect(try StoredKeybag.earlierGenerations(in: scene.intruder()) == [:])
            #expect(try !program.state().isResealing)
        }
        #expect(Set(program.find(items)) == [errSecSuccess])
    }

    @Test("a key that an unreadable row may need one day stays, and no other", arguments: Ground.onDisk)
    func unreadable(ground: Ground) throws {
        let scene = try Self.rotated(ground)
        let program = scene.program
        let intruder = try scene.intruder()
        // The last byte: the header still says which key it is.
        try intruder.execute(
            """
            update genp set data = cast(substr(data, 1, length(data) - 1) || \
            case when substr(data, -1) = x'00' then x'01' else x'00' end as blob) where rowid = 7
            """)
        try program.keybag { try $0.reseal() }
        #expect(try intruder.generations() == [1: 1, 2: 299])
        #expect(try StoredKeybag.earlierGenerations(in: intruder) == [1: 1])
        #expect(try program.state().isResealing)
        try intruder.execute("delete from genp where rowid = 7")
        try program.keybag { try $0.reseal() }
        #expect(try StoredKeybag.earlierGenerations(in: scene.intruder()) == [:])
    }
}
