// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestSwtpm

/// A helper that unlocked its keychain and forked; the child waits before its first call.
final class ForkedPair {
    static let items = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"].map(item)

    /// Both keys of every class that needs the passcode.
    let keys: [Needle]
    private let helper: HelperProcess
    private let ready: NamedPipe
    private let go: NamedPipe
    private let folder: TestFolder
    private let tpm: SwtpmProcess?

    static func item(_ protection: String) -> String { "genp.\(protection).item" }

    init(tpm: SwtpmProcess?) throws {
        self.tpm = tpm
        folder = try TestFolder()
        let home = try folder.makeFolder("home")
        let place = [home, tpm?.connection ?? "software"]
        let (ending, lines) = try HelperProcess.run(
            ["keybag-script"] + place + ["set=A"] + Self.items.map { "add=\($0)" }, environment: [:], in: folder)
        guard ending == .exited(0) else { throw Trouble("no keychain: \(lines)") }
        let exposed = try ExposedKeys(login: home + "/login", tpm: tpm?.connection, passcode: Array("A".utf8))
        keys = ["ak", "ck", "aku", "cku", "akpu"].flatMap { exposed.classKeys[$0] ?? [] }
        let pipes = try folder.makeFolder("pipes")
        ready = try NamedPipe(pipes + "/ready")
        go = try NamedPipe(pipes + "/go")
        helper = try HelperProcess(
            ["keybag-fork"] + place + [pipes, "A"] + Self.items, environment: [:], output: folder.file("output"))
        try ready.take()
    }

    var lines: [String] { helper.lines }

    /// The two halves of the program; the helper's own process only waits for them.
    func child() throws -> Int32 { try number(after: "child ") }
    func parent() throws -> Int32 { try number(after: "parent ") }

    private func number(after prefix: String) throws -> Int32 {
        guard let line = lines.first(where: { $0.hasPrefix(prefix) && !$0.contains(":") }),
            let number = Int32(line.dropFirst(prefix.count))
        else { throw Trouble("the helper said \(lines)") }
        return number
    }

    /// Lets the child do its worst, and both come to their end.
    func goOn() throws {
        try go.send()
        try ready.take()
        try go.send()
        let ending = helper.wait()
        guard ending == .exited(0) else { throw Trouble("the helper \(ending): \(lines)") }
    }
}
