// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Damage anywhere in the database of fifty items: one byte, one sector, the end.
@Suite struct FlippedDatabaseTests {
    private static let accounts = (0..<50).map { "account \($0)" }

    private static func key(_ account: String) -> [String: Any] { ["class": "genp", "svce": "s", "acct": account] }

    private static func filled() throws -> TamperedKeychain {
        let place = try TamperedKeychain()
        for (number, account) in accounts.enumerated() {
            let secret = Data(repeating: UInt8(number), count: number % 10 == 5 ? 5000 : 150)
            #expect(place.add(key(account).merging(["v_Data": secret]) { $1 }) == errSecSuccess)
        }
        place.reopen()
        return place
    }

    /// What is wrong with the answers about one item and about all, compared with those before.
    private static func troubles(_ place: TamperedKeychain, _ account: String, _ baseline: [NSDictionary]) -> [String] {
        let refusals: Set<OSStatus> = [errSecIO, errSecNotAvailable]
        var troubles: [String] = []
        let found = place.find(key(account))
        let isRight =
            found.status == errSecSuccess && found.items.count == 1 && found.items.allSatisfy(baseline.contains)
        if !isRight, !refusals.contains(found.status) { troubles.append("found \(found.items.count): \(found.status)") }
        let all = place.find(["class": "genp"])
        if !all.items.allSatisfy(baseline.contains) { troubles.append("a list with what never was") }
        if all.status != errSecSuccess, !refusals.contains(all.status) { troubles.append("a list: \(all.status)") }
        let added = place.add(key(account))
        if added != errSecDuplicateItem, !refusals.contains(added) { troubles.append("added beside: \(added)") }
        return troubles
    }

    /// `KEYCHAIN_MUTATIONS=all`: every sector, every cut, and 24 times as many bytes; ten minutes.
    @Test("no damage makes an item that is there \"not found\", another one of it, or a second one beside it")
    func damaged() throws {
        let place = try Self.filled()
        let baseline = place.everything(of: "genp")
        place.reopen()
        #expect(baseline.count == 50)
        let path = place.file("keychain.db")
        let file = URL(fileURLWithPath: path)
        let whole = try Data(contentsOf: file)
        let isLong = ProcessInfo.processInfo.environment["KEYCHAIN_MUTATIONS"] == "all"
        var changes: [(name: String, content: Data)] = []
        for position in stride(from: 0, to: whole.count, by: isLong ? 97 : 4001) {
            changes.append(
                ("byte \(position)", Self.changed(whole, position..<position + 1) { $0 ^ 1 << UInt8(position % 8) }))
        }
        for start in stride(from: 0, to: whole.count, by: isLong ? 512 : 512 * 41) {
            changes.append(("sector at \(start)", Self.changed(whole, start..<start + 512) { _ in 0 }))
            changes.append(("cut at \(start)", whole.prefix(start)))
        }
        var (troubles, refused): ([String], Int) = ([], 0)
        for (number, change) in changes.enumerated() {
            try change.content.write(to: file)
            chmod(path, 0o600)
            let account = Self.accounts[number % Self.accounts.count]
            troubles += Self.troubles(place, account, baseline).map { "\(change.name): \($0)" }
            if place.find(Self.key(account)).status != errSecSuccess { refused += 1 }
            place.reopen()
            for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
        }
        try whole.write(to: file)
        chmod(path, 0o600)
        #expect(troubles.isEmpty)
        #expect(place.everything(of: "genp") == baseline)
        print("of \(changes.count) damages \(refused) made one item unreadable, 0 were believed")
    }

    @Test(
        "an entry of an index that says a wrong length of itself hides no item, and is not taken for another program's work"
    )
    func lengths() throws {
        let place = try Self.filled()
        let baseline = place.everything(of: "genp")
        place.reopen()
        let path = place.file("keychain.db")
        let file = URL(fileURLWithPath: path)
        let whole = try Data(contentsOf: file)
        // Leaf pages of indexes are of type 10; the numbers of their cells stand behind eight bytes.
        var cells: [Int] = []
        for page in stride(from: 0, to: whole.count, by: 4096) where whole[page] == 10 {
            for place in stride(from: page + 8, to: page + 8 + 2 * Int(whole[page + 4]), by: 2) {
                let high = Int(whole[place]) << 8
                cells.append(page + high + Int(whole[place + 1]))
            }
        }
        #expect(cells.count >= 150)
        var troubles: [String] = []
        for (number, cell) in cells.enumerated() where number % 5 == 0 {
            try Self.changed(whole, cell..<cell + 1) { $0 ^ 0x40 }.write(to: file)
            chmod(path, 0o600)
            for account in [Self.accounts[number % 50], Self.accounts[(number + 25) % 50]] {
                troubles += Self.troubles(place, account, baseline).map { "cell at \(cell): \($0)" }
            }
            if try place.check().isEmpty { troubles.append("cell at \(cell): the check finds nothing") }
            place.reopen()
            for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
        }
        try whole.write(to: file)
        chmod(path, 0o600)
        #expect(troubles.isEmpty)
    }

    private static func changed(_ whole: Data, _ range: Range<Int>, _ byte: (UInt8) -> UInt8) -> Data {
        var data = whole
        for position in range where position < data.count { data[position] = byte(data[position]) }
        return data
    }
}
