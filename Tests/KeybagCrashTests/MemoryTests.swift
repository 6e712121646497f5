// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses
import TestSwtpm
import Testing

/// What is left in the memory of a program that had its keychain open and locked it.
@Suite struct MemoryTests {
    @Test("a core dump of a program that locked has no class key, no passcode, and no secret that was read")
    func software() throws { try search(MemoryScene()) }

    @Test("nor has one of a program that may lock no memory; a debugger finds in it the keys that stay, and no others")
    func unhidden() throws {
        guard let launcher = Self.withoutLockedMemory else {
            return print("SKIPPED: no prlimit and setpriv, to take the right to lock memory from a program")
        }
        let scene = try MemoryScene(launcher: launcher)
        #expect(try !scene.hidesMemory())
        try search(scene)
    }

    @Test(
        "with a TPM, a core dump of a program that locked has none either",
        .enabled(if: SwtpmProcess.isInstalled && Llavero.supportsTPM, "needs swtpm, and a build with the trait TPM"))
    func tpm() throws { try search(MemoryScene(tpm: SwtpmProcess())) }

    private func search(_ scene: MemoryScene) throws {
        let unlocked = try scene.sightings()
        guard let control = unlocked.dump ?? unlocked.memory else {
            return print("SKIPPED: neither gcore nor /proc/PID/mem shows another process here")
        }
        if unlocked.dump == nil { print("no gcore here; /proc/PID/mem alone was searched") }
        // The searches can find: the decoy, keys as long as ciphers are set up with them, and what the program keeps.
        #expect(control.contains(MemoryScene.decoyName))
        #expect(control.isSuperset(of: scene.guardedKeys.map(\.name)))
        #expect(control.contains(scene.keptSecret))
        // What items demand of who knows the passcode is not there even then.
        #expect(!control.contains("the passcode's factor"))

        try scene.lock()
        let locked = try scene.sightings()
        #expect(locked.dump ?? [MemoryScene.decoyName] == [MemoryScene.decoyName])
        // Where memory cannot be hidden, whoever debugs the program sees more than a dump has: the keys that stay.
        let staying = try scene.hidesMemory() ? [] : scene.stayingKeys.map(\.name)
        #expect(locked.memory.map { $0 == Set(staying + [MemoryScene.decoyName]) } ?? true, "\(locked.memory ?? [])")

        try scene.useLocked()
        let used = try scene.memory()
        // Classes that need no unlocked device are in use again, and no other.
        let inUse = Set(scene.stayingKeys.map(\.name) + [MemoryScene.decoyName])
        #expect(used?.subtracting(inUse) ?? [] == [])
        try scene.end()
    }

    /// What to put before a program so that the kernel lets it lock and hide no memory.
    private static let withoutLockedMemory: [String]? = {
        let tools = ["prlimit", "setpriv"].map { "/usr/bin/" + $0 }
        guard tools.allSatisfy(FileManager.default.isExecutableFile) else { return nil }
        let unprivileged = geteuid() == 0 ? [tools[1], "--bounding-set=-ipc_lock", "--"] : []
        return [tools[0], "--memlock=0:0"] + unprivileged
    }()
}
