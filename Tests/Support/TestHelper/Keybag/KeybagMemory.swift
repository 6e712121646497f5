// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A program whose memory is searched from outside: unlocked, then locked, then in use again.
enum KeybagMemory {
    /// The place, the folder of the pipes, and the items to read.
    ///
    /// The passcode comes through the pipe `passcode`, what to plant in ordinary memory from the file `decoy`, so that
    /// neither is among the arguments.
    static func run(_ arguments: [String]) -> Int32 {
        guard let place = KeybagPlace(arguments), arguments.count > 3 else { return 64 }
        let rendezvous = Rendezvous(folder: arguments[2])
        let items = arguments.dropFirst(3).map(KeybagItem.init)
        guard let decoy = plant("\(arguments[2])/decoy") else { return 65 }
        defer { free(decoy) }
        do {
            let keychain = try place.open()
            return try keychain.use {
                try unlock(rendezvous)
                guard readAndMeet(items, rendezvous) else { return 2 }
                try Llavero.keybag.lock()
                guard rendezvous.meet() else { return 3 }
                for item in items { say("locked", item.name, item.read().status) }
                return rendezvous.meet() ? 0 : 4
            }
        } catch {
            say("failed", error)
            return 1
        }
    }

    /// Keeps the last item's secret until it may go on.
    private static func readAndMeet(_ items: [KeybagItem], _ rendezvous: Rendezvous) -> Bool {
        var kept: CFTypeRef?
        for item in items {
            let (status, object) = item.read()
            say("read", item.name, status)
            kept = object
        }
        return withExtendedLifetime(kept) { rendezvous.meet() }
    }

    private static func unlock(_ rendezvous: Rendezvous) throws {
        let file = open("\(rendezvous.folder)/passcode", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        _ = rendezvous.say()
        try Llavero.keybag.unlock(with: Llavero.Passcode(fileDescriptor: file))
    }

    /// Reads a file into memory from the heap, and nowhere else.
    private static func plant(_ path: String) -> UnsafeMutableRawPointer? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let memory = malloc(64)
        return memory != nil && read(file, memory, 64) == 64 ? memory : nil
    }
}
