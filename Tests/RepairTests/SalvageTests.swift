// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainStore
import Security
import Testing

/// What a repair saves of fifty items, whatever part of the files is damaged.
@Suite struct SalvageTests {
    /// `KEYCHAIN_MUTATIONS=all`: every sector, and bytes forty times as close.
    private static let isLong = ProcessInfo.processInfo.environment["KEYCHAIN_MUTATIONS"] == "all"

    /// Repairs and compares: how many items are there again.
    private static func saved(_ keychain: DamagedKeychain, _ change: [String: Data?], _ name: String) throws -> Int {
        try keychain.lay(change)
        let outcome = try keychain.repair()
        let items = try keychain.itemsNow()
        for (account, item) in items {
            #expect(keychain.items[account] == item, "\(name): \(account)")
        }
        let named = outcome.report.lost.count
        if change["keychain.db-wal"] == nil {
            #expect(items.count + named == 50, "\(name): \(outcome.report)")
        } else {
            // The last commit of a log may be half there after a power cut too, and then says nothing of an item.
            #expect((49...50).contains(items.count + named), "\(name): \(outcome.report)")
        }
        #expect(try keychain.check().isEmpty, "\(name)")
        return items.count
    }

    @Test("a keychain without damage stays as it is")
    func whole() throws {
        let keychain = try DamagedKeychain()
        try keychain.lay()
        let outcome = try keychain.repair()
        #expect(outcome.old == nil && !outcome.isNeeded && outcome.report.savedItems == 50)
        #expect(keychain.beside.isEmpty)
        #expect(try keychain.itemsNow() == keychain.items)
    }

    @Test("with any page of zeros at most the items of that page are lost", arguments: [false, true])
    func pages(inLog: Bool) throws {
        let keychain = try DamagedKeychain(inLog: inLog)
        var counts: [Int] = []
        let step = Self.isLong ? 4096 : 8192
        for start in stride(from: 0, to: keychain.database.count, by: step) {
            let change = keychain.database.changed(start..<start + 4096) { _ in 0 }
            counts.append(try Self.saved(keychain, ["keychain.db": change], "page \(start / 4096 + 1)"))
        }
        for start in stride(from: 32 + 24, to: keychain.log.count, by: (step / 4096 * 7 + 1) * 4120) {
            let change = keychain.log.changed(start..<start + 4096) { _ in 0 }
            counts.append(try Self.saved(keychain, ["keychain.db-wal": change], "frame at \(start)"))
        }
        #expect((counts.min() ?? 0) >= 43)
        #expect(Double(counts.reduce(0, +)) / Double(counts.count) >= 47)
        print("zeroed pages: \(counts.count), least \(counts.min() ?? 0), sum \(counts.reduce(0, +))")
    }

    @Test("with the page of the schema gone, everything is saved")
    func firstPage() throws {
        let keychain = try DamagedKeychain()
        let change = keychain.database.changed(0..<4096) { _ in 0 }
        #expect(try Self.saved(keychain, ["keychain.db": change], "page 1") == 50)
        #expect(keychain.beside.count == 1 && keychain.beside[0].hasPrefix("login.damaged-"))
    }

    @Test("with any sector of zeros, and any byte flipped, only what was hit is lost")
    func sectorsAndBytes() throws {
        let keychain = try DamagedKeychain()
        let whole = keychain.database
        var (sectors, bytes): ([Int], [Int]) = ([], [])
        for start in stride(from: 0, to: whole.count, by: Self.isLong ? 512 : 512 * 29) {
            let change = whole.changed(start..<start + 512) { _ in 0 }
            sectors.append(try Self.saved(keychain, ["keychain.db": change], "sector at \(start)"))
        }
        for position in stride(from: 0, to: whole.count, by: Self.isLong ? 97 : 4001) {
            let change = whole.changed(position..<position + 1) { $0 ^ 1 << UInt8(position % 8) }
            bytes.append(try Self.saved(keychain, ["keychain.db": change], "byte \(position)"))
        }
        #expect((sectors.min() ?? 0) >= 47)
        #expect((bytes.min() ?? 0) >= 49)
        print(
            "zeroed sectors: \(sectors.count), least \(sectors.min() ?? 0), sum \(sectors.reduce(0, +));",
            "flipped bytes: \(bytes.count), least \(bytes.min() ?? 0), sum \(bytes.reduce(0, +))")
    }

    @Test("a byte of the log, flipped anywhere, costs what it hit alone; SQLite would give up the rest of it")
    func log() throws {
        let keychain = try DamagedKeychain(inLog: true)
        let log = keychain.log
        #expect(log.count > 20 * 4120)
        var counts: [Int] = []
        // The header, and the sum of the sixth frame.
        for position in [0, 9, 17, 25, 32 + 5 * 4120 + 20]
            + Array(stride(from: 40, to: log.count, by: Self.isLong ? 997 : 16_001))
        {
            let change = log.changed(position..<position + 1) { $0 ^ 0x10 }
            counts.append(try Self.saved(keychain, ["keychain.db-wal": change], "byte \(position) of the log"))
        }
        #expect((counts.min() ?? 0) >= 49)
        print("flipped bytes of the log: \(counts.count), least \(counts.min() ?? 0), sum \(counts.reduce(0, +))")
    }

    @Test("with the database gone, what lies in the log is saved")
    func withoutDatabase() throws {
        let keychain = try DamagedKeychain(inLog: true)
        try keychain.lay(["keychain.db": Data?.none])
        let outcome = try keychain.repair()
        #expect(outcome.report.savedItems >= 25)
        #expect(try keychain.itemsNow().count == outcome.report.savedItems)
    }
}
