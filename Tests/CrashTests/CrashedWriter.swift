// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// A writer that is killed at a point, and what it left.
struct CrashedWriter {
    /// What the helper is to do, and to look at afterwards.
    enum Script: String {
        case items = "crash"
        case circle = "crash-sync"
    }

    let script: Script
    let interposer: String
    let folder: TestFolder
    let home: String

    init(_ script: Script = .items, interposer: String) throws {
        self.script = script
        self.interposer = interposer
        folder = try TestFolder()
        home = try folder.makeFolder("home")
    }

    /// Lists every call of a run that nobody kills.
    func calls() throws -> [Call] {
        let list = folder.file("list")
        let (ending, lines) = try HelperProcess.run(
            ["\(script.rawValue)-write"],
            environment: ["LLAVERO_HOME": home, "LD_PRELOAD": interposer, "LLT_KILL_LOG": list], in: folder)
        guard ending == .exited(0) else { throw Trouble("the writer \(ending): \(lines)") }
        return Call.calls(in: folder.text("list"))
    }

    /// Runs the writer into the point and says what was wrong afterwards; empty when nothing was.
    ///
    /// With `losingPower`, what was not synced is gone. `recoveryKill` ends the first process that opens the keychain
    /// afterwards, before so many calls.
    func complaints(
        at point: KillPoint, losingPower: Bool = false, recoveryKill: Int? = nil
    ) throws -> [String] {
        var environment = ["LLAVERO_HOME": home, "LD_PRELOAD": interposer, "LLT_KILL_AT": point.order]
        let disk = try SurvivingDisk(folder.makeFolder("disk"), of: home)
        if losingPower { environment["LLT_KILL_DISK"] = disk.path }
        let (ending, lines) = try HelperProcess.run(["\(script.rawValue)-write"], environment: environment, in: folder)
        guard ending == .killed(signal: SIGKILL) else { return ["the writer \(ending) instead of being killed"] }
        // Before the first line a circle has not even been begun.
        let acknowledged = lines.last.map { Int($0) } ?? (script == .circle ? -1 : 0)
        guard let acknowledged else { return ["the writer said \(lines)"] }
        if losingPower { try disk.replaceHome() }
        var complaints = FolderShape.complaints(about: home)
        environment = ["LLAVERO_HOME": home]
        if let recoveryKill {
            let killed = environment.merging([
                "LD_PRELOAD": interposer, "LLT_KILL_AT": "any:before:\(recoveryKill)",
            ]) { $1 }
            _ = try HelperProcess.run(
                ["\(script.rawValue)-verify", "\(acknowledged)"], environment: killed, in: folder)
        }
        let (verdict, findings) = try HelperProcess.run(
            ["\(script.rawValue)-verify", "\(acknowledged)"], environment: environment, in: folder)
        complaints += findings
        if verdict != .exited(0) { complaints.append("after \(acknowledged) operations the verifier \(verdict)") }
        return complaints
    }
}

/// What a folder of keychains looks like at any moment: no keychain or a whole one.
enum FolderShape {
    static func complaints(about home: String) -> [String] {
        guard let names = TestFolder.names(in: home) else { return ["the root is gone"] }
        var complaints = names.filter { $0 != "login" && !$0.hasPrefix(".birth-") }.map { "\($0) should not be there" }
        if let files = TestFolder.names(in: home + "/login") {
            for file in ["device.key", "keybag.copy", "keychain.db", "owner"] where !files.contains(file) {
                complaints.append("login stands without \(file)")
            }
        }
        return complaints
    }
}
