// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestSwtpm

/// One run of a script on a copy of a keychain, into a kill, and what it left.
struct KilledRun {
    let script: Script
    /// The library that kills; nil for a run that nobody kills.
    let interposer: String?
    /// The TPM for this run, when the script needs one.
    let tpm: SwtpmProcess?
    let folder: TestFolder
    let home: String

    init(_ script: Script, interposer: Interposer?, tpm: SwtpmProcess?) throws {
        self.script = script
        self.interposer = interposer?.path
        self.tpm = script.template.tpm == nil ? nil : tpm
        folder = try TestFolder()
        home = folder.file("home")
        try FileManager.default.copyItem(atPath: script.template.home, toPath: home)
        if let state = script.template.tpm { try tpm?.takeState(from: state) }
    }

    /// Lists every call of a run that nobody kills.
    func calls() throws -> [Call] {
        let (ending, lines) = try run(["LLT_KILL_LOG": folder.file("list")])
        guard ending == .exited(0) else { throw Trouble("\(script.name) \(ending): \(lines)") }
        return Call.calls(in: folder.text("list"))
    }

    /// What comes on top of the kill.
    enum Aggravation {
        case none
        /// What was not synced is gone.
        case powerCut
        /// The first process that looks at the keychain afterwards is killed as well, before so many calls.
        case secondKill(Int)
        /// The first call of all is a change of the passcode to the same one.
        case changeFirst
    }

    /// Runs the script into the point and says what was wrong afterwards; empty when nothing was.
    func complaints(at point: KillPoint, _ aggravation: Aggravation = .none) throws -> [String] {
        var orders = ["LLT_KILL_AT": point.order]
        var disk: SurvivingDisk?
        if case .powerCut = aggravation {
            let survivor = try SurvivingDisk(folder.makeFolder("disk"), of: home)
            orders["LLT_KILL_DISK"] = survivor.path
            disk = survivor
        }
        let (ending, lines) = try run(orders)
        guard ending == .killed(signal: SIGKILL) else { return ["the script \(ending) instead of being killed"] }
        let verdict = Verdict(script, after: lines)
        if !verdict.troubles.isEmpty { return verdict.troubles }
        try disk?.replaceHome()
        switch aggravation {
        case .none, .powerCut: return try complaints(verdict, attempts: 1)
        case .secondKill(let count):
            _ = try look(verdict, ["LD_PRELOAD": interposer ?? "", "LLT_KILL_AT": "any:before:\(count)"])
            return try complaints(verdict, attempts: 1 + script.passcodes.count)
        case .changeFirst:
            var said: [String] = []
            for passcode in script.passcodes {
                let (ending, lines) = try run(steps: ["change=\(passcode),\(passcode)"], [:])
                // The counter is the new gate's then.
                if ending == .exited(0) { return try complaints(verdict, attempts: nil) }
                said += lines
            }
            let complaints = try complaints(verdict, attempts: 1 + script.passcodes.count)
            let isGuarded = complaints.isEmpty && verdict.states.allSatisfy { $0.passcode != nil && $0.hasDevice }
            return isGuarded ? ["the first call is refused: \(said)"] : complaints
        }
    }

    /// Looks at what a run left and judges it; `attempts` as the verdict has it.
    func complaints(_ verdict: Verdict, attempts: Int?) throws -> [String] {
        var (ending, lines) = try look(verdict)
        if ending != .exited(0), let step = verdict.step, step.verb == "recover",
            verdict.states.first?.hasDevice == false
        {
            // It was shut before, and may still be.
            let (repeated, said) = try run(steps: [step.word], [:])
            guard repeated == .exited(0) else { return ["the recovery cannot be repeated: \(repeated) \(said)"] }
            (ending, lines) = try look(verdict)
        }
        guard ending == .exited(0) else { return ["the look \(ending): \(lines)"] }
        let sighting = Sighting(lines)
        var complaints = verdict.complaints(about: sighting, attempts: attempts)
        guard let state = verdict.states.first(where: sighting.agrees) else { return complaints }
        let leftovers = Leftovers(home: home, tpm: tpm)
        complaints += try leftovers.complaints(in: state, allowingAsides: verdict.allowsAsides)
        complaints += try verdict.complaints(aboutPapersOf: leftovers)
        return complaints + (try self.complaints(aboutRepeating: verdict, in: state))
    }

    /// A change of the keybag that came to nothing can be made again, whatever it left lying about.
    private func complaints(aboutRepeating verdict: Verdict, in state: CrashedKeychain) throws -> [String] {
        guard let step = verdict.step, step.changesKeybag, verdict.states.first == state else { return [] }
        let (ending, lines) = try run(steps: [step.word], [:])
        return ending == .exited(0) ? [] : ["\(step) cannot be repeated: \(lines)"]
    }

    private func run(_ orders: [String: String]) throws -> (HelperProcess.Ending, [String]) {
        try run(steps: script.steps.map(\.word), orders.merging(["LD_PRELOAD": interposer ?? ""]) { $1 })
    }

    /// Runs steps in a process of their own.
    func run(steps: [String], _ orders: [String: String]) throws -> (HelperProcess.Ending, [String]) {
        let (ending, lines) = try HelperProcess.run(
            ["keybag-script", home, tpm?.connection ?? "software"] + steps, environment: environment(orders),
            in: folder)
        return (ending, lines)
    }

    private func look(
        _ verdict: Verdict, _ orders: [String: String] = [:]
    ) throws -> (HelperProcess.Ending, [String]) {
        let passcodes = script.passcodes.isEmpty ? "-" : script.passcodes.joined(separator: ",")
        let (ending, lines) = try HelperProcess.run(
            ["keybag-look", home, tpm?.connection ?? "software", passcodes] + verdict.itemNames,
            environment: environment(orders), in: folder)
        return (ending, lines)
    }

    private func environment(_ orders: [String: String]) -> [String: String] {
        var environment = orders
        environment["LLAVERO_HOME"] = home
        if let tpm { environment["LLT_KILL_TPM"] = tpm.socket }
        return environment
    }
}
