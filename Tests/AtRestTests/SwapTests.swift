// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

@Suite struct SwapTests {
    /// Two items that differ in everything; each label belongs to one account and one secret.
    private static func items(of itemClass: String) -> [[String: Any]] {
        [("one", "llavero.open", "dk", 0), ("two", "team.two", "ck", 1)].map { word, group, protection, number in
            var item: [String: Any] = [
                "class": itemClass, "labl": "label \(word)", "agrp": group, "pdmn": protection, "vwht": "view \(word)",
                "sync": number == 1, "tomb": number == 1, "v_Data": Data("secret \(word)".utf8),
                "alis": "alias \(word)",
            ]
            switch itemClass {
            case "genp", "inet":
                for key in ["acct", "desc", "icmt", "prot"] { item[key] = "\(key) \(word)" }
                for key in ["crtr", "type", "invi", "nega", "scrp", "cusi"] { item[key] = number }
                let own = itemClass == "genp" ? ["svce", "gena"] : ["srvr", "sdmn", "atyp", "path"]
                for key in own { item[key] = "\(key) \(word)" }
                if itemClass == "inet" { item["port"] = 80 + number }
            default:
                for key in ["klbl", "atag"] { item[key] = "\(key) \(word)" }
                for key in ["kcls", "type", "bsiz", "perm", "sign"] { item[key] = number }
                item["sdat"] = Date(timeIntervalSinceReferenceDate: Double(number))
            }
            return item
        }
    }

    @Test(
        "a column swapped between two rows brings nobody a wrong item, and check sees it",
        arguments: ["genp", "inet", "keys"])
    func columns(itemClass: String) throws {
        let place = try KeychainPlace()
        for item in Self.items(of: itemClass) { #expect(place.add(item) == errSecSuccess) }
        let intruder = try place.intruder()
        var troubles: [String] = []
        var swapped = 0
        for column in try intruder.names(ofColumnsOf: itemClass) {
            let first = try intruder.literal(column, of: itemClass, row: 1)
            let second = try intruder.literal(column, of: itemClass, row: 2)
            if first == second { continue }
            swapped += 1
            try swap(column, of: itemClass, second, first, intruder)
            troubles += try self.troubles(place, itemClass).map { "\(column): \($0)" }
            if try place.check().isEmpty { troubles.append("\(column): check is content") }
            try swap(column, of: itemClass, first, second, intruder)
        }
        #expect(troubles.isEmpty)
        let found = place.find(["class": itemClass, "labl": "label one"]).items
        #expect(swapped >= 14 && found.count == 1 && found.allSatisfy { isWhole($0, of: itemClass) })
        #expect(try place.check().isEmpty)
    }

    private func swap(
        _ column: String, of table: String, _ first: String, _ second: String, _ intruder: Connection
    ) throws {
        // By way of a value nobody has: the column may be unique.
        try intruder.execute(
            """
            begin immediate; update \(table) set \(column) = x'00' where rowid = 1;
            update \(table) set \(column) = \(second) where rowid = 2;
            update \(table) set \(column) = \(first) where rowid = 1; commit
            """)
    }

    /// Whatever is asked for: what comes is whole, and is what was asked for.
    private func troubles(_ place: KeychainPlace, _ itemClass: String) throws -> [String] {
        var troubles: [String] = []
        for item in Self.items(of: itemClass) {
            for key in item.keys where !["class", "v_Data", "tomb", "sync"].contains(key) {
                for isTombstone in [false, true] {
                    var query: [String: Any] = ["class": itemClass, "sync": "syna", "tomb": isTombstone]
                    query[key] = item[key]
                    for found in place.find(query).items
                    where !isWhole(found, of: itemClass) || !same(found, query, key) {
                        troubles.append("asked by \(key): \(found["labl"] ?? "nothing")")
                    }
                }
            }
        }
        return troubles
    }

    private func isWhole(_ found: [String: Any], of itemClass: String) -> Bool {
        Self.items(of: itemClass).contains { item in
            item.keys.filter { $0 != "class" }.allSatisfy { same(found, item, $0) }
        }
    }

    private func same(_ found: [String: Any], _ item: [String: Any], _ key: String) -> Bool {
        // What was text may come back as data or a number; none of ours is.
        let left = found[key] as? NSObject
        let right = item[key] as? NSObject
        if let text = item[key] as? String, let data = found[key] as? Data { return data == Data(text.utf8) }
        return left == right
    }
}
