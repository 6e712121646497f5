// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Works through steps and says `done` after each, once its call has returned.
enum KeybagScript {
    /// The place, then the steps.
    static func run(_ arguments: [String]) -> Int32 {
        guard let place = KeybagPlace(arguments) else { return 64 }
        // In the run that lists the kill points, the list is cut into the script's steps.
        let list = getenv("LLT_KILL_LOG").map { open(String(cString: $0), O_WRONLY | O_APPEND | O_CREAT, 0o600) }
        do {
            let keychain = try place.open()
            return keychain.use {
                for (index, word) in arguments.dropFirst(2).enumerated() {
                    let part = Array("part \(index)\n".utf8)
                    if let list { _ = write(list, part, part.count) }
                    do { if let words = try KeybagStep(word).perform(on: keychain) { say(words) } } catch {
                        say("failed step", index, error)
                        return 1
                    }
                    say("done", index)
                }
                return 0
            }
        } catch {
            say("failed to open", error)
            return 1
        }
    }
}
