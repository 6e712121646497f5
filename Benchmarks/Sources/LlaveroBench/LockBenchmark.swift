// SPDX-License-Identifier: Apache-2.0

internal import CLimit
import Foundation
import Glibc
import Security

/// What locking and unlocking cost, apart from the stretching of the passcode, and a find between them.
struct LockBenchmark {
    let plan: Plan

    func rows() throws -> [Row] {
        var rows = try rows(on: .software, "software", unlockTarget: 2000)
        guard let swtpm = try Swtpm() else {
            rows.append(Row(name: "unlock, scrypt apart, swtpm", items: 100, note: "swtpm is not installed"))
            return rows
        }
        defer { swtpm.stop() }
        do { rows += try self.rows(on: .tpm(connection: swtpm.connection), "swtpm", unlockTarget: 30_000) } catch let
            error as LlaveroError
        {
            rows.append(Row(name: "unlock, scrypt apart, swtpm", items: 100, note: error.description))
        }
        return rows
    }

    private func rows(
        on hardware: IsolatedKeychain.Hardware, _ name: String, unlockTarget: Double
    ) throws -> [Row] {
        let keychain = try IsolatedKeychain(.temporaryFolder, hardware: hardware)
        let passcode = try Llavero.Passcode("a passcode")
        let items = (0..<100).map { BenchItem(number: $0) }
        var unlocks: [Double] = []
        var locks: [Double] = []
        var finds: [Double] = []
        try keychain.use {
            for item in items {
                try WrongResult.unless(SecItemAdd(item.addition, nil) == errSecSuccess, "an item cannot be added")
            }
            let keybag = Llavero.keybag
            try keybag.setPasscode(passcode, erasingAfter: nil)
            for _ in 0..<(plan.isSmoke ? 5 : 50) {
                locks.append(try Stopwatch.each(1) { try keybag.lock() })
                let stretching = try Self.stretching()
                unlocks.append(try Stopwatch.each(1) { try keybag.unlock(with: passcode) } - stretching)
                let query = items[7].query
                var result: CFTypeRef?
                // The first one after an unlock fetches the keys.
                _ = SecItemCopyMatching(query, &result)
                finds.append(
                    Stopwatch.each(100) { for _ in 0..<100 { _ = SecItemCopyMatching(query, &result) } })
            }
        }
        return [
            Row(
                name: "unlock, scrypt apart, \(name)", items: items.count, ours: unlocks.median,
                target: .ours(atMost: unlockTarget)),
            Row(name: "lock, \(name)", items: items.count, ours: locks.median, target: .ours(atMost: 1000)),
            Row(name: "find, unlocked with a passcode, \(name)", items: items.count, ours: finds.median),
        ]
    }

    /// Microseconds that scrypt alone takes with the parameters of an isolated keychain.
    private static func stretching() throws -> Double {
        var output = [UInt8](repeating: 0, count: 64)
        let salt = [UInt8](repeating: 1, count: 32)
        return try Stopwatch.each(1) {
            let done = EVP_PBE_scrypt("a passcode", 10, salt, 32, 1 << 10, 8, 1, 64 << 20, &output, 64)
            try WrongResult.unless(done == 1, "scrypt failed")
        }
    }
}
