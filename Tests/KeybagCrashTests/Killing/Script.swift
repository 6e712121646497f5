// SPDX-License-Identifier: Apache-2.0

import TestProcesses
import TestSwtpm

/// Steps that one process takes, one after the other, on a keychain that is there.
struct Script: Sendable {
    let name: String
    let template: Template
    let words: [String]

    init(_ name: String, on template: Template, _ words: [String]) {
        self.name = name
        self.template = template
        self.words = words
    }

    var steps: [Step] { words.map(Step.init) }

    /// The passcodes it may leave.
    var passcodes: [String] {
        var state = template.state
        var passcodes = Set([state.passcode].compactMap { $0 })
        for (number, step) in steps.enumerated() {
            state = state.after(step, number: number)
            if let passcode = state.passcode { passcodes.insert(passcode) }
        }
        return passcodes.sorted()
    }
}

extension Script {
    /// An item of every class that needs no passcode, of all four kinds.
    static let items = [
        "add=genp.ak.one", "add=inet.ck.one", "add=keys.dk.one", "add=cert.aku.one", "add=genp.cku.one",
        "add=genp.dku.one",
    ]
    private static let guardedItems = items + ["set=A", "add=genp.akpu.one", "add=inet.akpu.two", "paper=A"]

    /// Everything that changes the keybag of a keychain in software.
    static func inSoftware() throws -> [Script] {
        let plain = try Template(items)
        let guarded = try Template(guardedItems)
        let long = try Template((0..<300).map { "add=genp.ck.\($0)" } + guardedItems)
        let lost = try Template(losingTheDeviceKeyOf: guarded)
        return [
            Script("birth", on: try Template([]), ["create=software", "add=genp.ak.new", "set=A"]),
            Script("setting", on: plain, ["set=A", "add=genp.akpu.new", "update=genp.ak.one"]),
            Script(
                "changing", on: guarded,
                ["change=A,B", "update=keys.dk.one", "change=B,A", "unlock=A", "change=A,B", "update=genp.ak.one"]),
            Script(
                "removing", on: guarded,
                ["unlock=A", "add=genp.akpu.new", "remove=A", "add=genp.ak.new", "set=B", "add=genp.akpu.newer"]),
            Script(
                "locking", on: guarded,
                [
                    "unlock=A", "lock", "wrong=Z", "wrong=Y", "unlock=A", "update=genp.ak.one", "forget", "unlock=A",
                    "lock",
                ]),
            Script(
                "rotating", on: plain,
                ["rotate", "add=genp.ak.new", "reseal", "rotate", "update=inet.ck.one", "rotate", "reseal"]),
            Script(
                "rotating under a passcode", on: guarded,
                ["rotate=A", "unlock=A", "add=genp.akpu.new", "reseal", "lock", "rotate=A", "unlock=A", "reseal"]),
            Script("sealing again", on: long, ["unlock=A", "rotate=A", "update=genp.ak.one", "reseal", "lock"]),
            Script("recovering", on: guarded, ["recover=\(guarded.words),software,B", "add=genp.aku.new"]),
            Script("recovering from loss", on: lost, ["recover=\(lost.words),software,B", "add=genp.akpu.new"]),
            Script("another recovery key", on: guarded, ["paper=A", "unlock=A", "paper=A", "rotate=A", "paper=A"]),
            Script(
                "a life", on: plain,
                [
                    "set=A", "add=genp.akpu.new", "rotate=A", "change=A,B", "wrong=A", "lock", "unlock=B", "reseal",
                    "paper=B", "change=B,A", "rotate=A", "remove=A", "reseal", "set=B", "unlock=B", "remove=B",
                ]),
        ]
    }

    /// Everything that changes the keybag of a keychain in a TPM, or takes it there.
    static func inTPM(_ tpm: SwtpmProcess) throws -> [Script] {
        let plain = try Template(["create=tpm"] + items, with: tpm)
        let guarded = try Template(["create=tpm"] + guardedItems, with: tpm)
        let plainSoftware = try Template(["create=software"] + items, with: tpm)
        let guardedSoftware = try Template(["create=software"] + guardedItems, with: tpm)
        return [
            Script("birth in a TPM", on: try Template([], with: tpm), ["create=tpm", "add=genp.ak.new"]),
            Script("setting in a TPM", on: plain, ["set=A", "add=genp.akpu.new"]),
            Script("changing in a TPM", on: guarded, ["change=A,B", "unlock=B", "change=B,A", "update=genp.ak.one"]),
            Script("removing in a TPM", on: guarded, ["unlock=A", "remove=A", "add=genp.ak.new", "set=B"]),
            Script(
                "locking in a TPM", on: guarded,
                ["unlock=A", "lock", "wrong=Z", "unlock=A", "forget", "unlock=A", "lock"]),
            Script(
                "rotating in a TPM", on: guarded, ["rotate=A", "unlock=A", "add=genp.akpu.new", "reseal", "paper=A"]),
            Script(
                "moving", on: guardedSoftware,
                [
                    "move=tpm,A,B", "unlock=B", "add=genp.akpu.new", "move=software,B,A", "unlock=A",
                    "update=genp.ak.one",
                ]),
            Script("moving without a passcode", on: plainSoftware, ["move=tpm", "add=genp.ak.new", "move=software"]),
            Script("recovering into a TPM", on: guarded, ["recover=\(guarded.words),tpm,B", "add=genp.akpu.new"]),
            Script("recovering out of a TPM", on: guarded, ["recover=\(guarded.words),software,B"]),
        ]
    }
}

extension Template {
    /// The recovery key's words.
    fileprivate var words: String {
        if case .words(let words) = state.paper { return words }
        return "none"
    }
}
