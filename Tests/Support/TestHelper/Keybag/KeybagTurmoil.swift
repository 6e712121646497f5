// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Changes the keys of a keychain all the time, while others work on its items.
enum KeybagTurmoil {
    /// The place, the number of changes, and a number that decides which.
    static func run(_ arguments: [String]) -> Int32 {
        guard let place = KeybagPlace(arguments), arguments.count == 4, let count = Int(arguments[2]),
            let seed = UInt64(arguments[3])
        else { return 64 }
        do {
            let keychain = try place.open()
            return try keychain.use {
                var turmoil = Turmoil(random: seed | 1)
                for number in 0..<count {
                    let what = turmoil.choice
                    do { try turmoil.change(what) } catch {
                        say("failed change \(number), \(what):", error)
                        return 1
                    }
                }
                try turmoil.end()
                say("passcode", turmoil.passcode ?? "-")
                return 0
            }
        } catch {
            say("failed", error)
            return 1
        }
    }

    private struct Turmoil {
        /// The keychain begins with this one.
        var passcode: String? = "A"
        var random: UInt64

        var choice: Int {
            mutating get {
                random ^= random << 13
                random ^= random >> 7
                random ^= random << 17
                return Int(random % 8)
            }
        }

        mutating func change(_ choice: Int) throws {
            let bag = Llavero.keybag
            guard let passcode else {
                // Mostly with a passcode: then there is more to go wrong.
                if choice < 2 { return try bag.rotateKeys(passcode: nil) }
                try bag.setPasscode(Llavero.Passcode("A"), erasingAfter: nil)
                self.passcode = "A"
                return
            }
            let given = try Llavero.Passcode(passcode)
            switch choice {
            case 0, 1:
                try bag.unlock(with: given)
                try bag.rotateKeys(passcode: given)
            case 2:
                try bag.unlock(with: given)
                try bag.reseal()
            case 3:
                try bag.removePasscode(given)
                self.passcode = nil
            case 4: try bag.lock()
            case 5: _ = try bag.makeRecoveryKey(passcode: given)
            default:
                let next = passcode == "A" ? "B" : "A"
                try bag.changePasscode(from: given, to: Llavero.Passcode(next))
                self.passcode = next
            }
        }

        /// Leaves everything sealed under one generation.
        func end() throws {
            if let passcode { try Llavero.keybag.unlock(with: Llavero.Passcode(passcode)) }
        }
    }
}
