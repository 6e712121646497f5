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
        home = "/var/lib/llavero/\(UserScene.user)"
        // Where the system's daemon has its keychains; the machine's own are left alone.
        let folder = scene.installed.path
        let name = URL(fileURLWithPath: folder).lastPathComponent
        try scene.asRoot(
            """
            cd /run && mkdir -p lib/llavero lib/\(name) && mount --bind '\(folder)' lib/\(name) &&
            mount --bind '\(folder)/state' lib/llavero && mount --rbind lib /var/lib
            """)
        try scene.startSystemDaemon()
        #expect(try scene.run("llavero", ["add", "site", "--stdin", "--quiet"], input: "seven wet lanterns").code == 0)
    }

    /// A command on the user's keychain, as `runuser -u llaverod -- env LLAVERO_HOME=/var/lib/llavero/UID` runs it.
    private func asDaemon(_ words: String..., input: String = "") throws -> UserScene.Answer {
        try scene.run(
            "llavero", words, input: input, as: UserScene.daemonUser,
            launcher: ["/usr/bin/env", "LLAVERO_HOME=\(home)"])
    }

    private var hasAgent: Bool {
        FileManager.default.fileExists(atPath: scene.installed.file("state/\(UserScene.user)/.agent"))
    }

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

    @Test("a backup has what the rules keep from the user's llavero; one of the user's that has not, says so")
    func ruledBackup() throws {
        try scene.installed.install("llavero", as: "security")
        #expect(
            try scene.run("security", ["add-generic-password", "-s", "build", "-a", "ci", "-w", "s3cret"]).code == 0)
        // For agents, which have no option.
        try scene.asRoot(
            """
            mkdir /run/etc && cp -a /etc/. /run/etc && mount --bind /run/etc /etc && rm -rf /etc/llavero &&
            mkdir -p -m 755 /etc/llavero && cp -r '\(scene.installed.entitlements)' /etc/llavero/entitlements.d
            """)
        try scene.installed.entitle(
            "llavero", ["keychain-access-groups": InstalledFolder.texts("llavero.passwords", "org.example.service")])
        let kept = try scene.run(
            "llavero", ["add", "service", "--group", "org.example.service", "--stdin", "--quiet"], input: "four keys")
        #expect(kept.code == 0, "\(kept.complaint)")
        try scene.installed.entitle(
            "llavero",
            [
                "keychain-access-groups": InstalledFolder.texts("llavero.passwords"), "administers-keys": "<true/>",
            ])
        try scene.asRoot("cp '\(scene.installed.entitlements)'/*.plist /etc/llavero/entitlements.d")
        let own = scene.installed.file("home/own.llavero-backup")
        let lacking = try scene.run("llavero", ["backup", own, "--fd", "0"], input: "a passphrase of some length")
        #expect(lacking.code == 1)
        #expect(
            lacking.complaint.contains(
                "not in the backup: 2 items in access groups that the daemon's rules do not give llavero: llavero.open (1), org.example.service (1)"
            ),
            "\(lacking.complaint)")
        #expect(!FileManager.default.fileExists(atPath: own))
        #expect(FileManager.default.fileExists(atPath: own + ".incomplete"))
        let doctor = try scene.run("llavero", ["doctor"])
        #expect(doctor.output.contains("2 items in access groups that"), "\(doctor.output)")

        scene.stopDaemon()
        defer { _ = try? asDaemon("lock", "--end-agent") }
        let file = scene.installed.file("state/all.llavero-backup")
        for _ in 1...2 {
            let whole = try asDaemon("backup", file, "--fd", "0", input: "a passphrase of some length")
            #expect(whole.code == 0 && whole.complaint.contains("backed up 3 items"), "\(whole.complaint)")
            try FileManager.default.moveItem(atPath: file, toPath: file + ".earlier")
            _ = try asDaemon("lock", "--end-agent")
            if hasAgent { Issue.record("the agent stays") }
            try? FileManager.default.moveItem(atPath: file + ".earlier", toPath: scene.installed.file("state/last"))
        }
        // Where the keychain is gone, all of it comes back.
        for words in [["site"], ["service", "--group", "org.example.service"]] {
            let removed = try scene.run(
                "llavero", ["remove", "--quiet"] + words, as: UserScene.daemonUser,
                launcher: ["/usr/bin/env", "LLAVERO_HOME=\(home)"])
            #expect(removed.code == 0, "\(removed.complaint)")
        }
        let back = try asDaemon(
            "restore", scene.installed.file("state/last"), "--yes", "--fd", "0", input: "a passphrase of some length")
        #expect(back.code == 0 && back.complaint.contains("added: 2"), "\(back.complaint)")
        _ = try asDaemon("lock", "--end-agent")
        try scene.startSystemDaemon()
        // What the rules do not give the user's llavero it cannot put back, and says why.
        try scene.asRoot("cp '\(scene.installed.file("state/last"))' '\(own)' && chown \(UserScene.user) '\(own)'")
        let part = try scene.run(
            "llavero", ["restore", own, "--yes", "--fd", "0"], input: "a passphrase of some length")
        #expect(part.code == 1)
        #expect(
            part.complaint.contains("it is in the access group llavero.open, which the rules of the daemon"),
            "\(part.complaint)")
        #expect(try scene.run("llavero", ["get", "site"]).output == "seven wet lanterns\n")
    }

    @Test("where the page is damaged that has the groups, the items are served, and `check` lists the damage")
    func damagedGroups() throws {
        scene.stopDaemon()
        let python = """
            import sqlite3, sys
            path = sys.argv[1]
            base = sqlite3.connect(path)
            page = base.execute("select rootpage from sqlite_master where name = 'sqlite_autoindex_genp_2'").fetchone()[0]
            base.execute("pragma wal_checkpoint(truncate)")
            base.close()
            with open(path, "r+b") as file:
                file.seek((page - 1) * 4096)
                file.write(b"\\xff" * 64)
            """
        let script = scene.installed.file("damage.py")
        try Data(python.utf8).write(to: URL(fileURLWithPath: script))
        try scene.asRoot("/usr/bin/python3 '\(script)' '\(home)/login/keychain.db'")
        defer { _ = try? asDaemon("lock", "--end-agent") }
        let check = try asDaemon("check")
        #expect(check.code == 1)
        #expect(check.output.contains("damaged") && !check.complaint.contains("see `llavero check`"), "\(check)")
        _ = try asDaemon("lock", "--end-agent")
        try scene.startSystemDaemon()
        #expect(try scene.run("llavero", ["list"]).output.contains("site"))
    }

    @Test("what its user cannot do is the administrator's, and that is said")
    func administrators() throws {
        for words in [["keychains", "set-aside", "login"], ["repair"]] {
            let refused = try scene.run("llavero", words)
            #expect(refused.code == 1 && refused.complaint.contains("tell the administrator"), "\(refused.complaint)")
        }
        scene.stopDaemon()
        try scene.asRoot("rm '\(home)/login/device.key'")
        try scene.startSystemDaemon()
        let refused = try scene.run("llavero", ["recovery", "use", "--fd", "0"], input: "no such words")
        #expect(refused.code == 1 && refused.complaint.contains("tell the administrator"), "\(refused.complaint)")
    }

    @Test("a keychain whose log cannot be written is served all the same")
    func unwritableLog() throws {
        scene.stopDaemon()
        try scene.asRoot("rm -r '\(home)/login/audit' && touch '\(home)/login/audit'")
        try scene.startSystemDaemon()
        #expect(try scene.run("llavero", ["get", "site"]).output == "seven wet lanterns\n")
    }

    @Test("a keychain that does not open is told of in the journal, once, and repaired while the daemon is stopped")
    func unopenable() throws {
        scene.stopDaemon()
        let database = "\(home)/login/keychain.db"
        try scene.asRoot("dd if=/dev/zero of='\(database)' bs=4096 count=1 conv=notrunc status=none")
        let journal = scene.installed.file("journal")
        try scene.startSystemDaemon(complaints: journal)
        for _ in 0..<3 { #expect(try scene.run("llavero", ["get", "site"]).code == 1) }
        let told = try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").filter {
            $0.contains("cannot be opened")
        }
        #expect(told.count == 1 && told[0].contains("\(UserScene.user)/login"), "\(told)")
        let refused = try asDaemon("repair")
        #expect(refused.code == 1)
        #expect(refused.complaint.contains("systemctl stop llaverod.socket llaverod.service"), "\(refused.complaint)")
        scene.stopDaemon()
        defer { _ = try? asDaemon("lock", "--end-agent") }
        #expect(try asDaemon("repair").complaint.contains("1 item saved"))
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
