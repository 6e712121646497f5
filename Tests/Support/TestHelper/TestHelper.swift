// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The program that tests start where one process is not enough: its first argument says what it is to be.
@main
enum TestHelper {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "crash-write": CrashWriter.run()
        case "crash-verify": exit(CrashVerifier.run(acknowledged: rest.first.flatMap { Int($0) } ?? -1))
        case "crash-sync-write": exit(SyncCrash.write())
        case "crash-sync-verify": exit(SyncCrash.verify(acknowledged: rest.first.flatMap { Int($0) }))
        case "work": exit(Worker.run(rest))
        case "work-verify": exit(JournalVerifier.run(journals: rest))
        case "fork": exit(ForkScene.run(rest))
        case "sqlite-fork": exit(SQLiteFork.run(rest))
        case "probe": Probe.run(rest)
        case "keybag-script": exit(KeybagScript.run(rest))
        case "keybag-look": exit(KeybagLook.run(rest))
        case "keybag-turmoil": exit(KeybagTurmoil.run(rest))
        case "keybag-work": exit(KeybagWork.run(rest))
        case "keybag-guess": exit(KeybagGuess.run(rest))
        case "keybag-memory": exit(KeybagMemory.run(rest))
        case "keybag-fork": exit(KeybagFork.run(rest))
        case "access": exit(AccessScene.run(rest))
        case "ask": exit(Asker.run())
        case "hostile": exit(HostileUser.run(rest))
        case "load": exit(LoadWorker.run(rest))
        case "crowd": exit(CrowdWriter.run(rest))
        default:
            print("no such part: \(arguments)")
            exit(64)
        }
    }
}
