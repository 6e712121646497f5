// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

/// What was once true and is put back whole is believed again, and `check` tells of it.
@Suite struct RollbackTests {
    private static let query = ["class": "genp", "acct": Samples.text("acct", "one")]

    @Test(
        "an old blob under newer columns is seen by its column, and an old row put back whole by the sum over all items"
    )
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
        let findings = try place.checkWithTally()
        #expect(findings.count == 1)
        #expect(
            findings.first?.contains("items were changed, or put back as they were before, outside Llavero") == true)
        #expect(Baseline(place, "genp").items == before.items)
    }

    @Test("a deleted row that is put back whole is an item again, and check() says that one was added")
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
        let findings = try place.checkWithTally()
        #expect(findings.count == 1)
        #expect(findings.first?.contains("one item was added outside Llavero, after 20") == true)
    }
}
