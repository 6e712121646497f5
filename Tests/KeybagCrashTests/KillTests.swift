// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses
import TestSeed
import TestSwtpm
import Testing

/// Some two hundred kills at changes of the keybag, other ones each time; at every call there is with `make crash`.
///
/// Whatever was interrupted, the keychain opens with exactly one passcode, and nothing is lost that was acknowledged.
@Suite(.serialized) struct KillTests {
    @Test("a keychain in software survives a kill at any call of any change of its keys", .timeLimit(.minutes(60)))
    func software() throws {
        var random = Seed(for: "kills in software")
        let interposer = try Interposer()
        let scripts = try Script.inSoftware()
        let runs = try KillPlan.runs(of: scripts, count: 120, random: &random) { script in
            try KilledRun(script, interposer: interposer, tpm: nil).calls()
        }
        try Lanes.examine(runs, "kills in software") { run, _ in
            try KilledRun(run.script, interposer: interposer, tpm: nil).complaints(at: run.point, run.aggravation)
        }
    }

    @Test(
        "a keychain in a TPM survives a kill at any call, and at any command to the TPM, of any change of its keys",
        .enabled(if: SwtpmProcess.isInstalled && Llavero.supportsTPM, "needs swtpm, and a build with the trait TPM"),
        .timeLimit(.minutes(60)))
    func tpm() throws {
        var random = Seed(for: "kills with a TPM")
        let interposer = try Interposer()
        let chips = [try SwtpmProcess(), try SwtpmProcess()]
        let scripts = try Script.inTPM(chips[0])
        let runs = try KillPlan.runs(of: scripts, count: 60, random: &random) { script in
            try KilledRun(script, interposer: interposer, tpm: chips[0]).calls()
        }
        try Lanes.examine(runs, "kills with a TPM") { run, lane in
            try KilledRun(run.script, interposer: interposer, tpm: chips[lane]).complaints(
                at: run.point, run.aggravation)
        }
    }

    @Test(
        "changing, setting and removing a passcode survives a power cut that takes everything which was not synced",
        .timeLimit(.minutes(60)))
    func powerCuts() throws {
        var random = Seed(for: "power cuts")
        let interposer = try Interposer()
        let names = ["setting", "changing", "removing", "recovering"]
        let scripts = try Script.inSoftware().filter { names.contains($0.name) }
        let runs = try KillPlan.runs(of: scripts, count: 40, random: &random, losingPower: true) { script in
            try KilledRun(script, interposer: interposer, tpm: nil).calls()
        }
        try Lanes.examine(runs, "power cuts") { run, _ in
            try KilledRun(run.script, interposer: interposer, tpm: nil).complaints(at: run.point, run.aggravation)
        }
    }
}
