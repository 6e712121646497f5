// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation
import Security

/// An unlocked program forks without exec: what the child can do, and what is left to the parent.
enum KeybagFork {
    /// The place, the folder of the pipes, the passcode, and the items to read.
    static func run(_ arguments: [String]) -> Int32 {
        guard let place = KeybagPlace(arguments), arguments.count > 4 else { return 64 }
        // One process stays behind to wait for both halves.
        let ending = llt_continue_in_child()
        if ending >= 0 { return ending }
        let rendezvous = Rendezvous(folder: arguments[2])
        let items = arguments.dropFirst(4).map(KeybagItem.init)
        do {
            let keychain = try place.open()
            return try keychain.use {
                try Llavero.keybag.unlock(with: Llavero.Passcode(arguments[3]))
                report("before", items)
                say("parent", getpid())
                let child = llt_fork()
                if child == 0 { return try goOn(keychain, arguments[3], items, rendezvous) }
                // While the child is there, and after it has done its worst.
                report("parent", items)
                var status: Int32 = 0
                guard llt_wait(child, 900_000, &status), llt_exit_code(status) == 0 else { return 3 }
                say("parent is", try Llavero.keybag.status().lockState)
                report("parent afterwards", items)
                try Llavero.keybag.lock()
                report("parent locked", items)
                return 0
            }
        } catch {
            say("failed", error)
            return 1
        }
    }

    private static func goOn(
        _ keychain: IsolatedKeychain, _ passcode: String, _ items: [KeybagItem], _ rendezvous: Rendezvous
    ) throws -> Int32 {
        // As the fork has left it, before it has called anything of ours.
        say("child", getpid())
        guard rendezvous.meet() else { return 4 }
        let bag = Llavero.keybag
        say("child is", try bag.status().lockState)
        report("child", items)
        guard rendezvous.meet() else { return 5 }
        do { try bag.rotateKeys(passcode: nil) } catch { say("child rotates nothing") }
        // Whatever it forgets and wipes is its own.
        try bag.lock()
        keychain.reopen()
        try bag.unlock(with: Llavero.Passcode(passcode))
        say("child is", try bag.status().lockState)
        report("child unlocked", items)
        try bag.lock()
        report("child locked", items)
        return 0
    }

    private static func report(_ who: String, _ items: [KeybagItem]) {
        for item in items { say("\(who):", item.name, item.find().status) }
    }
}
