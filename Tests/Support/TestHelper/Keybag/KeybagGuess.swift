// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// One of several processes that try wrong passcodes at the same time.
enum KeybagGuess {
    /// The place, how many tries, and the folder of the pipes.
    static func run(_ arguments: [String]) -> Int32 {
        guard let place = KeybagPlace(arguments), arguments.count == 4, let count = Int(arguments[2]) else { return 64 }
        do {
            let keychain = try place.open()
            return try keychain.use {
                _ = try Llavero.keybag.status()
                guard Rendezvous(folder: arguments[3]).meet() else { return 2 }
                for number in 0..<count {
                    do {
                        try Llavero.keybag.unlock(with: Llavero.Passcode("wrong \(getpid()) \(number)"))
                        say("opened")
                    } catch let error as LlaveroError where error.status == errSecAuthFailed {
                        say(error.description.contains("attempt") ? "counted" : "wait")
                    } catch { say("failed", error) }
                }
                return 0
            }
        } catch {
            say("failed", error)
            return 1
        }
    }
}
