// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What an administrator does as the user that the system's daemon runs as.
@Suite(.enabled(if: UserScene.isPossible, "only root can install programs for other users"))
struct DaemonUserTests {
    private let scene: UserScene
    private let home: String

    init() throws {
        scene = try UserScene()
        try scene.installed.install("llavero", as: "llavero")
        home = scene.installed.file("state/\(UserScene.user)")
        try scene.startSystemDaemon()
        #expect(try scene.run("llavero", ["add", "site", "--stdin", "--quiet"], input: "seven wet lanterns").code == 0)
    }

    /// A command on the user's keychain, as `runuser -u llaverod -- env LLAVERO_HOME=/var/lib/llavero/UID` runs it.
    private func asDaemon(_ words: String..., input: String = "") throws -> UserScene.Answer {
        try scene.run(
            "llavero", words, input: input, as: UserScene.daemonUser,
            launcher: ["/usr/bin/env", "LLAVERO_HOME=\(home)"])
    }

    private var hasAgent: Bool { FileManager.default.fileExists(atPath: home + "/.agent") }

    @Test(
        "beside the running daemon no agent takes the keychain away: it is said what to stop", arguments: [true, false])
    func running(isOpen: Bool) throws {
        if !isOpen {
            scene.stopDaemon()
            try scene.startSystemDaemon()
        }
        for words in [["check"], ["unlock", "--fd", "0"]] {
            let refused = try scene.run(
                "llavero", words, as: UserScene.daemonUser, launcher: ["/usr/bin/env", "LLAVERO_HOME=\(home)"])
            #expect(refused.code == 1, "\(words) \(refused.output)")
            #expect(
                refused.complaint.contains("systemctl stop llaverod.socket llaverod.service"), "\(refused.complaint)")
            #expect(!hasAgent)
        }
        #expect(try scene.run("llavero", ["get", "site"]).output == "seven wet lanterns\n")
    }

    @Test("while the daemon is stopped it is done, and the daemon has the keychain again afterwards")
    func stopped() throws {
        scene.stopDaemon()
        defer { _ = try? asDaemon("lock", "--end-agent") }
        let check = try asDaemon("check")
        #expect(check.code == 0, "\(check.complaint)")
        _ = try asDaemon("lock", "--end-agent")
        try scene.startSystemDaemon()
        #expect(try scene.run("llavero", ["get", "site"]).output == "seven wet lanterns\n")
    }

    @Test("without a keychain named, it talks to the daemon as any user does")
    func usual() throws {
        let check = try scene.run("llavero", ["status"], as: UserScene.daemonUser)
        #expect(check.code == 0, "\(check.complaint)")
        #expect(check.output.contains("/run/llavero/socket"), "\(check.output)")
    }
}
