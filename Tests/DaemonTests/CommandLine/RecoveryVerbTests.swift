// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainModel
import KeychainRequest
import TestProcesses
import TestPrompts
import TestSwtpm
import Testing

/// `llavero recovery use`, on keychains that lost what they hung on.
@Suite struct RecoveryVerbTests {
    private let scene: AdminScene

    init() throws { scene = try AdminScene() }

    /// A keychain with two items, one of which is for this device alone; its recovery key.
    private func prepare(_ name: String = "login") throws -> String {
        let root = scene.folder.file(".local/share/llavero")
        let host = try ProcessHost.host(at: .folder(root: root, name: name))
        _ = try host.create(in: .software, makesRecoveryKey: false)
        try add("free", .whenUnlocked, to: host)
        try add("bound", .whenUnlockedThisDeviceOnly, to: host)
        host.embedded.close()
        let answer = try scene.tool("recovery", "make", "--keychain", name)
        #expect(answer.code == 0, "\(answer.complaint)")
        return answer.output
    }

    private func add(_ name: String, _ accessibility: Accessibility, to host: HandoverHost) throws {
        var attributes = AttributeList()
        attributes[.service] = .string(name)
        attributes[.label] = .string(name)
        let program = Caller(groups: [.passwords], seesEveryGroup: false, administersKeys: true, program: nil)
        _ = try host.session(as: { _ in program }).add(
            AddRequest(
                itemClass: .genericPassword, attributes: attributes, group: .named(AccessGroup.passwords.name),
                protection: .accessControl(AccessControl(protection: accessibility)), isSynchronizable: false,
                isTombstone: false, secret: SecretValue(copying: Array("secret".utf8)), returning: [], origin: .caller))
    }

    private func loseDeviceKey(_ name: String = "login") throws {
        try FileManager.default.removeItem(atPath: scene.folder.file(".local/share/llavero/\(name)/device.key"))
    }

    @Test("without its device key a keychain's last backup is told, also while a daemon had it")
    func backedUp() throws {
        let words = try prepare()
        #expect(try scene.tool("backup", scene.folder.file("file"), "--quiet").code == 0)
        let time = try #require(try scene.status("last-backup"))
        // One that is killed gives nothing back, as one that the service manager starts again.
        let daemon = try scene.startDaemon(at: scene.folder.file("run/socket"))
        kill(daemon.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
        try loseDeviceKey()
        #expect(try scene.status("state") == "no-device-key")
        #expect(try scene.status("last-backup") == time)
        #expect(try scene.tool("recovery", "use", "--fd", "3", old: words).code == 0)
    }

    @Test("it opens what may leave the device, and says how many items did not")
    func lost() throws {
        let words = try prepare()
        try loseDeviceKey()
        #expect(try scene.tool("get", "free").code == 1)
        #expect(try scene.status("state") == "no-device-key")
        #expect(try scene.status("fix") == "llavero recovery use")
        let answer = try scene.tool("recovery", "use", "--fd", "3", old: words)
        #expect(answer.code == 0, "\(answer.complaint)")
        #expect(answer.output.contains("lost: 1 item that only the old device"))
        #expect(try scene.tool("get", "free").output == "secret\n")
        #expect(try scene.tool("get", "bound").code == 1)
        #expect(try scene.status("state") == "no-passcode")
        // What nothing opens is no damage: of no examination, no backup, and no repair of what is damaged besides.
        let checked = try scene.tool("check")
        #expect(checked.code == 0)
        #expect(checked.complaint.contains("1 item went with an old device key or passcode"))
        #expect(try !scene.tool("doctor").output.contains("WRONG"))
        let listed = try scene.tool("list", "--all")
        #expect(listed.code == 0 && listed.complaint.contains("1 item went with"), "\(listed.complaint)")
        #expect(try scene.tool("rotate-keys").code == 0)
        let backup = try scene.tool("backup", scene.folder.file("kept"), "--device-only")
        #expect(backup.code == 0)
        #expect(backup.complaint.contains("left out 1"), "\(backup.complaint)")
        #expect(try scene.tool("repair").complaint.contains("nothing is damaged"))
        try damage("login")
        #expect(try scene.tool("repair").code == 0)
        #expect(try scene.tool("get", "free").output == "secret\n")
        #expect(try scene.tool("check").complaint.contains("1 item went with"))
        // The words count as before.
        try loseDeviceKey()
        #expect(try scene.tool("recovery", "use", "--fd", "3", old: words).output.contains("lost: 1 item"))
        #expect(try scene.tool("get", "free").output == "secret\n")
    }

    /// Zeros in the place of the database's first page, on which all others hang.
    private func damage(_ name: String) throws {
        let path = scene.folder.file(".local/share/llavero/\(name)/keychain.db")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data(count: 4096))
        try file.close()
    }

    @Test(
        "what is damaged besides is repaired with the words first, and then opened with them", arguments: [false, true])
    func damaged(hasPasscode: Bool) throws {
        let words = try prepare()
        if hasPasscode { #expect(try scene.tool("passcode", "set", "--new-fd", "3", old: "first").code == 0) }
        try loseDeviceKey()
        try damage("login")
        #expect(try scene.tool("repair").code != 0)
        #expect(try scene.tool("repair", "--recovery", "--fd", "3", old: "no such words").code != 0)
        let answer = try scene.tool("repair", "--recovery", "--fd", "3", old: words)
        #expect(answer.code == 0, "\(answer.complaint)")
        let new = hasPasscode ? ["--no-passcode"] : []
        let used = try scene.tool(["recovery", "use", "--fd", "3"] + new, old: words)
        #expect(used.code == 0, "\(used.complaint)")
        #expect(try scene.tool("get", "free").output == "secret\n")
        // Nothing opens this one any more; it is kept.
        #expect(try scene.tool("get", "bound").code == 1)
        let check = try scene.tool("check")
        #expect(check.code == 0 && check.complaint.contains("1 item went with an old device key or passcode"))
    }

    @Test("at a terminal the words and a new passcode are asked for, and none of them is shown")
    func terminal() throws {
        let words = try prepare().trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try scene.tool("passcode", "set", "--new-fd", "3", old: "first").code == 0)
        try loseDeviceKey()
        let terminal = try PseudoTerminal()
        let process = try scene.tool(at: terminal, "recovery", "use")
        for (question, answer) in [("Words:", words), ("Passcode:", "second"), ("Repeat:", "second")] {
            try terminal.wait(for: question)
            try terminal.wait(forEcho: false)
            try terminal.type(answer + "\n")
        }
        #expect(try process.wait() == 0, "\(terminal.shown)")
        #expect(terminal.shown.contains("lost: the old passcode; the new one is set"))
        #expect(!terminal.shown.contains("second") && !terminal.shown.contains(words.prefix(10)))
        #expect(terminal.isOrdinary)
        #expect(try scene.tool("unlock", "--fd", "3", old: "first").code == 1)
        #expect(try scene.tool("unlock", "--fd", "3", old: "second").code == 0)
        #expect(try scene.tool("get", "free").output == "secret\n")
    }

    @Test("one that a daemon has is recovered where it is, and the daemon goes on with it", arguments: [false, true])
    func withDaemon(isOpen: Bool) throws {
        let words = try prepare()
        let daemon = try scene.startDaemon(at: scene.socket)
        defer { daemon.end() }
        #expect(try scene.tool("get", "free").output == "secret\n")
        if !isOpen { daemon.kill() }
        try loseDeviceKey()
        // A daemon that begins cannot open it, and ends; the tools start one that serves, and cannot open it either.
        let answer = try scene.tool("recovery", "use", "--fd", "3", old: words)
        #expect(answer.code == 0, "\(answer.complaint)")
        #expect(try scene.tool("get", "free").output == "secret\n")
        #expect(try scene.status("keys") == "daemon")
        #expect((scene.agent != daemon.processIdentifier) == !isOpen)
    }

    #if TPM
        @Test("a damaged one in a TPM is repaired", .enabled(if: SwtpmProcess.isInstalled))
        func damagedInChip() throws {
            let chip = try SwtpmProcess()
            let more = ["LLAVERO_TPM": chip.connection, "LLAVERO_KEYCHAIN": "chip"]
            #expect(try scene.tool(["keychains", "create", "chip", "--enclave", "tpm"], more: more).code == 0)
            #expect(try scene.tool(["add", "site", "--fd", "3"], old: "kept", more: more).code == 0)
            #expect(try scene.tool(["passcode", "set", "--new-fd", "3"], old: "first", more: more).code == 0)
            try damage("chip")
            let answer = try scene.tool(["repair", "--fd", "3"], old: "first", more: more)
            #expect(answer.code == 0, "\(answer.complaint)")
            #expect(try scene.tool(["unlock", "--fd", "3"], old: "first", more: more).code == 0)
            #expect(try scene.tool(["get", "site"], more: more).output == "kept\n")
            #expect(try scene.tool(["check"], more: more).code == 0)
        }

        @Test("one in a TPM that was cleared, into the TPM or into software", .enabled(if: SwtpmProcess.isInstalled))
        func cleared() throws {
            let chip = try SwtpmProcess()
            let more = ["LLAVERO_TPM": chip.connection, "LLAVERO_KEYCHAIN": "chip"]
            let made = try scene.tool(["keychains", "create", "chip", "--enclave", "tpm"], more: more)
            #expect(made.code == 0, "\(made.complaint)")
            let added = try scene.tool(["add", "site", "--fd", "3"], old: "kept", more: more)
            #expect(added.code == 0, "\(added.complaint)")
            try chip.restart(clear: true)
            let status = try scene.tool(["status", "--plain"], more: more).output
            #expect(status.contains("state\tno-device-key") && status.contains("enclave\ttpm"))
            #expect(status.contains("fix\tllavero recovery use --keychain chip"))
            for kind in [[], ["--enclave", "software"]] {
                let answer = try scene.tool(["recovery", "use", "--fd", "3"] + kind, old: made.output, more: more)
                #expect(answer.code == 0 && answer.output.contains("nothing was lost"), "\(answer.complaint)")
                #expect(try scene.tool(["get", "site"], more: more).output == "kept\n")
                let now = try scene.tool(["status", "--plain"], more: more).output
                #expect(now.contains("enclave\t\(kind.isEmpty ? "tpm" : "software")"))
                if kind.isEmpty { try chip.restart(clear: true) }
            }
        }
    #endif
}
