// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

/// Decisions D19 and D20, scenarios L1 to L4.
@Suite struct DamagedRowTests {
    /// What happens to row 1; the columns of the unique key stay.
    enum Damage: String, CaseIterable {
        case garbage = "data = x'01020304'"
        case noData = "data = x''"
        case otherRow = "data = (select data from genp where rowid = 2)"
        case metadata =
            "data = cast(substr(data, 1, 60) || x'0000000000000000' || substr(data, 69) as blob)"
        case version = "data = cast(substr(data, 1, 2) || x'02' || substr(data, 4) as blob)"
        case generation = "data = cast(substr(data, 1, 4) || x'09' || substr(data, 6) as blob)"
        case reference = "persistref = randomblob(16)"
        case shortReference = "persistref = x'01'"
        case syncIdentifier = "syncid = randomblob(16)"
        case protection = "pdmn = 'ck'"
        case tombstone = "tomb = 7"
    }

    private static let key = ["class": "genp", "acct": "anna", "svce": "door"]
    private static var item: [String: Any] { with(key, ["labl": "first", "v_Data": Data("one".utf8)]) }
    private static let other = ["class": "genp", "acct": "bert", "svce": "door"]

    private static func with(_ query: [String: Any], _ more: [String: Any]) -> [String: Any] {
        query.merging(more) { $1 }
    }

    private static func damaged(_ damage: Damage) throws -> (place: TamperedKeychain, intruder: SQLiteConnection) {
        let place = try TamperedKeychain()
        #expect(place.add(item) == errSecSuccess)
        #expect(place.add(with(other, ["v_Data": Data("two".utf8)])) == errSecSuccess)
        let intruder = try place.intruder()
        try intruder.execute("update genp set \(damage.rawValue) where rowid = 1")
        return (place, intruder)
    }

    private static func accounts(_ place: TamperedKeychain) -> [String] {
        place.find(["class": "genp"]).items.map { $0["acct"] as? String ?? "" }
    }

    @Test("a damaged row is passed over, stays as it is, and the others are found", arguments: Damage.allCases)
    func skipped(damage: Damage) throws {
        let (place, intruder) = try Self.damaged(damage)
        let row = try intruder.values(of: "genp", row: 1)
        for _ in 0..<2 {
            #expect(place.find(Self.key).status == errSecItemNotFound)
            #expect(place.find(["class": "genp", "m_Limit": "m_LimitOne"]).status == errSecSuccess)
            #expect(Self.accounts(place) == ["bert"])
            #expect(place.update(Self.key, ["labl": "second"]) == errSecItemNotFound)
            #expect(try place.check().map { $0.hasPrefix("generic password 1: ") } == [true])
            place.reopen()
        }
        #expect(try intruder.values(of: "genp", row: 1) == row)
        #expect(try intruder.count("quarantine") == 0)
    }

    /// Who needs the place of a damaged row.
    enum Need: CaseIterable {
        case add, move, delete
    }

    @Test(
        "whoever needs the place of a damaged row gets it, and the row goes to quarantine whole",
        arguments: Damage.allCases, Need.allCases)
    func quarantined(damage: Damage, need: Need) throws {
        // Columns alone say which rows a deletion is about, and this one says "a tombstone".
        if damage == .tombstone, need == .delete { return }
        let (place, intruder) = try Self.damaged(damage)
        let fields = try intruder.codedFields(of: "genp", row: 1)
        #expect(try fields.count == intruder.columns(of: "genp").count + 1)
        let status =
            switch need {
            case .add: place.add(Self.item)
            case .move: place.update(Self.other, ["acct": "anna"])
            case .delete: place.delete(Self.key)
            }
        #expect(status == errSecSuccess)
        #expect(Set(Self.accounts(place)) == (need == .add ? ["anna", "bert"] : need == .move ? ["anna"] : ["bert"]))
        let kept = try intruder.prepare("select class, reason, moved, row from quarantine")
        #expect(try kept.step())
        let row = Data(kept.blob(3))
        #expect(kept.text(0) == "genp" && kept.text(1) == "undecodable" && kept.double(2) > 800_000_000)
        for (name, field) in fields { #expect(row.range(of: Data(field)) != nil, "\(name)") }
        #expect(try !kept.step())
        #expect(row.count <= 8 + fields.reduce(0) { $0 + $1.value.count + 8 })
        #expect(try place.check().isEmpty)
    }

    @Test("a row whose secret alone is damaged can be added again")
    func damagedSecret() throws {
        let place = try TamperedKeychain()
        #expect(place.add(Self.item) == errSecSuccess)
        let intruder = try place.intruder()
        var blob = try intruder.blob()
        blob[blob.count - 1] ^= 1
        try intruder.setBlob(blob)
        #expect(place.find(Self.key).status == errSecItemNotFound)
        #expect(place.update(Self.key, ["labl": "second"]) == errSecItemNotFound)
        #expect(place.add(Self.item) == errSecSuccess)
        #expect(place.delete(Self.key) == errSecSuccess)
        #expect(try place.check().isEmpty)
    }
}
