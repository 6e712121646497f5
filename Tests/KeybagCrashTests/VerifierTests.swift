// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCrypto
import KeychainEnclaveSoftware
import KeychainModel
import KeychainSQLite
import TestProcesses
import Testing

/// The verifier of the kills sees what is wrong, when something is: so those tests can fail.
@Suite struct VerifierTests {
    @Test("a script that ran to its end has nothing wrong with it")
    func sound() throws {
        let scene = try Scene(["unlock=A", "change=A,B", "wrong=Z", "paper=B"])
        #expect(try scene.complaints() == [])
    }

    @Test("an older keybag in the place of the newer, as a change in the wrong order leaves it, is seen")
    func olderKeybag() throws {
        let scene = try Scene(["change=A,B"])
        for name in ["keychain.db", "keybag.copy"] { try scene.putBack(name) }
        #expect(try !scene.complaints().isEmpty)
    }

    @Test("a gate that was destroyed too early is seen")
    func olderGates() throws {
        let scene = try Scene(["change=A,B"])
        try scene.putBack("device.key")
        #expect(try !scene.complaints().isEmpty)
    }

    @Test("everything as it was before an acknowledged step, as a disk leaves it that lost what was synced, is seen")
    func lostSync() throws {
        let scene = try Scene(["unlock=A", "change=A,B"])
        try scene.loseEverythingWritten()
        #expect(try scene.complaints().contains { $0.hasPrefix("neither as before nor as after") })
    }

    @Test("the loss of one item, and a change that nobody asked for, are seen", arguments: ["delete", "update"])
    func item(verb: String) throws {
        let scene = try Scene(["change=A,B"])
        try scene.meddle(["unlock=B", "\(verb)=genp.aku.one"])
        #expect(try scene.complaints().contains { $0.hasPrefix("neither as before nor as after") })
    }

    @Test("items that stay when the passcode goes are seen")
    func passcodeItems() throws {
        let scene = try Scene(["remove=A"])
        try scene.meddle(["set=A", "add=genp.akpu.one"])
        #expect(try scene.complaints().contains { $0.hasPrefix("neither as before nor as after") })
    }

    @Test("attempts that nobody made, and attempts that were forgotten, are seen")
    func attempts() throws {
        let scene = try Scene(["wrong=Z"])
        try scene.meddle(["wrong=Y", "wrong=X"])
        #expect(try scene.complaints() == ["3 failures instead of 1 to 2"])
        let other = try Scene(["wrong=Z", "wrong=Y"])
        try other.putBack("device.key")
        #expect(try other.complaints() == ["0 failures instead of 2 to 3"])
    }

    @Test("another recovery key than the one that was shown is seen")
    func recoveryKey() throws {
        let scene = try Scene(["paper=A"])
        try scene.meddle(["paper=A"])
        #expect(try scene.complaints() == ["the recovery key is not the one that was shown"])
    }

    @Test("a damaged row is seen")
    func row() throws {
        let scene = try Scene(["change=A,B"])
        let connection = try SQLiteConnection(path: scene.login + "/keychain.db", mode: .readWrite)
        try connection.execute(
            """
            update genp set data = cast(substr(data, 1, length(data) - 1) || \
            case when substr(data, -1) = x'00' then x'01' else x'00' end as blob)
            """)
        connection.close()
        #expect(try !scene.complaints().isEmpty)
    }

    @Test("a gate that no keybag names is a leftover, and is destroyed when the keychain is next used")
    func gate() throws {
        let scene = try Scene(["change=A,B"])
        let key = SecretBytes(count: 32) { $0.copyBytes(from: repeatElement(7, count: 32)) }
        _ = try SoftwareEnclave(path: scene.login + "/device.key").makeGate(
            for: key, eraseAfter: 0, OwnerLock(uncheckedHoldingOwnerLock: ()))
        #expect(try scene.leftovers() == ["2 gates instead of 1"])
        #expect(try scene.complaints() == [])
    }

    @Test("the file of an enclave that the keybag does not name is a leftover")
    func file() throws {
        let scene = try Scene(["change=A,B"])
        try Data("half a file".utf8).write(to: URL(fileURLWithPath: scene.login + "/device.tpm"))
        #expect(try scene.leftovers() == ["device.tpm was left over"])
    }

    @Test("a copy of the keybag that is not the keybag is made one again when the keychain is next used")
    func copy() throws {
        let scene = try Scene(["change=A,B"])
        try scene.putBack("keybag.copy")
        #expect(try scene.complaints() == [])
    }

    /// A script that ran to its end, and what somebody did afterwards.
    private struct Scene {
        private let run: KilledRun
        private let verdict: Verdict
        var login: String { run.home + "/login" }

        init(_ words: [String]) throws {
            let items = ["add=genp.ak.one", "add=genp.dku.one", "add=genp.aku.one", "set=A", "add=genp.akpu.one"]
            let script = Script("a script", on: try Template(items), words)
            run = try KilledRun(script, interposer: nil, tpm: nil)
            let (ending, lines) = try run.run(steps: words, [:])
            guard ending == .exited(0) else { throw Trouble("the script \(ending): \(lines)") }
            verdict = Verdict(script, after: lines)
        }

        func complaints() throws -> [String] { try run.complaints(verdict, attempts: 1) }

        func leftovers() throws -> [String] {
            try Leftovers(home: run.home, tpm: nil).complaints(in: verdict.states[0], allowingAsides: false)
        }

        /// Does something the verdict does not know of.
        func meddle(_ steps: [String]) throws {
            let (ending, lines) = try run.run(steps: steps, [:])
            guard ending == .exited(0) else { throw Trouble("the meddling \(ending): \(lines)") }
        }

        /// Puts a file back as it was before the script.
        func putBack(_ name: String) throws {
            let files = FileManager.default
            try files.removeItem(atPath: "\(login)/\(name)")
            try files.copyItem(atPath: "\(run.script.template.home)/login/\(name)", toPath: "\(login)/\(name)")
        }

        /// What a power cut leaves of a disk for which nothing that was written since the beginning was synced.
        func loseEverythingWritten() throws {
            let home = run.script.template.home
            let disk = try SurvivingDisk(run.folder.makeFolder("disk"), of: home)
            try disk.replace(run.home)
        }
    }
}
