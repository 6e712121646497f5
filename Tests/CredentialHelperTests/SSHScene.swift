// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses

/// An ssh-agent, and an sshd that lets in whoever has one of the keys.
final class SSHScene {
    let scene: HelperScene
    private let agent: Int32
    /// The folder that an sshd of root's wants, where this made it.
    private let ownFolder: String?

    /// `prepare` sets what the agent finds in its environment.
    init(_ prepare: (HelperScene) throws -> Void = { _ in }) throws {
        scene = try HelperScene()
        try prepare(scene)
        let socket = scene.file("agent")
        // It is in the background, and listens, when the command ends.
        let said = try scene.need("ssh-agent", "-s", "-a", socket)
        guard let mark = said.range(of: "SSH_AGENT_PID="),
            let pid = Int32(said[mark.upperBound...].prefix { $0.isNumber })
        else { throw POSIXError(.ESRCH) }
        agent = pid
        scene.set("SSH_AUTH_SOCK", socket)
        ownFolder = getuid() == 0 && mkdir("/run/sshd", 0o755) == 0 ? "/run/sshd" : nil
        try scene.need("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", scene.file("host"))
        try scene.write("", to: "authorized")
        try scene.write(
            """
            HostKey \(scene.file("host"))
            AuthorizedKeysFile \(scene.file("authorized"))
            PidFile none
            StrictModes no
            UsePAM no
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            PermitRootLogin prohibit-password
            """, to: "sshd_config")
        let hostKey = scene.folder.text("host.pub").split(separator: " ").prefix(2).joined(separator: " ")
        try scene.write("llavero.test \(hostKey)\n", to: "known")
    }

    deinit {
        kill(agent, SIGTERM)
        // Others may be using it; then it stays.
        if let ownFolder { rmdir(ownFolder) }
    }

    /// Makes a key whose file is gone when it is in the keychain, and which the sshd knows.
    func makeKey(_ kind: [String], label: String) throws {
        let file = scene.file("key-\(UUID().uuidString)")
        _ = try scene.run(["ssh-keygen", "-q", "-N", "", "-C", label, "-f", file] + kind, input: Data())
        try scene.need("llavero", "ssh-add", "--store", file)
        let known = scene.folder.text("authorized") + (try String(contentsOfFile: file + ".pub", encoding: .utf8))
        try scene.write(known, to: "authorized")
        try FileManager.default.removeItem(atPath: file)
    }

    /// Runs a command through ssh and an sshd of its own, with nothing but what the agent has.
    func ssh(_ command: String, options: [String] = []) throws -> HelperScene.Answer {
        try scene.run(words(command, options: options), input: Data())
    }

    /// The same as a command for a terminal.
    func words(_ command: String, options: [String] = []) -> [String] {
        [
            "ssh", "-F", "/dev/null", "-o", "ProxyCommand=/usr/sbin/sshd -i -f \(scene.file("sshd_config"))",
            "-o", "UserKnownHostsFile=\(scene.file("known"))", "-o", "IdentityFile=none",
            "-o", "PreferredAuthentications=publickey",
        ] + options + ["llavero.test", command]
    }
}
