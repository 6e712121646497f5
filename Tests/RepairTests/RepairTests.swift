// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainModel
import KeychainRequest
import KeychainSQLite
import KeychainStore
import Security
import Testing

/// What else a repair meets: locks, passcodes, lost keybags, older formats, and the quarantine.
@Suite struct RepairTests {
    private static func database(_ keychain: DamagedKeychain) -> String {
        keychain.root.path + "/login/keychain.db"
    }

    @Test("a dry run changes nothing, and says the same")
    func dryRun() throws {
        let keychain = try DamagedKeychain(count: 10)
        let damaged = keychain.database.changed(0..<4096) { _ in 0 }
        try keychain.lay(["keychain.db": damaged])
        let outcome = try keychain.repair(isDryRun: true)
        #expect(outcome.old == nil && outcome.isNeeded && outcome.report.savedItems == 10)
        #expect(keychain.beside.isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: Self.database(keychain))) == damaged)
    }

    @Test("a passcode is needed where there is one, and a wrong one is counted")
    func passcode() throws {
        let keychain = try DamagedKeychain(passcode: "1234", count: 10)
        try keychain.lay(["keychain.db": keychain.database.changed(0..<4096) { _ in 0 }])
        #expect(throws: KeychainError.self) { try keychain.repair() }
        for _ in 0..<5 { #expect(throws: KeychainError.self) { try keychain.repair(passcode: "wrong") } }
        // Five are free; then the delay holds here as everywhere.
        let failure = #expect(throws: KeychainError.self) { try keychain.repair(passcode: "1234") }
        #expect(failure?.retryAfter != nil, "\(String(describing: failure))")
        try keychain.lay(["keychain.db": keychain.database.changed(0..<4096) { _ in 0 }])
        #expect(try keychain.repair(passcode: "1234").report.savedItems == 10)
        #expect(try keychain.itemsNow(passcode: "1234") == keychain.items)
    }

    @Test("without a keybag in the database its copy is taken, and without any keybag nothing is changed")
    func keybag() throws {
        let keychain = try DamagedKeychain(count: 10)
        var database = keychain.database
        let mark = Data("LLAVEBAG".utf8)
        var places: [Int] = []
        while let range = database.range(of: mark) {
            places.append(range.lowerBound)
            let page = range.lowerBound / 4096 * 4096
            database = database.changed(page..<page + 4096) { _ in 0 }
        }
        #expect(!places.isEmpty)
        try keychain.lay(["keychain.db": database])
        let outcome = try keychain.repair()
        #expect(outcome.report.savedItems == 10)
        #expect(try keychain.itemsNow() == keychain.items)
        try keychain.lay(["keychain.db": database, "keybag.copy": Data?.none])
        #expect(throws: KeychainError.self) { try keychain.repair() }
        #expect(keychain.beside.isEmpty)
    }

    @Test("the other half of a damaged device key opens the keychain, and mends it")
    func deviceKey() throws {
        let keychain = try DamagedKeychain(count: 10)
        let key = try #require(keychain.content("device.key"))
        try keychain.lay([
            "keychain.db": keychain.database.changed(0..<4096) { _ in 0 },
            "device.key": key.changed(20..<40) { ~$0 },
        ])
        #expect(try keychain.repair().report.savedItems == 10)
        #expect(try Data(contentsOf: keychain.root.appendingPathComponent("login/device.key")) == key)
        #expect(try keychain.check().isEmpty)
    }

    @Test("another program that has the keychain open keeps the repair away")
    func busy() throws {
        let keychain = try DamagedKeychain(count: 3)
        try keychain.lay()
        let other = try SQLiteConnection(path: Self.database(keychain), mode: .readWrite)
        let statement = try other.prepare("select count(*) from genp")
        #expect(try statement.step())
        statement.reset()
        let failure = #expect(throws: KeychainError.self) { try keychain.repair() }
        #expect(failure?.description.contains("another program") == true)
        other.close()
        #expect(keychain.beside.isEmpty)
        #expect(try keychain.repair().report.savedItems == 3)
    }

    @Test("a row that does not open goes to the quarantine, and comes back when it does")
    func quarantine() throws {
        let keychain = try DamagedKeychain(count: 5)
        try keychain.lay()
        let intruder = try SQLiteConnection(path: Self.database(keychain), mode: .readWrite)
        try intruder.execute(
            "update genp set data = cast(substr(data, 1, length(data) - 1) || case when substr(data, -1) = x'00' then x'01' else x'00' end as blob) where rowid = 3"
        )
        intruder.close()
        let outcome = try keychain.repair()
        #expect(outcome.report.savedItems == 4 && outcome.report.quarantined == 1 && outcome.report.lost.count == 1)
        #expect(outcome.report.lost.first?.itemClass == .genericPassword)
        #expect(try keychain.itemsNow().count == 4)
        #expect(try keychain.check().isEmpty)
        // Somebody puts the right bytes into what is kept: the row is whole again.
        try keychain.lay()
        let again = try SQLiteConnection(path: Self.database(keychain), mode: .readWrite)
        try again.execute("update genp set acct = x'00112233445566778899aabbccddeeff' where rowid = 2")
        again.close()
        // Its columns follow from its seal.
        #expect(try keychain.repair().report.savedItems == 5)
    }

    @Test("what another program wrote without sums is proved by its seals")
    func staleSums() throws {
        let keychain = try DamagedKeychain(count: 20)
        try keychain.lay()
        let script =
            "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('update genp set labl = labl'); d.commit()"
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        python.arguments = ["python3", "-c", script, Self.database(keychain)]
        try python.run()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
        #expect(try keychain.repair().report.savedItems == 20)
        #expect(try keychain.itemsNow() == keychain.items)
    }

    @Test("a log damaged in its middle is kept before SQLite cuts it, said by the check, and searched by the repair")
    func keptLog() throws {
        let keychain = try DamagedKeychain(inLog: true, count: 20)
        let kept = keychain.root.appendingPathComponent("login/keychain.db-wal.aside-1")
        try keychain.lay()
        #expect(try keychain.itemsNow() == keychain.items)
        #expect(!FileManager.default.fileExists(atPath: kept.path))
        // The third page of the log: all commits behind it are given up.
        let damaged = keychain.log.changed(32 + 2 * 4120 + 100..<32 + 2 * 4120 + 110) { ~$0 }
        try keychain.lay(["keychain.db-wal": damaged])
        let cut = try keychain.itemsNow()
        #expect(cut.count < 20)
        #expect(try Data(contentsOf: kept) == damaged)
        #expect(try keychain.check().contains { $0.contains("keychain.db-wal.aside-1") })
        // In this program and in later ones, what was cut is not called missing, and nothing is put into its place.
        let lost = try #require(keychain.items.keys.first { cut[$0] == nil })
        for _ in 0..<2 {
            #expect(try keychain.statuses(of: lost) == [errSecIO, errSecIO, errSecIO, errSecIO])
        }
        // The database is right in itself, so only the copy says that something is missing.
        func warnings() throws -> [String] {
            try IsolatedKeychain(.folder(keychain.root)).use { try Llavero.keybag.status().warnings }
        }
        #expect(try warnings().contains { $0.contains("llavero repair") })
        let outcome = try keychain.repair()
        #expect(outcome.isNeeded && outcome.old != nil)
        #expect(try keychain.itemsNow() == keychain.items)
        #expect(try keychain.check().isEmpty)
        #expect(try warnings().isEmpty)
    }

    @Test(
        "what was changed behind the damage of a log is repaired to the last change, also without the page of the schema",
        arguments: [false, true])
    func keptChanges(isSchemaLost: Bool) throws {
        func query(_ number: Int) -> [String: Any] { ["class": "genp", "acct": "account \(number)"] }
        let keychain = try DamagedKeychain(inLog: true, count: 20) { keychain in
            let statuses = keychain.use {
                ["second", "third"].map { value in
                    SecItemUpdate(query(3) as CFDictionary, ["v_Data": Data(value.utf8)] as CFDictionary)
                } + [
                    SecItemUpdate(query(4) as CFDictionary, ["acct": "account 40"] as CFDictionary),
                    SecItemDelete(query(5) as CFDictionary), SecItemDelete(query(6) as CFDictionary),
                    SecItemAdd(
                        query(5).merging(["svce": "service 5", "v_Data": Data("again".utf8)]) { $1 } as CFDictionary,
                        nil),
                ]
            }
            #expect(statuses.allSatisfy { $0 == errSecSuccess })
        }
        let damaged = keychain.log.changed(32 + 2 * 4120 + 100..<32 + 2 * 4120 + 110) { ~$0 }
        try keychain.lay(["keychain.db-wal": damaged])
        let cut = try keychain.itemsNow()
        for number in 3...5 {
            let name = "account \(number)"
            #expect(cut[name] != nil && cut[name] != keychain.items[name])
        }
        if isSchemaLost {
            let file = URL(fileURLWithPath: Self.database(keychain))
            try Data(contentsOf: file).changed(0..<4096) { _ in 0 }.write(to: file)
        }
        let outcome = try keychain.repair()
        #expect(outcome.report.keptLogs == 1 && outcome.report.savedItems == 20)
        // What had the name that was given anew may have been renamed behind the damage: it is kept, and named.
        #expect(isSchemaLost || outcome.report.quarantined == 1 && outcome.report.lost.count == 1)
        #expect(isSchemaLost || outcome.report.changedInLogs >= 12)
        var now = try keychain.itemsNow()
        // Nothing tells an item that was removed behind the damage from one that is there.
        #expect(now.removeValue(forKey: "account 6") != nil)
        #expect(now == keychain.items)
        #expect(try keychain.check().isEmpty)
    }

    @Test(
        "an end of the log that was hit is known by the number of commits, and kept; one that was never committed is not"
    )
    func keptEnd() throws {
        let keychain = try DamagedKeychain(inLog: true, count: 20)
        let kept = keychain.root.appendingPathComponent("login/keychain.db-wal.aside-1")
        // The last page of the last commit: behind it nothing shows that it had been committed.
        let damaged = keychain.log.changed(keychain.log.count - 2000..<keychain.log.count - 1990) { ~$0 }
        try keychain.lay(["keychain.db-wal": damaged])
        #expect(try keychain.statuses(of: "account 19").first == errSecItemNotFound)
        #expect(!FileManager.default.fileExists(atPath: kept.path))
        try keychain.lay(["keychain.db-wal": damaged], withNote: true)
        for _ in 0..<2 { #expect(try keychain.statuses(of: "account 19").first == errSecIO) }
        #expect(try Data(contentsOf: kept) == damaged)
        #expect(try keychain.repair().isNeeded)
        // The page that was hit may be the one that the last item was on.
        let saved = try keychain.itemsNow()
        #expect(saved.count >= 19 && saved.allSatisfy { keychain.items[$0.key] == $0.value })
        #expect(try keychain.statuses(of: "account 20").first == errSecItemNotFound)
    }

    @Test("after an unclean end the keychain says by itself that it is damaged, and after a clean one it does not look")
    func examinedByItself() throws {
        let keychain = try DamagedKeychain(inLog: true, count: 50)
        func warnings() throws -> [String] {
            try IsolatedKeychain(.folder(keychain.root)).use { try Llavero.keybag.status().warnings }
        }
        try keychain.lay()
        #expect(try warnings().isEmpty)
        // A page of the file of which the log has no newer one.
        let inLog = Set(stride(from: 32, to: keychain.log.count, by: 4120).map { Int(keychain.log[$0 + 3]) })
        let page = try #require((2...keychain.database.count / 4096).last { !inLog.contains($0) })
        let damaged = keychain.database.changed(page * 4096 - 400..<page * 4096 - 390) { ~$0 }
        try keychain.lay(["keychain.db": damaged])
        #expect(try warnings().contains { $0.contains("llavero repair") })
        try keychain.lay(["keychain.db": damaged, "keychain.db-wal": Data?.none])
        #expect(try warnings().isEmpty)
    }

    @Test(
        "what somebody took out of the schema is there again",
        arguments: ["delete from keychain", "drop table quarantine", "drop index genpsvce", "delete from keybag"])
    func tables(sql: String) throws {
        let keychain = try DamagedKeychain(count: 5)
        try keychain.lay()
        let intruder = try SQLiteConnection(path: Self.database(keychain), mode: .readWrite)
        try intruder.execute(sql)
        intruder.close()
        let outcome = try keychain.repair()
        #expect(outcome.isNeeded && outcome.report.savedItems == 5)
        #expect(try keychain.itemsNow() == keychain.items)
        #expect(try keychain.check().isEmpty)
    }

    @Test("behind a damaged page of earlier versions the others are saved, and the report says how many are lost")
    func versions() throws {
        func query(_ number: Int) -> [String: Any] { ["class": "genp", "acct": "account \(number)"] }
        let keychain = try DamagedKeychain(count: 8, group: "llavero.passwords") { keychain in
            let statuses = keychain.use {
                (0..<24).map { step in
                    let secret = Data(repeating: UInt8(step), count: 600)
                    // No version has the number of its item's own row: without the schema nothing tells them apart.
                    return SecItemUpdate(query((step + 3) % 8) as CFDictionary, ["v_Data": secret] as CFDictionary)
                } + [SecItemDelete(query(7) as CFDictionary)]
            }
            #expect(statuses.allSatisfy { $0 == errSecSuccess })
        }
        try keychain.lay()
        let before = try keychain.versionsNow().map(\.until)
        #expect(before.count == 25 && before == before.sorted(by: >))
        func check(_ change: Data, _ name: String, lost: ClosedRange<Int>) throws {
            try keychain.lay(["keychain.db": change])
            let report = try keychain.repair().report
            let now = try keychain.versionsNow()
            #expect(report.savedVersions == now.count && lost.contains(report.lostVersions), "\(name): \(report)")
            #expect(now.count + report.lostVersions == 25, "\(name): \(report)")
            // In the order in which they were; two may be of the same millisecond, of which one is lost.
            var rest = before[...]
            for until in now.map(\.until) {
                let place = try #require(rest.firstIndex(of: until), "\(name)")
                rest = rest[(place + 1)...]
            }
            #expect(try keychain.itemsNow() == keychain.items && keychain.check().isEmpty, "\(name)")
            if lost == 0...0 { #expect(now.first?.end == .removed, "\(name)") }
        }
        let whole = keychain.database
        try check(whole.changed(0..<4096) { _ in 0 }, "the page of the schema", lost: 0...0)
        // Leaves of the table: each has several.
        let leaves = stride(from: 4096, to: whole.count, by: 4096).filter {
            whole[$0] == 13 && whole[$0..<$0 + 4096].range(of: Data("genp".utf8)) != nil
                && whole[$0..<$0 + 4096].range(of: Data("changed".utf8)) != nil
        }
        #expect(leaves.count > 4)
        for leaf in [leaves[0], leaves[leaves.count / 2], leaves[leaves.count - 1]] {
            try check(whole.changed(leaf..<leaf + 4096) { _ in 0 }, "page \(leaf / 4096 + 1)", lost: 1...6)
            try check(whole.changed(leaf + 3000..<leaf + 3008) { ~$0 }, "bytes of \(leaf / 4096 + 1)", lost: 0...1)
            let both = whole.changed(leaf..<leaf + 4096) { _ in 0 }.changed(0..<4096) { _ in 0 }
            try check(both, "page \(leaf / 4096 + 1) and the schema's", lost: 1...6)
        }
    }

    @Test("of a database that is gone, or all zeros, no empty keychain is made")
    func nothingLeft() throws {
        let keychain = try DamagedKeychain(count: 3)
        let zeros = Data(repeating: 0, count: keychain.database.count)
        for database in [nil, Data(), zeros, Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })] {
            try keychain.lay(["keychain.db": database])
            #expect(throws: KeychainError.self) { try keychain.repair() }
            #expect(keychain.beside.isEmpty)
        }
    }

    @Test("keychains of older formats are repaired into today's", arguments: [1, 2])
    func formats(format: Int) throws {
        let keychain = try DamagedKeychain(count: 1)
        let vectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Vectors/formats/\(format)/login").standardized
        func lay(_ change: (Data) -> Data) throws {
            try keychain.lay()
            let folder = keychain.root.appendingPathComponent("login")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: vectors.path) {
                let content = try Data(contentsOf: vectors.appendingPathComponent(name))
                let file = folder.appendingPathComponent(name)
                try (name == "keychain.db" ? change(content) : content).write(to: file)
                chmod(file.path, 0o600)
            }
        }
        // The one of format 2 has a passcode.
        let passcode = format == 2 ? "first passcode" : nil
        try lay { $0 }
        #expect(try !keychain.repair(passcode: passcode).isNeeded)
        try lay { $0.changed(0..<4096) { _ in 0 } }
        let outcome = try keychain.repair(passcode: passcode)
        #expect(outcome.report.savedItems == 50 && outcome.report.lost.isEmpty)
        #expect(try keychain.check().isEmpty)
        // Without sums nothing says which pages are right; a page that is none costs what was on it.
        try lay { $0.changed(4 * 4096..<5 * 4096) { _ in 0xff } }
        let other = try keychain.repair(passcode: passcode)
        #expect(other.report.savedItems + other.report.lost.count == 50)
    }

    @Test("what an interrupted repair left is settled by the next one")
    func leftovers() throws {
        let keychain = try DamagedKeychain(count: 5)
        let damaged = keychain.database.changed(0..<4096) { _ in 0 }
        try keychain.lay(["keychain.db": damaged])
        let workplace = keychain.root.appendingPathComponent(".repair-login")
        try FileManager.default.createDirectory(at: workplace, withIntermediateDirectories: false)
        try Data().write(to: workplace.appendingPathComponent("unfinished"))
        try Data([1]).write(to: workplace.appendingPathComponent("salvaged.db"))
        #expect(try keychain.repair().report.savedItems == 5)
        #expect(keychain.beside.count == 1)
        // One that had its place before the folders were exchanged is kept.
        try FileManager.default.moveItem(
            at: keychain.root.appendingPathComponent(keychain.beside[0]), to: workplace)
        #expect(try !keychain.repair().isNeeded)
        #expect(keychain.beside.count == 1 && keychain.beside[0].hasPrefix("login.damaged-"))
    }
}
