// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Looks at a keychain as the next process does that uses it, and says line by line what it found.
enum KeybagLook {
    /// The place, `-` or passcodes to try (`A,B`), and the items to look for.
    static func run(_ arguments: [String]) -> Int32 {
        guard let place = KeybagPlace(arguments), arguments.count >= 3 else { return 64 }
        let passcodes = arguments[2].split(separator: ",").map(String.init).filter { $0 != "-" }
        let items = arguments.dropFirst(3).map(KeybagItem.init)
        do {
            let opener = try look(at: place, passcodes, items)
            try useAgain(place, opener)
            return 0
        } catch {
            say("failed", error)
            return 1
        }
    }

    /// Returns the passcode that opens it; nil where there is none.
    private static func look(
        at place: KeybagPlace, _ passcodes: [String], _ items: [KeybagItem]
    ) throws -> String? {
        let keychain = try place.open()
        return try keychain.use {
            let bag = Llavero.keybag
            let status = try bag.status()
            say("enclave", status.enclave)
            say("state", status.lockState)
            say("failures", status.failedAttempts)
            say("generation", status.generation)
            var opener: String?
            if status.lockState != .noPasscode {
                for item in items { say("locked", item.name, item.find().status) }
                for passcode in passcodes where try opens(passcode) {
                    say("opens", passcode)
                    opener = passcode
                }
                if let opener { try bag.unlock(with: Llavero.Passcode(opener)) }
            }
            for item in items {
                let (status, value) = item.find()
                say("item", item.name, status, value ?? "")
            }
            for finding in try keychain.check() { say("check", finding) }
            return opener
        }
    }

    private static func opens(_ passcode: String) throws -> Bool {
        do { try Llavero.keybag.verify(Llavero.Passcode(passcode)) } catch let error as LlaveroError {
            if error.status == errSecAuthFailed, error.retryAfter == nil { return false }
            throw error
        }
        return true
    }

    /// Once more from the beginning: it takes writes, locks, unlocks, and has nothing to complain of.
    private static func useAgain(_ place: KeybagPlace, _ passcode: String?) throws {
        let keychain = try place.open()
        try keychain.use {
            let bag = Llavero.keybag
            if let passcode { try bag.unlock(with: Llavero.Passcode(passcode)) }
            let status = try bag.status()
            if status.failedAttempts != 0 { say("again: failures", status.failedAttempts) }
            for protection in ["ak", "ck", "dk", "aku", "cku", "dku"] + (passcode == nil ? [] : ["akpu"]) {
                let item = KeybagItem(name: "genp.\(protection).again")
                for (call, status) in [("add", item.add("x")), ("update", item.update("y")), ("delete", item.delete())]
                where status != errSecSuccess {
                    say("again:", call, item.name, status, Llavero.lastFailure ?? "")
                }
            }
            if status.isResealing {
                try bag.reseal()
                if try bag.status().isResealing { say("again: keys of earlier generations stay") }
            }
            if let passcode {
                try bag.lock()
                try bag.unlock(with: Llavero.Passcode(passcode))
            }
            for finding in try keychain.check() { say("again: check", finding) }
        }
    }
}
