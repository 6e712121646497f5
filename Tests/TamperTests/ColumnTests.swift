// SPDX-License-Identifier: Apache-2.0

import KeychainSQLite
import Security
import Testing

@Suite struct ColumnTests {
    private static func twoItems(_ itemClass: String) throws -> (place: TamperedKeychain, intruder: SQLiteConnection) {
        let place = try TamperedKeychain()
        for number in 1...2 { #expect(place.add(Samples.item(itemClass, number)) == errSecSuccess) }
        return (place, try place.intruder())
    }

    /// Values of every type, near misses among them; `c` is the column itself.
    private static func values(_ column: String) -> [String] {
        [
            "null", "0", "1", "2", "1.5", "''", "'dk'", "'akpu'", "x''", "x'00'", "randomblob(16)", "randomblob(20)",
            "cast(\(column) as text)", "cast(\(column) as blob)", "\(column) || 'x'", "\(column) + 1",
        ]
    }

    @Test(
        "a column changed to anything gives nobody a wrong item, and check() sees it",
        arguments: Samples.classes)
    func changed(itemClass: String) throws {
        let (place, intruder) = try Self.twoItems(itemClass)
        let baseline = Baseline(place, itemClass)
        #expect(baseline.items.count == 2)
        var troubles: [String] = []
        var tried: [String: Int] = [:]
        for column in try intruder.columns(of: itemClass) {
            let old = try intruder.quoted(column, in: itemClass, row: 1)
            for value in Self.values(column) {
                // A blob that SQLite calls text has the same bytes, and nothing but its seals counts.
                if column == "data" && value.hasPrefix("cast") { continue }
                // SQLite itself refuses NULL in most columns.
                guard (try? intruder.execute("update \(itemClass) set \(column) = \(value) where rowid = 1")) != nil
                else { continue }
                if try intruder.quoted(column, in: itemClass, row: 1) == old { continue }
                tried[column, default: 0] += 1
                troubles += baseline.troubles(place, asking: column).map { "\(column) = \(value): \($0)" }
                if try !place.check().contains(where: { $0.hasPrefix("\(Samples.words(itemClass)) 1: ") }) {
                    troubles.append("\(column) = \(value): check() is content")
                }
                try intruder.execute("update \(itemClass) set \(column) = \(old) where rowid = 1")
            }
        }
        #expect(troubles.isEmpty)
        #expect(try tried.count == intruder.columns(of: itemClass).count && tried.values.allSatisfy { $0 >= 2 })
        #expect(place.everything(of: itemClass) == baseline.items)
        #expect(try place.check().isEmpty)
    }

    @Test(
        "a column swapped between two rows gives nobody a wrong item, and check() sees it", arguments: Samples.classes)
    func swapped(itemClass: String) throws {
        let (place, intruder) = try Self.twoItems(itemClass)
        let baseline = Baseline(place, itemClass)
        var troubles: [String] = []
        var same: [String] = []
        for column in try intruder.columns(of: itemClass) {
            let one = try intruder.quoted(column, in: itemClass, row: 1)
            let two = try intruder.quoted(column, in: itemClass, row: 2)
            if one == two { same.append(column) }
            if one == two { continue }
            try Self.set(column, of: itemClass, two, one, intruder)
            troubles += baseline.troubles(place, asking: column).map { "\(column): \($0)" }
            if try place.check().isEmpty { troubles.append("\(column): check() is content") }
            try Self.set(column, of: itemClass, one, two, intruder)
        }
        #expect(troubles.isEmpty)
        // Columns this version always leaves empty.
        #expect(same == ["musr", "tkid", "ggrp"])
        #expect(place.everything(of: itemClass) == baseline.items)
        #expect(try place.check().isEmpty)
    }

    /// By way of a value nobody has: the column may be unique.
    private static func set(
        _ column: String, of table: String, _ one: String, _ two: String, _ intruder: SQLiteConnection
    ) throws {
        try intruder.execute(
            """
            begin immediate; update \(table) set \(column) = x'00' where rowid = 1;
            update \(table) set \(column) = \(two) where rowid = 2;
            update \(table) set \(column) = \(one) where rowid = 1; commit
            """)
    }
}
