// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses
internal import TestPrompts
internal import Testing

@Suite("ssh with keys of the keychain", .serialized) struct SSHTests {
    private let ssh: SSHScene
    private var scene: HelperScene { ssh.scene }

    init() throws { ssh = try SSHScene() }

    static let kinds = [
        ["-t", "rsa", "-b", "1024"], ["-t", "rsa", "-b", "2048"], ["-t", "rsa", "-b", "3072"],
        ["-t", "ecdsa", "-b", "256"], ["-t", "ecdsa", "-b", "384"], ["-t", "ecdsa", "-b", "521"], ["-t", "ed25519"],
    ]

    @Test("a key of every kind logs in to an sshd, out of the keychain through the agent", arguments: kinds.dropFirst())
    func login(kind: [String]) throws {
        try ssh.makeKey(kind, label: "mein schlüssel")
        #expect(try ssh.ssh("echo in").code != 0)
        let added = try scene.need("llavero", "ssh-add")
        #expect(added.hasPrefix("added: "))
        let answer = try ssh.ssh("echo in")
        #expect(answer.output == "in\n", "\(answer)")
        // ssh-add says the same of it.
        let listed = try scene.need("ssh-add", "-l")
        #expect("added: \(listed)" == added)
        #expect(try scene.need("llavero", "ssh-add", "-l") == listed.dropLast() + " in the agent\n")
        #expect(try scene.need("llavero", "ssh-add", "-d") == "removed: \(listed)")
        #expect(try ssh.ssh("echo in").code != 0)
    }

    @Test(
        "forty RSA keys come out as they went in: their exponents are worked out anew", arguments: [1024, 1032, 1536])
    func exponents(bits: Int) throws {
        for index in 0..<(bits == 1024 ? 20 : 10) {
            try ssh.makeKey(["-t", "rsa", "-b", String(bits)], label: "key \(index)")
        }
        try scene.need("llavero", "ssh-add")
        for line in scene.folder.text("authorized").split(separator: "\n") {
            try scene.write(line + "\n", to: "one.pub")
            // The agent signs, and ssh-add verifies.
            try scene.need("ssh-add", "-T", scene.file("one.pub"))
        }
    }

    @Test("keys go by their label, for a time, and with a question before each use")
    func choices() throws {
        try ssh.makeKey(["-t", "ed25519"], label: "one")
        try ssh.makeKey(["-t", "ecdsa"], label: "two")
        try scene.need("llavero", "ssh-add", "two")
        let answer = try scene.run("ssh-add", "-l")
        #expect(answer.output.contains(" two (ECDSA)") && !answer.output.contains(" one "))
        try scene.need("llavero", "ssh-add", "-d", "--all")
        #expect(try scene.run("ssh-add", "-l").output == "The agent has no identities.\n")
        try scene.need("llavero", "ssh-add", "-t", "1h30m", "-c", "one")
        // Nobody can be asked here, so the agent refuses.
        scene.set("SSH_ASKPASS", "llavero-askpass")
        scene.set("SSH_ASKPASS_REQUIRE", "force")
        #expect(try ssh.ssh("echo in").code != 0)
        try scene.need("llavero", "ssh-add", "-t", "600", "one")
        #expect(try ssh.ssh("echo in").output == "in\n")
    }

    @Test("a passphrase of the keychain's opens a key file, without a terminal")
    func passphrase() throws {
        let file = scene.file("protected")
        try scene.need("ssh-keygen", "-q", "-t", "ed25519", "-N", "mein geheimnis", "-f", file)
        try scene.write(scene.folder.text("protected.pub"), to: "authorized")
        scene.set("SSH_ASKPASS", scene.file("bin/llavero-askpass"))
        scene.set("SSH_ASKPASS_REQUIRE", "force")
        let options = ["-o", "IdentityFile=\(file)", "-o", "IdentityAgent=none"]
        #expect(try ssh.ssh("echo in", options: options).code != 0)
        try scene.need("llavero", "add", "ssh: \(file)", "--stdin", input: "mein geheimnis\n")
        let answer = try ssh.ssh("echo in", options: options)
        #expect(answer.output == "in\n", "\(answer)")
        // And so for ssh-add.
        try scene.need("ssh-add", "-q", file)
        #expect(try ssh.ssh("echo in").output == "in\n")
    }

    @Test("an unknown host is never trusted in a person's place")
    func unknownHost() throws {
        try ssh.makeKey(["-t", "ed25519"], label: "one")
        try scene.need("llavero", "ssh-add")
        try scene.write("", to: "known")
        scene.set("SSH_ASKPASS", scene.file("bin/llavero-askpass"))
        scene.set("SSH_ASKPASS_REQUIRE", "force")
        let answer = try ssh.ssh("echo in")
        #expect(answer.code != 0)
        #expect(answer.complaint.contains("only a person may answer this"))
        #expect(answer.complaint.contains("there is no display and no terminal"))
        #expect(scene.folder.text("known") == "")
    }

    @Test(
        "the person says at the terminal whether an unknown host is trusted, also by its fingerprint",
        arguments: [
            ("yes", true), ("fingerprint", true), ("no", false), ("\u{3}", false),
        ])
    func unknownHostAtTerminal(answer: String, isTrusted: Bool) throws {
        try ssh.makeKey(["-t", "ed25519"], label: "one")
        try scene.need("llavero", "ssh-add")
        try scene.write("", to: "known")
        scene.set("SSH_ASKPASS", scene.file("bin/llavero-askpass"))
        scene.set("SSH_ASKPASS_REQUIRE", "force")
        // Ends at once, so that the terminal is asked on as it is.
        scene.set("PINENTRY", "/bin/false")
        let print = try scene.need("ssh-keygen", "-l", "-f", scene.file("host.pub")).split(separator: " ")[1]
        let terminal = try PseudoTerminal()
        let process = try scene.start(ssh.words("echo come in"), on: terminal)
        try terminal.wait(for: String(print))
        try terminal.wait(for: "(yes/no/[fingerprint])? ")
        try terminal.wait(forEcho: false)
        if answer == "yes" {
            // What ssh does not understand it asks for once more.
            try terminal.type("wehl\u{7F}\u{7F}\u{7F}x\n")
            try terminal.wait(for: "Please type 'yes', 'no' or the fingerprint: ")
            try terminal.wait(forEcho: false)
        }
        try terminal.type(answer == "\u{3}" ? answer : (answer == "fingerprint" ? String(print) : answer) + "\n")
        #expect(try process.wait() == (isTrusted ? 0 : 255), "\(terminal.shown)")
        #expect(terminal.shown.contains("come in\r\n") == isTrusted)
        #expect(scene.folder.text("known").contains("llavero.test ssh-ed25519") == isTrusted)
        #expect(terminal.isOrdinary)
    }

    @Test("without a terminal a dialog asks for it", arguments: [("OK", true), ("ERR 83886194 no", false)])
    func unknownHostAtDisplay(answer: String, isTrusted: Bool) throws {
        try ssh.makeKey(["-t", "ed25519"], label: "one")
        try scene.need("llavero", "ssh-add")
        try scene.write("", to: "known")
        scene.set("SSH_ASKPASS", scene.file("bin/llavero-askpass"))
        scene.set("SSH_ASKPASS_REQUIRE", "force")
        try scene.setDialog(answering: answer + "\n")
        let answer = try ssh.ssh("echo in")
        #expect(answer.output == (isTrusted ? "in\n" : ""), "\(answer)")
        #expect(scene.dialogs.contains("CONFIRM "))
        let question = try #require(
            scene.dialogs.first { $0.hasPrefix("SETDESC The authenticity of host 'llavero.test") })
        #expect(question.contains("SHA256:"))
        #expect(scene.folder.text("known").isEmpty != isTrusted)
    }

    @Test("an agent asks before it uses a key of `ssh-add -c`, by the same dialog")
    func confirmedKey() throws {
        // The agent keeps the environment it was started with.
        let ssh = try SSHScene { scene in
            scene.set("SSH_ASKPASS", "llavero-askpass")
            try scene.setDialog(answering: "OK\n")
        }
        try ssh.makeKey(["-t", "ed25519"], label: "one")
        try ssh.scene.need("llavero", "ssh-add", "-c")
        #expect(try ssh.ssh("echo in").output == "in\n")
        let question = try #require(ssh.scene.dialogs.first { $0.hasPrefix("SETDESC ") })
        #expect(question.hasPrefix("SETDESC Allow use of key one?"))
        try ssh.scene.write("ERR 83886179 cancelled\n", to: "dialog-answer")
        #expect(try ssh.ssh("echo in").code == 255)
        #expect(ssh.scene.dialogs.count { $0 == "CONFIRM " } == 2)
    }

    @Test("a passphrase that is wrong is given once, and then the person is asked")
    func wrongPassphrase() throws {
        let file = scene.file("protected")
        try scene.need("ssh-keygen", "-q", "-t", "ed25519", "-N", "mein geheimnis", "-f", file)
        try scene.write(scene.folder.text("protected.pub"), to: "authorized")
        try scene.need("llavero", "add", "ssh: \(file)", "--stdin", input: "wrong\n")
        scene.set("SSH_ASKPASS", scene.file("bin/llavero-askpass"))
        scene.set("SSH_ASKPASS_REQUIRE", "force")
        let options = ["-o", "IdentityFile=\(file)", "-o", "IdentityAgent=none"]
        let alone = try ssh.ssh("echo in", options: options)
        #expect(alone.code == 255)
        #expect(alone.complaint.contains("given before and not accepted; `llavero edit 'ssh: \(file)'` corrects it"))
        try scene.setDialog(answering: "D mein geheimnis\nOK\n")
        #expect(try ssh.ssh("echo in", options: options).output == "in\n")
        #expect(scene.dialogs.count { $0 == "GETPIN " } == 1)
        #expect(
            scene.dialogs.contains {
                $0.hasPrefix("SETDESC The stored answer was not accepted.%0AEnter passphrase")
            })
        // A program of its own that asks the same gets the answer again.
        try scene.need("llavero", "edit", "ssh: \(file)", "--stdin", input: "mein geheimnis\n")
        for _ in 0..<2 { #expect(try ssh.ssh("echo in", options: options).output == "in\n") }
        #expect(scene.dialogs.count { $0 == "GETPIN " } == 1)
    }

    @Test("ssh-add, too, gets a passphrase that is wrong once", arguments: [[], ["-c"]])
    func wrongPassphraseOfAgent(options: [String]) throws {
        let file = scene.file("protected")
        try scene.need("ssh-keygen", "-q", "-t", "ed25519", "-N", "mein geheimnis", "-f", file)
        try scene.need("llavero", "add", "ssh: \(file)", "--stdin", input: "wrong\n")
        scene.set("SSH_ASKPASS", scene.file("bin/llavero-askpass"))
        scene.set("SSH_ASKPASS_REQUIRE", "force")
        let words = ["ssh-add"] + options + [file]
        let alone = try scene.run(words, input: Data())
        #expect(alone.code == 1, "\(alone)")
        let correction = "given before and not accepted; `llavero edit 'ssh: \(file)'` corrects it"
        #expect(alone.complaint.components(separatedBy: "llavero-askpass: ").count == 2, "\(alone)")
        #expect(alone.complaint.contains(correction), "\(alone)")
        try scene.setDialog(answering: "D mein geheimnis\nOK\n")
        let answer = try scene.run(words, input: Data())
        #expect(answer.code == 0, "\(answer)")
        #expect(scene.dialogs.count { $0 == "GETPIN " } == 1)
        #expect(
            scene.dialogs.contains {
                $0.hasPrefix("SETDESC The stored answer was not accepted.%0ABad passphrase, try again for \(file)")
            })
    }

    @Test("a key that ssh is told of by a relative path is the same key")
    func relativePath() throws {
        let file = scene.file("protected")
        try scene.need("ssh-keygen", "-q", "-t", "ed25519", "-N", "mein geheimnis", "-f", file)
        try scene.write(scene.folder.text("protected.pub"), to: "authorized")
        try scene.need("llavero", "add", "ssh: \(file)", "--stdin", input: "mein geheimnis\n")
        scene.set("SSH_ASKPASS", scene.file("bin/llavero-askpass"))
        scene.set("SSH_ASKPASS_REQUIRE", "force")
        for (path, folder) in [("protected", scene.folder.path), ("../protected", scene.file("bin"))] {
            let options = ["-o", "IdentityFile=\(path)", "-o", "IdentityAgent=none"]
            let answer = try scene.run(ssh.words("echo in", options: options), input: Data(), in: folder)
            #expect(answer.output == "in\n", "\(answer)")
        }
    }
}
