// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses
internal import TestPrompts
internal import Testing

/// The real sudo, for a user whom only the test's own mount namespace knows: no file of the machine is changed.
@Suite(
    "sudo -A",
    .enabled(
        if: SudoUser.canBeMade,
        "root is needed, with sudo and mount namespaces, and tools that another user may execute where they were built")
) struct SudoTests {
    private let scene: HelperScene

    init() throws {
        scene = try HelperScene()
        scene.set("PASSWORD", "rechte Hand")
        let hash = try scene.need("perl", "-e", #"print crypt($ENV{PASSWORD}, q($6$saltsalt$))"#)
        scene.set("PASSWORD", nil)
        let name = "llavero-tester:x:\(SudoUser.number):\(SudoUser.number)::\(scene.file("home")):/bin/sh\n"
        try scene.write("root:x:0:0:root:/root:/bin/sh\n" + name, to: "passwd", mode: 0o644)
        try scene.write("root:*:19000:0:99999:7:::\nllavero-tester:\(hash):19000:0:99999:7:::\n", to: "shadow")
        try scene.write(
            "Defaults passwd_tries=3,!lecture,!syslog,timestamp_timeout=0,timestampdir=\(scene.file("stamps"))\nllavero-tester ALL=(root) ALL\n",
            to: "sudoers", mode: 0o440)
        try scene.write(
            "auth required pam_unix.so\naccount required pam_permit.so\nsession required pam_permit.so\n", to: "pam",
            mode: 0o644)
        scene.set("SUDO_ASKPASS", scene.file("bin/llavero-askpass"))
        // The user reaches the tools and a home, and keychains that are not root's.
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: scene.folder.path)
        for name in ["home", "bin"] {
            try FileManager.default.setAttributes(
                [.ownerAccountID: SudoUser.number, .groupOwnerAccountID: SudoUser.number],
                ofItemAtPath: scene.file(name))
        }
        scene.set("LLAVERO_HOME", scene.file("home/keychains"))
    }

    /// Words that run a command as that user, in a namespace where sudo knows the user and the rule.
    private func words(_ command: String) -> [String] {
        let script = """
            for name in passwd shadow sudoers; do mount --bind "$1/$name" "/etc/$name" || exit 90; done
            mount --bind "$1/pam" /etc/pam.d/sudo || exit 91
            cd / && exec setpriv --reuid \(SudoUser.number) --regid \(SudoUser.number) --clear-groups sh -c "$2"
            """
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", scene.folder.path, command]
    }

    private func run(_ command: String, input: String = "") throws -> HelperScene.Answer {
        try scene.run(words(command), input: Data(input.utf8))
    }

    @Test(
        "the password comes out of the keychain; a wrong one is given once, and the person is asked for the right one")
    func sudo() throws {
        #expect(try run("sudo -A id -u").code != 0)
        #expect(try run("llavero add 'sudo: llavero-tester' --stdin", input: "linke Hand\n").code == 0)
        let wrong = try run("sudo -A id -u")
        #expect(wrong.code != 0 && wrong.output == "")
        #expect(
            wrong.complaint.contains(
                "given before and not accepted; `llavero edit 'sudo: llavero-tester'` corrects it"), "\(wrong)")
        let terminal = try PseudoTerminal()
        scene.set("PINENTRY", "/bin/false")
        let process = try scene.start(words("sudo -A id -u"), on: terminal)
        try terminal.wait(for: "not accepted")
        try terminal.wait(for: "Answer: ")
        try terminal.wait(forEcho: false)
        try terminal.type("rechte Hand\n")
        #expect(try process.wait() == 0, "\(terminal.shown)")
        #expect(terminal.shown.contains("\r\n0\r\n") && !terminal.shown.contains("rechte Hand"))
        scene.set("PINENTRY", nil)
        #expect(try run("llavero edit 'sudo: llavero-tester' --stdin", input: "rechte Hand\n").code == 0)
        let right = try run("sudo -A id -u")
        #expect(right == HelperScene.Answer(code: 0, output: "0\n", complaint: ""), "\(right)")
    }
}

/// A user that no machine has.
private enum SudoUser {
    /// Outside what systems give to users.
    static let number = 43_211

    static let canBeMade: Bool = {
        guard getuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/sudo"),
            let scene = try? HelperScene()
        else { return false }
        let words = [
            "unshare", "--mount", "setpriv", "--reuid", String(number), "--regid", String(number), "--clear-groups",
        ]
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: scene.file("bin/llavero"))) ?? ""
        return (try? scene.run(words + [program, "version"], input: Data(), in: "/").code) == 0
    }()
}
