// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
import KeychainModel
import KeychainSQLite
import Security
import Testing

/// Table L: items that cannot be decoded.
extension Scenario {
    private static let item = TestItem("item", .ak)
    private static let other = TestItem("other", .ak)

    /// Two items, the first one damaged; without a passcode, or unlocked with one.
    private static func damage(_ scene: Scene, withPasscode: Bool = false) throws {
        if withPasscode { try scene.program.setPasscode(try Passcodes.first()) }
        for item in [item, other] { #expect(scene.program.add(item) == errSecSuccess) }
        try scene.intruder().overwriteItem(row: 1)
    }

    static let damagedItems = [
        Scenario(
            "L1", "rubbish is no item; its row stays until its place is needed", ours: "D19", on: Ground.onDisk
        ) { scene in
            try damage(scene)
            for _ in 0..<2 { #expect(scene.program.find(item) == errSecItemNotFound) }
            #expect(try scene.intruder().number("select count(*) from genp") == 2)
            #expect(try scene.program.checkWithoutTally() == ["generic password 1: cannot be read"])
        },
        Scenario("L2", "an item can be added over rubbish, which is kept", ours: "D20", on: Ground.onDisk) { scene in
            try damage(scene, withPasscode: true)
            #expect(scene.program.add(item) == errSecSuccess && scene.program.find(item) == errSecSuccess)
            #expect(try scene.intruder().number("select count(*) from quarantine where class = 'genp'") == 1)
            #expect(try scene.program.checkWithoutTally() == [])
        },
        Scenario("L3", "rubbish cannot be updated", on: Ground.onDisk) { scene in
            try damage(scene)
            #expect(scene.program.update(item, label: "changed") == errSecItemNotFound)
        },
        Scenario("L4", "beside rubbish the healthy item is found", on: Ground.onDisk) { scene in
            try damage(scene)
            let all: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecMatchLimit as String: kSecMatchLimitAll,
            ]
            let (status, result) = scene.program.find(all, kSecReturnAttributes)
            let accounts = (result as? [NSDictionary])?.map { $0[kSecAttrAccount as String] as? String }
            #expect(status == errSecSuccess && accounts == [other.name])
        },
        Scenario("L8", "attributes with an impossible date do not decode") { _ in
            // No key of ours seals such a date, so the bytes that would be sealed are made and read here; L1 shows what
            // becomes of an item whose attributes do not decode.
            var attributes = AttributeList(reservingCapacity: 1)
            attributes.append(unchecked: .creationDate, .date(Program.startOfTime.timeIntervalSinceReferenceDate))
            var bytes = try AttributeCoding.encode(attributes)
            let year = try #require(Data(bytes).range(of: Data("2026".utf8)))
            let whole = try bytes.withUnsafeBytes { try AttributeCoding.decode($0) }
            #expect(whole.entries.count == 1)
            bytes[year.upperBound] = UInt8(ascii: "9")
            #expect(throws: CodingError.self) { try bytes.withUnsafeBytes { try AttributeCoding.decode($0) } }
        },
        Scenario("L9", "a bad date in the column alone does no harm", on: Ground.onDisk) { scene in
            #expect(scene.program.add(item) == errSecSuccess)
            try scene.intruder().execute("update genp set cdat = 9e99")
            #expect(scene.program.find(item) == errSecSuccess)
            let found = scene.program.find(item.key, kSecReturnAttributes).result as? NSDictionary
            #expect(found?[kSecAttrCreationDate as String] as? Date == Program.startOfTime)
        },
        Scenario("L16", "a deleted item is gone from the table, from attributes and from data") { scene in
            #expect(scene.program.add(item) == errSecSuccess && scene.program.delete(item) == errSecSuccess)
            #expect(scene.program.find(item.key, kSecReturnAttributes).status == errSecItemNotFound)
            #expect(scene.program.find(item) == errSecItemNotFound)
            guard scene.ground != .memory else { return }
            let rows = try scene.intruder().number("select count(*) from genp")
            #expect(rows == 0)
        },
    ]
}
