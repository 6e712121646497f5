// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

/// A new generation of class keys: what is sealed under it, and when.
@Suite struct GenerationTests {
    /// Rows that a write seals again on its way, at most.
    private static let batch = 16

    @Test("old items stay readable under old keys, new and changed ones are under new keys", arguments: Ground.onDisk)
    func generations(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        try program.setPasscode(try Passcodes.first())
        let old = TestItem.each("old")
        let new = TestItem.each("new")
        for item in old { #expect(program.add(item) == errSecSuccess) }
        let intruder = try scene.intruder()
        #expect(try intruder.generations() == [1: 7])
        try program.keybag { try $0.rotateKeys(passcode: Passcodes.first()) }
        #expect(try intruder.generations() == [1: 7])
        #expect(try program.state().generation == 2 && program.state().isResealing)
        #expect(Set(program.find(old)) == [errSecSuccess])
        // Locked, nothing is sealed again on the way, so that what each write does can be seen.
        try program.lock()
        #expect(program.update(TestItem("old", .ck), label: "changed") == errSecSuccess)
        #expect(try intruder.generations() == [1: 6, 2: 1])
        #expect(program.add(TestItem("locked", .dk)) == errSecSuccess)
        #expect(try intruder.generations() == [1: 6, 2: 2])
        #expect(program.delete(TestItem("locked", .dk)) == errSecSuccess)
        try program.unlock(try Passcodes.first())
        #expect(try intruder.generations() == [1: 6, 2: 1])
        for item in new { #expect(program.add(item) == errSecSuccess) }
        #expect(try intruder.generations() == [2: 14])
        let other = try scene.restarted()
        try other.unlock(try Passcodes.first())
        #expect(Set(other.find(old + new)) == [errSecSuccess])
        #expect(try other.check() == [])
    }

    @Test("writes seal older items again a few at a time, and no find does", arguments: Ground.onDisk)
    func onTheWay(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        let items = TestItem.many(50, .aku)
        for item in items { #expect(program.add(item) == errSecSuccess) }
        try program.keybag { try $0.rotateKeys(passcode: nil) }
        let intruder = try scene.intruder()
        #expect(Set(program.find(items)) == [errSecSuccess])
        #expect(try intruder.generations() == [1: 50])
        var left = 50
        for number in 0..<6 {
            // One that fails does nothing at all.
            #expect(program.delete(TestItem("missing", .ak)) == errSecItemNotFound)
            #expect(try intruder.generations()[1, default: 0] == left)
            #expect(program.add(TestItem("new \(number)", .ak)) == errSecSuccess)
            let now = try intruder.generations()[1, default: 0]
            #expect(now == max(0, left - Self.batch))
            left = now
        }
        #expect(left == 0)
        #expect(Set(program.find(items)) == [errSecSuccess])
        try program.keybag { try $0.reseal() }
        #expect(try !program.state().isResealing)
        #expect(try program.check() == [])
    }

    @Test("sealing again changes nothing that a program sees of an item, in any table", arguments: Ground.onDisk)
    func unchanged(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        let classes = ["genp", "inet", "cert", "keys"]
        for itemClass in classes {
            for number in 0..<3 {
                let item: [String: Any] = [
                    "class": itemClass, "labl": "\(itemClass) \(number)", "v_Data": Data("\(number)".utf8),
                    "pdmn": Protection.movable[number].rawValue, "sync": number == 1,
                ].merging(Self.own(itemClass, number)) { $1 }
                #expect(program.keychain.use { SecItemAdd(item as CFDictionary, nil) } == errSecSuccess)
            }
        }
        let buried: [String: Any] = ["class": "genp", "acct": "genp 1", "sync": true]
        #expect(program.keychain.use { SecItemDelete(buried as CFDictionary) } == errSecSuccess)
        let before = Self.everything(of: classes, program)
        #expect(before.count == 12)
        let blobs = try scene.intruder().blobs()
        program.keychain.advanceClock(by: 1000)
        try program.keybag {
            try $0.rotateKeys(passcode: nil)
            try $0.reseal()
        }
        #expect(Self.everything(of: classes, program) == before)
        let sealedAgain = try scene.intruder().blobs()
        #expect(blobs.keys == sealedAgain.keys && blobs.allSatisfy { sealedAgain[$0] != $1 })
        #expect(try scene.intruder().generations() == [2: 3])
        #expect(try program.check() == [])
    }

    /// What tells the items of a class apart.
    private static func own(_ itemClass: String, _ number: Int) -> [String: Any] {
        switch itemClass {
        case "cert": ["slnr": Data("\(number)".utf8), "issr": Data("issuer".utf8)]
        case "keys": ["klbl": Data("\(number)".utf8), "kcls": 0]
        default: ["acct": "\(itemClass) \(number)"]
        }
    }

    /// Everything there is with everything it has, tombstones included.
    private static func everything(of classes: [String], _ program: Program) -> [NSDictionary] {
        classes.flatMap { itemClass in
            [false, true].flatMap { isTombstone in
                let query: [String: Any] = [
                    "class": itemClass, "m_Limit": "m_LimitAll", "sync": "syna", "tomb": isTombstone,
                ]
                let result = program.find(query, kSecReturnAttributes, kSecReturnData, kSecReturnPersistentRef).result
                return (result as? [NSDictionary] ?? []).sorted { "\($0["labl"] ?? "")" < "\($1["labl"] ?? "")" }
            }
        }
    }
}
