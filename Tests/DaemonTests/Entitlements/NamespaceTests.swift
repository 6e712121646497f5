// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Programs in namespaces of their own, as rootless containers and sandboxes are: `unshare`, podman, toolbox, bubblewrap.
@Suite(.enabled(if: UserScene.isPossible, "only root can install programs for other users"))
struct NamespaceTests {
    private let scene: UserScene
    /// How a user gets namespaces without any right.
    static let launchers = [
        ["/usr/bin/unshare", "-r"], ["/usr/bin/unshare", "-rm"],
        ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--unshare-user"],
    ]

    init() throws {
        scene = try UserScene()
        try scene.installed.install("llavero-test-helper", as: "plain")
        try scene.installed.install("llavero", as: "llavero")
    }

    @Test("the user's own daemon serves them as programs that nobody listed, and never as more", arguments: launchers)
    func ownDaemon(launcher: [String]) throws {
        try scene.installed.entitle("plain", ["keychain-access-groups": InstalledFolder.texts("TEAM.own")])
        try scene.startDaemon()
        let outside = try scene.program("plain")
        #expect(try outside.ask("keys set 1234") == ["unlocked"])
        #expect(try outside.ask("add listed") == ["0"])
        let inside = try scene.program("plain", launcher: launcher)
        #expect(try inside.ask("keys who").first?.hasPrefix("none") == true)
        #expect(try inside.ask("get listed").first == "-25300")
        #expect(try inside.ask("add a") == ["0"])
        #expect(try inside.ask("get a") == ["0", "value of a"])
        let tool = ["add", "site", "--user", "ada", "--stdin"]
        let added = try scene.run("llavero", tool, input: "s3cret", launcher: launcher)
        #expect(added.code == 0, "\(added.complaint)")
        #expect(try scene.run("llavero", ["get", "site"], launcher: launcher).output == "s3cret\n")
        #expect(try scene.run("llavero", ["get", "site"]).output == "s3cret\n")
        // A closed daemon serves nobody whom it does not know.
        scene.stopDaemon()
        try scene.startDaemon("--closed")
        #expect(try scene.program("plain", launcher: launcher).ask("get a").first == "-34018")
    }

    @Test("a rule for the tools does not reach them there, and a helper says that, and not that there is nothing")
    func helperOfPodman() throws {
        try scene.installed.install("llavero", as: "docker-credential-llavero")
        try scene.startDaemon()
        let launcher = NamespaceTests.launchers[1]
        let registry = "registry.example.org"
        let said = "{\"ServerURL\":\"\(registry)\",\"Username\":\"ana\",\"Secret\":\"s3cret\"}"
        #expect(try scene.run("docker-credential-llavero", ["store"], input: said, launcher: launcher).code == 0)
        let got = try scene.run("docker-credential-llavero", ["get"], input: registry, launcher: launcher)
        #expect(got.output.contains("s3cret"), "\(got)")
        #expect(
            try scene.run("docker-credential-llavero", ["get"], input: "other.org", launcher: launcher).output
                == "credentials not found in native keychain\n")
        try scene.installed.entitle("llavero", ["keychain-access-groups": InstalledFolder.texts("llavero.passwords")])
        for verb in ["get", "list"] {
            let refused = try scene.run("docker-credential-llavero", [verb], input: registry, launcher: launcher)
            #expect(refused.code == 1 && refused.output.contains("namespaces of its own"), "\(refused)")
        }
    }

    @Test("the system's daemon refuses them, and says what to do", arguments: launchers)
    func systemDaemon(launcher: [String]) throws {
        try scene.startSystemDaemon()
        #expect(try scene.program("plain").ask("add a") == ["0"])
        // The program itself does not know the daemon there, unless the daemon's user has a number.
        let status = try scene.program("plain", launcher: launcher).ask("get a").first
        #expect(["-34018", "-25291"].contains(status))
        let refused = try scene.run("llavero", ["list"], launcher: launcher)
        #expect(refused.code != 0)
        #expect(refused.complaint.contains("run it outside"), "\(refused.complaint)")
        #expect(!refused.complaint.contains("declare"), "\(refused.complaint)")
    }
}
