// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

/// Table L: class keys that are damaged, missing or out of reach.
extension Scenario {
    private static let damages: [(id: String, damage: StoredKeybag.Damage, grounds: [Ground])] = [
        ("L5", .overwritten, Ground.onDisk), ("L6", .deleted, [.folder]),
    ]

    static let damagedKeys =
        damages.map { id, damage, grounds in
            Scenario(
                id, "the keys of a class are \(damage.rawValue): its items are missing, and new ones can be added",
                ours: "D19", on: grounds
            ) { scene in
                for protection in Protection.withoutPasscode { try lose(protection, damage, in: Scene(scene.ground)) }
            }
        }
        + damages.map { id, damage, grounds in
            Scenario(
                id,
                "the keys of a class are \(damage.rawValue), and there is a passcode: the next unlock makes new ones",
                ours: "D19", on: grounds
            ) { scene in
                for protection in Protection.allCases {
                    try loseBehindPasscode(protection, damage, in: Scene(scene.ground))
                }
            }
        } + [
            Scenario("L7", "keys that were out of reach once are the same when they are in reach") { scene in
                let item = TestItem("item", .ak)
                #expect(scene.program.add(item) == errSecSuccess)
                try scene.program.setPasscode(try Passcodes.first())
                try scene.program.lock()
                let before = scene.ground == .memory ? [] : try StoredKeybag.bytes(in: scene.intruder())
                #expect(scene.program.find(item) == errSecInteractionNotAllowed)
                #expect(scene.program.add(TestItem("other", .ak)) == errSecInteractionNotAllowed)
                try scene.program.unlock(try Passcodes.first())
                #expect(scene.program.find(item) == errSecSuccess)
                if scene.ground != .memory { #expect(try StoredKeybag.bytes(in: scene.intruder()) == before) }
                #expect(try scene.program.state().generation == 1)
            }
        ]

    /// Without a passcode: the Add that needs the keys starts a new generation.
    private static func lose(_ protection: Protection, _ damage: StoredKeybag.Damage, in scene: Scene) throws {
        let items = TestItem.each("before", of: Protection.withoutPasscode)
        for item in items { #expect(scene.program.add(item) == errSecSuccess) }
        try spoil(protection, damage, in: scene)
        for item in items {
            let isLost = item.protection == protection
            #expect(scene.program.find(item) == (isLost ? errSecItemNotFound : errSecSuccess), "\(item.name)")
        }
        let warnings = try scene.program.state().warnings
        #expect(warnings.contains { $0.contains("the key of class \(protection.rawValue) is damaged") })
        #expect(try scene.program.state().generation == 1)
        let new = TestItem("after", protection)
        #expect(scene.program.add(new) == errSecSuccess && scene.program.find(new) == errSecSuccess)
        #expect(try scene.program.state().generation == 2)
        #expect(try scene.program.state().warnings.allSatisfy { !$0.contains("damaged") })
        #expect(try scene.intruder().number("select count(*) from quarantine where class = 'keybag'") == 1)
        // The lost one's place can be taken, and the others are as they were.
        for item in items {
            let isLost = item.protection == protection
            #expect(scene.program.add(item) == (isLost ? errSecSuccess : errSecDuplicateItem), "\(item.name)")
        }
        #expect(Set(scene.program.find(items)) == [errSecSuccess])
        #expect(try scene.program.check() == [])
    }

    /// With one: whoever has no passcode at hand can read the rest, and the unlock starts a new generation.
    private static func loseBehindPasscode(
        _ protection: Protection, _ damage: StoredKeybag.Damage, in scene: Scene
    ) throws {
        try scene.program.setPasscode(try Passcodes.first())
        let items = TestItem.each("before")
        for item in items { #expect(scene.program.add(item) == errSecSuccess) }
        try spoil(protection, damage, in: scene)
        #expect(scene.program.find(TestItem("before", protection == .dk ? .dku : .dk)) == errSecSuccess)
        #expect(scene.program.add(TestItem("new", protection)) != errSecSuccess)
        #expect(try scene.program.state().generation == 1)
        try scene.program.unlock(try Passcodes.first())
        #expect(try scene.program.state().generation == 2)
        #expect(try scene.program.lockState() == .unlocked)
        #expect(try scene.intruder().number("select count(*) from quarantine where class = 'keybag'") == 1)
        for item in items {
            let isLost = item.protection == protection
            #expect(scene.program.find(item) == (isLost ? errSecItemNotFound : errSecSuccess), "\(item.name)")
        }
        #expect(scene.program.add(TestItem("new", protection)) == errSecSuccess)
        #expect(scene.program.add(TestItem("before", protection)) == errSecSuccess)
        #expect(try scene.program.check() == [])
    }

    private static func spoil(_ protection: Protection, _ damage: StoredKeybag.Damage, in scene: Scene) throws {
        scene.program.reopen()
        let intruder = try scene.intruder()
        var keybag = try StoredKeybag(in: intruder)
        try keybag.damage(protection, damage)
        try keybag.store(in: intruder)
        scene.program.reopen()
    }
}
