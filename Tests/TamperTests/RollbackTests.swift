// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

/// The documented limit: what was once true, and is put back whole, is believed again.
@Suite struct RollbackTests {
    private static let query = ["class": "genp", "acct": Samples.text("acct", "one")]

    @Test("an old blob under newer columns is seen by check(), and an old row put back whole is not")
    func olderVersion() throws {
        let place = try TamperedKeychain()
        #expect(place.add(Samples.item("genp", 1)) == errSecSuccess)
        let intruder = try place.intruder()
        let before = Baseline(place, "genp")
        let old = try intruder.values(of: "genp", row: 1)
        #expect(place.update(Self.query, ["v_Data": Data("younger".utf8)]) == errSecSuccess)
        let after = Baseline(place, "genp")
        #expect(before.items != after.items)
        try intruder.execute("update genp set data = \(old["data"] ?? "null")")
        // The date of the change stands in a column too.
        #expect(try place.check() == ["generic password 1: the column mdat differs from the item"])
        try intruder.execute("delete from genp")
        try intruder.insert(old, into: "genp", row: 1)
        #expect(try place.check().isEmpty)
        #expect(Baseline(place, "genp").items == before.items)
    }

    @Test("a deleted row that is put back whole is an item again, and check() does not see it")
    func resurrection() throws {
        let place = try TamperedKeychain()
        #expect(place.add(Samples.item("genp", 1)) == errSecSuccess)
        let intruder = try place.intruder()
        let before = Baseline(place, "genp")
        let old = try intruder.values(of: "genp", row: 1)
        #expect(place.delete(Self.query) == errSecSuccess)
        #expect(try place.find(Self.query).items.isEmpty && intruder.count("genp") == 0)
        try intruder.insert(old, into: "genp", row: 7)
        #expect(Baseline(place, "genp").items == before.items)
        #expect(try place.check().isEmpty)
    }
}
