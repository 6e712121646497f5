// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses
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
        #expect(scene.folder.text("known") == "")
    }
}
