// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestSwtpm

/// A helper that opens a keychain, reads every item and locks, and all that might be found in its memory.
final class MemoryScene {
    static let decoyName = "the decoy"
    private static let classes = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"]

    /// The secret that the program still has in its hands when it is unlocked.
    let keptSecret: String
    /// Keys that go when the keychain is locked, and keys that stay.
    let guardedKeys: [Needle]
    let stayingKeys: [Needle]
    private let needles: [Needle]
    private let helper: HelperProcess
    private let ready: NamedPipe
    private let go: NamedPipe
    private let folder: TestFolder
    private let tpm: SwtpmProcess?

    /// Comes as far as an unlocked keychain of which every item was read; `launcher` is what to put before the helper.
    init(tpm: SwtpmProcess? = nil, launcher: [String] = []) throws {
        self.tpm = tpm
        folder = try TestFolder()
        let home = try folder.makeFolder("home")
        let passcode = "a passcode that nobody guesses \(UUID().uuidString)"
        let items = Self.classes.map { "genp.\($0).item" }
        let secrets = items.map { _ in "\(UUID().uuidString) is a secret \(UUID().uuidString)" }
        let (ending, lines) = try HelperProcess.run(
            ["keybag-script", home, tpm?.connection ?? "software", "set=\(passcode)"]
                + zip(items, secrets).map { "put=\($0),\($1)" }, environment: [:], in: folder)
        guard ending == .exited(0) else { throw Trouble("no keychain: \(lines)") }

        let keys = try ExposedKeys(login: home + "/login", tpm: tpm?.connection, passcode: Array(passcode.utf8))
        stayingKeys = ["ck", "cku", "dk", "dku"].flatMap { keys.classKeys[$0] ?? [] }
        guardedKeys = ["ak", "aku", "akpu"].flatMap { keys.classKeys[$0] ?? [] }
        keptSecret = "the secret of \(items.last ?? "")"
        let decoy = (0..<64).map { _ in UInt8.random(in: .min ... .max) }
        needles =
            guardedKeys + stayingKeys + keys.roots
            + [Needle("the passcode", Array(passcode.utf8)), Needle(Self.decoyName, decoy)]
            + zip(items, secrets).map { Needle("the secret of \($0)", Array($1.utf8)) }

        let pipes = try folder.makeFolder("pipes")
        ready = try NamedPipe(pipes + "/ready")
        go = try NamedPipe(pipes + "/go")
        var secret: NamedPipe? = try NamedPipe(pipes + "/passcode")
        try Data(decoy).write(to: URL(fileURLWithPath: pipes + "/decoy"))
        helper = try HelperProcess(
            ["keybag-memory", home, tpm?.connection ?? "software", pipes] + items, environment: [:],
            output: folder.file("output"), launcher: launcher)
        try ready.take()
        try secret?.send(Array(passcode.utf8))
        secret = nil
        try ready.take()
        guard helper.lines == items.map({ "read \($0) 0" }) else { throw Trouble("the helper said \(helper.lines)") }
    }

    /// What is found now: in a dump, and in all that a debugger sees.
    func sightings() throws -> (dump: Set<String>?, memory: Set<String>?) {
        (try MemorySearch.core(of: helper.pid, for: needles), try memory())
    }

    func memory() throws -> Set<String>? { try MemorySearch.memory(of: helper.pid, for: needles) }

    func hidesMemory() throws -> Bool { try MemorySearch.hasHiddenMemory(helper.pid) }

    /// Lets the helper lock.
    func lock() throws {
        try go.send()
        try ready.take()
    }

    /// Lets the helper read what can be read of a locked keychain.
    func useLocked() throws {
        try lock()
        let expected = ["ak": -25308, "aku": -25308, "akpu": -25308]
        let lines = Self.classes.map { "locked genp.\($0).item \(expected[$0] ?? 0)" }
        guard helper.lines.suffix(lines.count) == lines[...] else { throw Trouble("the helper said \(helper.lines)") }
    }

    func end() throws {
        try go.send()
        let ending = helper.wait()
        guard ending == .exited(0) else { throw Trouble("the helper \(ending)") }
    }
}
