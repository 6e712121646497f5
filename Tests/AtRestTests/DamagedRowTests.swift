// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

/// Decisions D19 and D20, scenarios L1 to L4.
@Suite struct DamagedRowTests {
    private static var item: [String: Any] { ["class": "genp", "acct": "anna", "labl": "kept"] }

    private static func damaged() throws -> (place: KeychainPlace, intruder: Connection) {
        let place = try KeychainPlace()
        _ = place.add(item.merging(["v_Data": Data("one".utf8)]) { $1 })
        _ = place.add(["class": "genp", "acct": "bert", "v_Data": Data("two".utf8)])
        let intruder = try place.intruder()
        try intruder.setBlob([1, 2, 3, 4], of: "genp", row: 1)
        return (place, intruder)
    }

    private static func count(_ table: String, _ intruder: Connection) throws -> Int {
        let statement = try intruder.prepare("select count(*) from \(table)")
        defer { statement.reset() }
        return try statement.step() ? Int(statement.int64(0)) : -1
    }

    @Test("a damaged row is passed over, stays where it is, and the others are found")
    func skipped() throws {
        let (place, intruder) = try Self.damaged()
        #expect(place.find(Self.item).status == errSecItemNotFound)
        #expect(place.find(["class": "genp"]).items.map { $0["acct"] as? String } == ["bert"])
        #expect(place.update(Self.item, ["labl": "other"]) == errSecItemNotFound)
        place.reopen()
        #expect(place.find(Self.item).status == errSecItemNotFound)
        #expect(try intruder.blob(of: "genp", row: 1) == [1, 2, 3, 4])
        #expect(try Self.count("quarantine", intruder) == 0)
        #expect(try place.check() == ["genp row 1: cannot be read"])
    }

    @Test(
        "whoever needs the place of a damaged row gets it, and the row goes to quarantine with all its columns",
        arguments: [0, 1, 2])
    func quarantined(way: Int) throws {
        let (place, intruder) = try Self.damaged()
        let columns = try intruder.names(ofColumnsOf: "genp")
        let reference = try intruder.literal("persistref", of: "genp", row: 1)
        let status =
            switch way {
            case 0: place.add(Self.item)
            case 1: place.update(["class": "genp", "acct": "bert"], ["acct": "anna"])
            default: place.delete(["class": "genp", "acct": "anna"])
            }
        #expect(status == errSecSuccess)
        #expect(place.find(["class": "genp", "acct": "anna"]).items.count == (way == 2 ? 0 : 1))
        #expect(try Self.count("quarantine", intruder) == 1)
        let kept = try intruder.prepare("select class, hex(row) from quarantine")
        #expect(try kept.step())
        let hex = kept.text(1)
        let missing = columns.filter { !hex.contains(Data($0.utf8).map { String(format: "%02X", $0) }.joined()) }
        #expect(kept.text(0) == "genp" && missing.isEmpty && hex.contains("01020304"))
        #expect(hex.contains(reference.dropFirst(2).dropLast()))
        kept.reset()
        #expect(try place.check().isEmpty)
    }
}
