// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

/// The sum over all items, and the count of commits outside the folder: rows and folders do not come and go unseen.
@Suite("what is taken away or put back is noticed") struct TallyTests {
    private let place: TamperedKeychain

    init() throws {
        place = try TamperedKeychain()
        for number in 1...5 { #expect(place.add(Self.item("genp", number)) == errSecSuccess) }
        #expect(place.add(Self.item("inet", 1)) == errSecSuccess)
    }

    private static func item(_ itemClass: String, _ number: Int) -> [String: Any] {
        ["class": itemClass, "labl": "item \(number)", "acct": "\(number)"]
    }

    private static func query(_ number: Int) -> [String: Any] { ["class": "genp", "acct": "\(number)"] }

    /// The one finding there is.
    private func finding() throws -> String {
        let findings = try place.checkWithTally()
        #expect(findings.count == 1, "\(findings)")
        return findings.first ?? ""
    }

    @Test("a row that is removed from outside, of any table", arguments: ["genp", "inet"])
    func removed(table: String) throws {
        try place.intruder().execute("delete from \(table) where rowid = 1")
        #expect(try finding().contains("one item was removed outside Llavero, after 20"))
        // Going on does not cover it up.
        #expect(place.add(Self.item("inet", 20)) == errSecSuccess)
        #expect(try finding().contains("one item was removed outside Llavero"))
    }

    @Test("one row put in the place of another's removal")
    func exchanged() throws {
        let intruder = try place.intruder()
        let old = try intruder.values(of: "genp", row: 2)
        #expect(place.delete(Self.query(2)) == 0)
        try intruder.execute("delete from genp where rowid = 3")
        try intruder.insert(old, into: "genp", row: 9)
        #expect(try finding().contains("items were changed, or put back as they were before, outside Llavero"))
    }

    @Test("the sum itself, changed, taken away, or an earlier one put back")
    func sum() throws {
        let intruder = try place.intruder()
        func record() throws -> [UInt8] {
            let statement = try intruder.prepare("select data from tally")
            defer { statement.reset() }
            return try statement.step() ? statement.blob(0) : []
        }
        let old = try record()
        #expect(old.count == 64)
        #expect(place.add(Self.item("inet", 20)) == errSecSuccess)
        let young = try record()
        for index in [0, 8, 20, 40, 63] {
            var changed = young
            changed[index] ^= 1
            let statement = try intruder.prepare("update tally set data = ?")
            try statement.bind(blob: changed, at: 1)
            try statement.run()
            #expect(try finding().contains("missing, or was changed outside Llavero"), "byte \(index)")
        }
        try intruder.execute("delete from tally")
        #expect(try finding().contains("missing, or was changed outside Llavero"))
        #expect(place.add(Self.item("inet", 21)) == errSecSuccess)
        #expect(try finding().contains("missing, or was changed outside Llavero"))
        let statement = try intruder.prepare("insert into tally values(1, ?)")
        try statement.bind(blob: old, at: 1)
        try statement.run()
        let findings = try place.checkWithTally()
        #expect(findings.contains { $0.contains("2 items were added outside Llavero") }, "\(findings)")
        #expect(findings.contains { $0.contains("missing that had been stored") }, "\(findings)")
    }

    @Test("an older folder in place of this one, and what is stored after it")
    func rollback() throws {
        place.reopen()
        let files = ["keychain.db", "device.key", "keybag.copy"]
        try FileManager.default.createDirectory(atPath: place.aside, withIntermediateDirectories: true)
        for name in files {
            try FileManager.default.copyItem(atPath: place.file(name), toPath: place.aside + "/" + name)
        }
        #expect(place.add(Self.item("inet", 20)) == errSecSuccess)
        #expect(place.add(Self.item("inet", 21)) == errSecSuccess)
        place.reopen()
        for name in try FileManager.default.contentsOfDirectory(atPath: place.folder)
        where name.hasPrefix("keychain.db") {
            try FileManager.default.removeItem(atPath: place.file(name))
        }
        for name in files {
            try? FileManager.default.removeItem(atPath: place.file(name))
            try FileManager.default.copyItem(atPath: place.aside + "/" + name, toPath: place.file(name))
        }
        place.reopen()
        #expect(try finding().contains("2 changes are missing that had been stored, the last on 20"))
        // As many changes again do not hide that.
        for number in 6...9 { #expect(place.add(Self.item("genp", number)) == errSecSuccess) }
        #expect(try finding().contains("2 changes are missing that had been stored, the last on 20"))
        place.reopen()
        #expect(place.add(Self.item("genp", 10)) == errSecSuccess)
        #expect(try finding().contains("2 changes are missing that had been stored, the last on 20"))
    }

    @Test("changes by several programs in turn are no finding")
    func turns() throws {
        for number in 10..<30 {
            if number % 3 == 0 { place.reopen() }
            #expect(place.add(Self.item("genp", number)) == errSecSuccess)
            if number % 4 == 0 { #expect(place.update(Self.query(number), ["labl": "changed"]) == errSecSuccess) }
        }
        #expect(place.delete(["class": "genp"]) == errSecSuccess)
        #expect(try place.checkWithTally() == [])
    }
}
