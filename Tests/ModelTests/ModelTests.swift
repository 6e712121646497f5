// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSeed
import Testing

@Suite struct ModelTests {
    @Test("whatever is done, the keychain does what a plain list with the same rules does", arguments: [0, 1])
    func random(place: Int) throws {
        let storage: IsolatedKeychain.Storage = place == 0 ? .inMemory : .temporaryFolder
        let began = Date()
        var run = try ModelRun(storage, seed: Seed(for: "model, \(storage)"))
        let trouble = run.run(steps: 10_000)
        let seconds = Date().timeIntervalSince(began)
        print("\(run.step) operations in \(seconds) s: \(run.tally.sorted { $0.value > $1.value })")
        if let trouble { Issue.record(Comment(rawValue: trouble)) }
    }

    /// Milliseconds are no binary fractions: in these years, 2026, 2018 and 2035 among them, dates round differently.
    @Test(
        "an update is later than the one before though the clock stands",
        arguments: [1, 540_000_000, 800_000_000, 1_080_000_000])
    func laterDates(second: Int) throws {
        let keychain = try IsolatedKeychain(.inMemory)
        keychain.setClock(Date(timeIntervalSinceReferenceDate: Double(second)))
        let item: Terms = ["class": .text("genp"), "r_Attributes": .flag(true)]
        var dates: [Double] = []
        keychain.use {
            #expect(SecItemAdd(item.dictionary, nil) == errSecSuccess)
            for _ in 0..<300 {
                var result: CFTypeRef?
                guard SecItemUpdate((["class": .text("genp")] as Terms).dictionary, NSDictionary()) == errSecSuccess,
                    SecItemCopyMatching(item.dictionary, &result) == errSecSuccess,
                    let date = (result as? NSDictionary)?["mdat"] as? Date
                else { return }
                dates.append(date.timeIntervalSinceReferenceDate)
            }
        }
        #expect(dates.count == 300)
        #expect(zip(dates, dates.dropFirst()).allSatisfy { $0 < $1 })
    }
}
