// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The daemon of the system: a keychain for each user, which nobody but the daemon can read.
@Suite(.enabled(if: UserScene.isPossible, "only root can install programs for other users"))
struct SystemDaemonTests {
    private let scene: UserScene

    init() throws {
        scene = try UserScene()
        try scene.installed.install("llavero-test-helper", as: "plain")
    }

    @Test("users see nothing of each other, and have no files of their own")
    func users() throws {
        try scene.startSystemDaemon()
        let one = try scene.program("plain")
        let other = try scene.program("plain", as: UserScene.otherUser)
        #expect(try one.ask("add a") == ["0"])
        #expect(try other.ask("get a").first == "-25300")
        #expect(try other.ask("add a") == ["0"])
        #expect(try other.ask("add b") == ["0"])
        #expect(try one.ask("list x") == ["0", "a"])
        #expect(try other.ask("list x") == ["0", "a,b"])
        #expect(try other.ask("delete a") == ["0"])
        #expect(try one.ask("get a") == ["0", "value of a"])
        let files = FileManager.default
        for user in [UserScene.user, UserScene.otherUser] {
            let folder = scene.installed.file("state/\(user)/login")
            let facts = try files.attributesOfItem(atPath: folder)
            #expect(facts[.ownerAccountID] as? UInt32 == UserScene.daemonUser)
            #expect((facts[.posixPermissions] as? Int ?? 0) & 0o077 == 0)
        }
        for home in ["home", "home-\(UserScene.otherUser)"] {
            #expect(try files.contentsOfDirectory(atPath: scene.installed.file(home)).isEmpty)
        }
    }

    @Test("who has a keychain already keeps it; the system's is for those who have none")
    func ownKeychain() throws {
        let early = try scene.program("plain")
        #expect(try early.ask("add mine") == ["0"])
        try scene.startSystemDaemon()
        #expect(try scene.program("plain").ask("get mine") == ["0", "value of mine"])
        // Who expects it with the daemon is told, and how it gets there.
        try scene.installed.install("llavero", as: "llavero")
        let told = try tool("doctor").output
        #expect(told.contains("does not have this one") && told.contains("llavero export FILE --all"), "\(told)")
        let other = try scene.program("plain", as: UserScene.otherUser)
        #expect(try other.ask("get mine").first == "-25300")
    }

    @Test(
        "while the daemon is away nobody makes a keychain of their own, but who names a folder for it; where both are, it is said"
    )
    func away() throws {
        try scene.installed.install("llavero", as: "llavero")
        func tool(_ words: String..., at home: String? = nil) throws -> UserScene.Answer {
            let launcher = home.map { ["/usr/bin/env", "LLAVERO_HOME=\($0)"] } ?? []
            return try scene.run("llavero", words, input: "seven wet lanterns", launcher: launcher)
        }
        let home = scene.installed.file("home")
        // Root has systemd make the socket, and nothing runs.
        try scene.asRoot("mount -t tmpfs none /etc/systemd && mkdir -p /etc/systemd/system/sockets.target.wants")
        try scene.asRoot("ln -s /nonexistent /etc/systemd/system/sockets.target.wants/llaverod.socket")
        let early = try tool("add", "early", "--stdin")
        #expect(early.code == 1 && early.complaint.contains("the system's keychain daemon"), "\(early.complaint)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
        try scene.asRoot("rm /etc/systemd/system/sockets.target.wants/llaverod.socket")
        try scene.startSystemDaemon()
        #expect(try tool("add", "shared", "--stdin", "--quiet").code == 0)
        // All that it has is listed, whether a list of the user's names it or not.
        #expect(try tool("keychains", "create", "extra", "--quiet").code == 0)
        let listed = try tool("keychains", "--plain")
        #expect(listed.output == "login\tyes\tyes\t\nextra\tno\tno\t\n" && listed.complaint.isEmpty, "\(listed)")
        // Something holds the socket, as systemd does for a daemon that cannot start.
        let daemon = try #require(scene.daemonProcess)
        kill(daemon, SIGSTOP)
        let silent = try tool("get", "shared")
        kill(daemon, SIGCONT)
        #expect(
            silent.code == 1
                && silent.complaint.contains(
                    "cannot start, or was stopped; an administrator sees why: systemctl status llaverod"),
            "\(silent.complaint)")
        // One that was started by hand leaves its socket, as systemd's stays.
        scene.stopDaemon()
        let late = try tool("add", "late", "--stdin")
        #expect(late.code == 1 && late.complaint.contains("systemctl start llaverod.socket"), "\(late.complaint)")
        let examined = try tool("doctor").output
        #expect(!examined.contains("llaverod answers"), "\(examined)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
        #expect(try tool("add", "own", "--stdin", "--quiet", at: home + "/.local/share/llavero").code == 0)
        #expect(try tool("status").output.contains("does not answer; if it has one of this name for you"))
        try scene.startSystemDaemon()
        #expect(try tool("get", "shared").code == 44)
        #expect(try tool("status").output.contains("warning: the system's daemon has a keychain of this name for you"))
        let advice = try tool("doctor").output
        #expect(advice.contains("llavero keychains set-aside login"), "\(advice)")
        // What doctor says to do.
        #expect(try tool("export", home + "/file", "--all").code == 0)
        #expect(try tool("keychains", "set-aside", "login").code == 0)
        #expect(try tool("import", home + "/file").code == 0)
        #expect(try tool("get", "shared").output == "seven wet lanterns\n")
        #expect(try tool("get", "own").output == "seven wet lanterns\n")
        #expect(try !tool("status").output.contains("for you, too"))
    }

    @Test("a daemon of the user's own hides what the system's has, and every command that finds no keychain says so")
    func hiddenByDaemon() throws {
        try scene.installed.install("llavero", as: "llavero")
        try scene.startSystemDaemon()
        #expect(try tool("add", "shared", "--stdin", "--quiet").code == 0)
        try scene.startDaemon("--agent")
        let (listed, state, examined) = (try tool("list"), try tool("status"), try tool("doctor"))
        let words = "the system's daemon has a keychain of this name for you; while a daemon of your own runs"
        #expect(listed.output.isEmpty && listed.complaint.contains(words), "\(listed)")
        #expect(state.output.contains("warning: \(words)"), "\(state)")
        #expect(examined.output.contains(words) && examined.output.contains("llavero lock --end-agent"), "\(examined)")
        #expect(try tool("lock", "--end-agent").output.isEmpty)
        #expect(try tool("get", "shared").output == "seven wet lanterns\n")
        // One that was killed leaves its socket, and hides nothing.
        try scene.startDaemon("--agent")
        scene.killDaemon()
        #expect(try tool("get", "shared").output == "seven wet lanterns\n")
    }

    @Test("what is refused to a program begins no keychain")
    func refusedBeginning() throws {
        try scene.installed.install("llavero", as: "llavero")
        try scene.startSystemDaemon()
        let keychain = scene.installed.file("state/\(UserScene.user)/login")
        // Whom a wrong file refuses is told of no keychain of the system's daemon, for nobody knows of one.
        try scene.installed.entitle("llavero", ["synchronises": "<true/>"])
        #expect(try !tool("doctor").output.contains("the system's daemon has a keychain of this name"))
        try scene.startDaemon("--agent")
        #expect(try !tool("doctor").output.contains("the system's daemon has a keychain of this name"))
        #expect(try tool("lock", "--end-agent").output.isEmpty)
        try FileManager.default.removeItem(atPath: scene.installed.entitlements + "/llavero.plist")
        let refused = try tool("circle", "create", "--server", "host=/nowhere dbname=circles user=ada")
        #expect(refused.code != 0 && refused.complaint.contains("takes part in no circle"), "\(refused)")
        #expect(try tool("add", "other", "--group", "org.example.other", "--stdin").code != 0)
        #expect(!FileManager.default.fileExists(atPath: keychain))
        #expect(try tool("add", "lamp", "--stdin", "--quiet").code == 0)
        #expect(FileManager.default.fileExists(atPath: keychain))
    }

    @Test("damage that the daemon meets is said once in its journal, and to who asks how the keychain is")
    func damage() throws {
        try scene.installed.install("llavero", as: "llavero")
        try scene.startSystemDaemon()
        #expect(try tool("add", "lamp", "--stdin", "--quiet").code == 0)
        scene.stopDaemon()
        let keychain = scene.installed.file("state/\(UserScene.user)/login")
        try scene.asRoot(
            """
            python3 -c "import sqlite3; path = '\(keychain)/keychain.db'; d = sqlite3.connect(path); \
            n = d.execute(\\"select rootpage from sqlite_master where name = 'genp'\\").fetchone()[0]; d.close(); \
            f = open(path, 'r+b'); f.seek((n - 1) * 4096); f.write(b'Z' * 4096)"
            """)
        let journal = scene.installed.file("journal")
        try scene.startSystemDaemon(complaints: journal)
        for _ in 0..<2 { #expect(try tool("search", "lamp").code == 1) }
        let lines = try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("a part of its database is damaged") }
        #expect(lines.count == 1 && lines.first?.contains(keychain) == true, "\(lines)")
        #expect(try tool("status").output.contains("warning: the database is damaged"))
        #expect(try tool("status", "--json").output.contains("\"problem\":\"the database is damaged\""))
        #expect(try tool("doctor").output.contains("the database is damaged"))
        let repair = try tool("repair")
        #expect(repair.code == 1 && repair.complaint.contains("tell the administrator"), "\(repair)")
    }

    @Test("a backup of a keychain that it has is noted for its user as the last, and makes it anew where it vanished")
    func lastBackup() throws {
        try scene.installed.install("llavero", as: "llavero")
        try scene.installed.entitle(
            "llavero",
            [
                "administers-keys": "<true/>",
                "keychain-access-groups": InstalledFolder.texts("llavero.passwords"),
            ])
        try scene.startSystemDaemon()
        let home = scene.installed.file("home")
        #expect(try tool("add", "lamp", "--stdin", "--quiet").code == 0)
        #expect(try tool("status").output.contains("last backup: none"))
        let backup = try tool("backup", home + "/saved", "--device-only")
        #expect(backup.code == 0, "\(backup.complaint)")
        #expect(try tool("status").output.contains("last backup: 20"))
        #expect(try tool("get", "lamp").output == "seven wet lanterns\n")
        #expect(try tool("backup", home + "/moved", "--passphrase", "--fd", "0").code == 0)
        let keychain = scene.installed.file("state/\(UserScene.user)/login")
        try scene.asRoot("rm -r \(keychain)")
        let gone = try tool("get", "lamp")
        #expect(gone.code == 44 && gone.complaint.contains("put \(keychain) back, or `llavero restore"), "\(gone)")
        #expect(try tool("status").output.contains("the last backup from here is of 20"))
        #expect(try tool("add", "other", "--stdin").code == 44)
        let restored = try tool("restore", home + "/moved", "--yes", "--fd", "0")
        #expect(restored.code == 0, "\(restored.complaint)")
        #expect(try tool("get", "lamp").output == "seven wet lanterns\n")
        // The note of it goes with the folder of all keychains of its user, and the daemon misses it all the same.
        try scene.asRoot("rm -r \(scene.installed.file("state/\(UserScene.user)"))")
        for words in [["get", "lamp"], ["add", "other", "--stdin"]] {
            let answer = try scene.run("llavero", words, input: "seven wet lanterns")
            #expect(answer.code == 44 && answer.complaint.contains("`llavero restore"), "\(answer)")
        }
        #expect(try tool("keychains", "create", "login").code == 0)
        #expect(try tool("add", "other", "--stdin", "--quiet").code == 0)
        try scene.asRoot("rm -r \(keychain)")
        #expect(try tool("list").code == 44)
        let forgotten = try tool("keychains", "remove", "login")
        #expect(forgotten.code == 0 && forgotten.complaint.contains("forgot the keychain login"), "\(forgotten)")
        #expect(try tool("add", "other", "--stdin", "--quiet").code == 0)
    }

    @Test("a restore that is refused leaves no empty keychain")
    func refusedRestore() throws {
        try scene.installed.install("llavero", as: "llavero")
        try scene.installed.entitle(
            "llavero",
            ["administers-keys": "<true/>", "keychain-access-groups": InstalledFolder.texts("llavero.passwords")])
        try scene.startSystemDaemon()
        let saved = scene.installed.file("home/saved")
        #expect(try tool("add", "lamp", "--stdin", "--quiet").code == 0)
        #expect(try tool("backup", saved, "--passphrase", "--fd", "0").code == 0)
        let state = scene.installed.file("state/\(UserScene.user)")
        // Who may gets it at once, into one that was not there.
        scene.stopDaemon()
        try scene.asRoot("rm -r \(state)")
        try scene.startSystemDaemon()
        for name in ["login", "fresh"] {
            let words = ["restore", saved, "--yes", "--fd", "0", "--keychain", name]
            let restored = try scene.run("llavero", words, input: "seven wet lanterns")
            #expect(restored.code == 0 && restored.complaint.contains("added: 1"), "\(restored)")
            #expect(try tool("get", "lamp", "--keychain", name).output == "seven wet lanterns\n")
        }
        scene.stopDaemon()
        try scene.asRoot("rm -r \(state)")
        try scene.startSystemDaemon()
        try FileManager.default.removeItem(atPath: scene.installed.entitlements + "/llavero.plist")
        for more in [[], ["--keychain", "fresh"]] {
            let words = ["restore", saved, "--yes", "--fd", "0"] + more
            let refused = try scene.run("llavero", words, input: "seven wet lanterns")
            #expect(refused.code == 1 && refused.complaint.contains("administers-keys"), "\(refused)")
        }
        for name in ["login", "fresh"] {
            #expect(!FileManager.default.fileExists(atPath: state + "/" + name), "\(name) is there")
        }
    }

    @Test("keys are changed by a program that may, or by who knows the passcode")
    func administration() throws {
        try scene.installed.install("llavero-test-helper", as: "tool")
        try scene.installed.entitle("tool", ["administers-keys": "<true/>"])
        try scene.startSystemDaemon()
        let plain = try scene.program("plain")
        #expect(try plain.ask("add a") == ["0"])
        #expect(try plain.ask("keys set 1234") == ["-34018"])
        #expect(try plain.ask("keys check") == ["-34018"])
        let tool = try scene.program("tool")
        #expect(try tool.ask("keys set 1234") == ["unlocked"])
        #expect(try tool.ask("keys check") == ["0"])
        #expect(try plain.ask("keys who").first?.hasPrefix("none") == true)
        #expect(try tool.ask("keys who").joined(separator: " ").hasPrefix("image by path:"))
        #expect(try plain.ask("keys lock") == ["locked"])
        #expect(try plain.ask("get a").first == "-25308")
        #expect(try plain.ask("keys words 4321") == ["-25293"])
        #expect(try plain.ask("keys unlock 1234") == ["unlocked"])
        #expect(try plain.ask("get a") == ["0", "value of a"])
        // Another user's keychain has nothing to do with it.
        let other = try scene.program("plain", as: UserScene.otherUser)
        #expect(try other.ask("add a") == ["0"])
        #expect(try other.ask("keys status") == ["noPasscode"])
    }

    @Test("where a rule does not hold for a program, every verb and doctor's finding say why")
    func unheldRule() throws {
        try scene.installed.install("llavero", as: "llavero")
        let rule = scene.installed.entitlements + "/llavero.plist"
        let text = """
            <plist version="1.0"><dict><key>match</key><dict>
            <key>path</key><string>\(scene.installed.file("llavero"))</string>
            <key>sha256</key><string>\(String(repeating: "0f", count: 32))</string>
            </dict><key>keychain-access-groups</key><array><string>llavero.passwords</string></array></dict></plist>
            """
        try scene.startSystemDaemon()
        #expect(try scene.run("llavero", ["add", "site", "--stdin", "--quiet"], input: "s3cret").code == 0)
        try Data(text.utf8).write(to: URL(fileURLWithPath: rule))
        chmod(rule, 0o644)
        let reason = "the file has another SHA-256"
        for words in [["get", "site"], ["status"], ["keychains"], ["unlock", "--fd", "0"]] {
            let answer = try scene.run("llavero", words, input: "1234")
            #expect(answer.code != 0 && answer.complaint.contains(reason), "\(words): \(answer)")
        }
        let doctor = try scene.run("llavero", ["doctor"])
        let wrong = doctor.output.split(separator: "\n").filter { $0.contains("keychain login") }
        #expect(doctor.code == 1 && wrong.contains { $0.contains(reason) }, "\(doctor.output)")
        #expect(!doctor.output.contains("llavero check"), "\(doctor.output)")
    }

    @Test("a program that is connected loses its groups when its file does")
    func revoked() throws {
        try scene.installed.install("llavero-test-helper", as: "tool")
        try scene.installed.entitle("tool", ["application-identifier": InstalledFolder.text("APP")])
        try scene.startSystemDaemon("--closed")
        let tool = try scene.program("tool")
        #expect(try tool.ask("add a") == ["0"])
        try scene.installed.entitle("tool", ["application-identifier": InstalledFolder.text("OTHER")])
        #expect(try tool.ask("get a").first == "-25300")
        try scene.installed.entitle("tool", ["application-identifier": InstalledFolder.text("APP")])
        #expect(try tool.ask("get a") == ["0", "value of a"])
        try FileManager.default.removeItem(atPath: scene.installed.entitlements + "/tool.plist")
        #expect(try tool.ask("get a").first == "-34018")
    }

    private func tool(_ words: String..., input: String = "seven wet lanterns") throws -> UserScene.Answer {
        try scene.run("llavero", words, input: input)
    }

    private func security(_ words: String..., as user: UInt32 = UserScene.user) throws -> UserScene.Answer {
        try scene.run("security", words, as: user)
    }

    @Test("a user makes named keychains in it, each with a passcode and a lock of its own")
    func namedKeychains() throws {
        try scene.installed.install("llavero", as: "security")
        try scene.startSystemDaemon()
        let absent = try security("find-generic-password", "-s", "token", "-w", "build.keychain")
        #expect(absent.code == 50, "\(absent.complaint)")
        let made = try security("create-keychain", "-p", "1234", "build.keychain")
        #expect(made.code == 0, "\(made.complaint)")
        #expect(try security("create-keychain", "-p", "1234", "build.keychain").code == 48)
        #expect(
            try security("add-generic-password", "-a", "ci", "-s", "token", "-w", "s3cret", "build.keychain").code == 0)
        let found = try security("find-generic-password", "-s", "token", "-w", "build.keychain")
        #expect(found.output == "s3cret\n", "\(found.complaint)")
        #expect(try security("lock-keychain", "build.keychain").code == 0)
        #expect(try security("find-generic-password", "-s", "token", "-w", "build.keychain").code == 36)
        #expect(try security("unlock-keychain", "-p", "wrong", "build.keychain").code != 0)
        #expect(try security("unlock-keychain", "-p", "1234", "build.keychain").code == 0)
        #expect(try security("find-generic-password", "-s", "token", "-w", "build.keychain").output == "s3cret\n")
        // It is the daemon's, and its user's alone.
        let facts = try FileManager.default.attributesOfItem(
            atPath: scene.installed.file("state/\(UserScene.user)/build.keychain-db"))
        #expect(facts[.ownerAccountID] as? UInt32 == UserScene.daemonUser)
        let other = UserScene.otherUser
        #expect(
            try security("find-generic-password", "-s", "token", "-w", "build.keychain", as: other).code == 50)
        #expect(try security("create-keychain", "-p", "", "build.keychain", as: other).code == 0)
        #expect(try security("list-keychains", "-s", "build.keychain").code == 0)
        #expect(try security("find-generic-password", "-s", "token", "-w").output == "s3cret\n")
    }

    @Test(
        "a named keychain goes by a program that may administer keys, and one in a folder is not the daemon's to make")
    func removal() throws {
        try scene.installed.install("llavero", as: "security")
        try scene.startSystemDaemon()
        #expect(try security("create-keychain", "-p", "1234", "build.keychain").code == 0)
        let refused = try security("delete-keychain", "build.keychain")
        #expect(refused.complaint.contains("administers-keys"), "\(refused.complaint)")
        let folder = scene.installed.file("state/\(UserScene.user)/build.keychain-db")
        #expect(FileManager.default.fileExists(atPath: folder))
        let elsewhere = try security("create-keychain", "-p", "1234", scene.installed.file("home/ci.keychain"))
        #expect(elsewhere.complaint.contains("use a keychain name instead of a path"), "\(elsewhere.complaint)")
        try scene.installed.entitle("security", ["administers-keys": "<true/>"])
        #expect(try security("delete-keychain", "build.keychain").code == 0)
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(try security("delete-keychain", "build.keychain").code == 50)
        #expect(try security("create-keychain", "-p", "", "build.keychain").code == 0)
    }

    @Test("files that a copy made another user's are told of with the command that gives them back")
    func movedFiles() throws {
        try scene.installed.install("llavero", as: "llavero")
        try scene.startSystemDaemon()
        #expect(try tool("add", "lamp", "--stdin", "--quiet").code == 0)
        scene.stopDaemon()
        let state = scene.installed.file("state")
        try scene.asRoot("chown -R root: \(state)/*")
        try scene.startSystemDaemon()
        for verb in ["status", "doctor"] {
            let told = try tool(verb)
            let text = told.output + told.complaint
            #expect(told.code == 1 && text.contains("`sudo chown -R llaverod: \(state)`"), "\(told)")
        }
    }

    @Test("the limit of disk space is told of by status and doctor, and what is kept of removed items makes room")
    func fullQuota() throws {
        try scene.installed.install("llavero", as: "llavero")
        try scene.startSystemDaemon("--disk-per-user", "16M")
        let large = String(repeating: "x", count: 800_000)
        var (names, refusal): ([String], UserScene.Answer?) = ([], nil)
        while refusal == nil, names.count < 40 {
            let answer = try tool("add", "item\(names.count)", "--stdin", "--quiet", input: large)
            if answer.code == 0 { names.append("item\(names.count)") } else { refusal = answer }
        }
        let words = "less than 1 MiB is left of what llaverod gives each user of the disk"
        #expect(refusal?.complaint.contains("`llavero remove --forever` make room") == true, "\(refusal as Any)")
        for name in names { #expect(try tool("remove", name, "--quiet").code == 0) }
        #expect(try tool("add", "another", "--stdin", "--quiet", input: large).code == 1)
        #expect(try tool("status", "--json").output.contains(words))
        let examined = try tool("doctor")
        #expect(examined.code == 1 && examined.output.contains(words), "\(examined)")
        #expect(try tool("forget", "--everything", "--quiet").code == 0)
        #expect(try tool("add", "another", "--stdin", "--quiet", input: large).code == 0)
        #expect(try !tool("status", "--json").output.contains(words))
        // Behind a small item that stays the file is as large as before, until it is compacted.
        for name in names.prefix(2) + ["late"] {
            #expect(try tool("add", name, "--stdin", "--quiet", input: name == "late" ? "x" : large).code == 0)
        }
        #expect(try tool("remove", "another", "--forever", "--quiet").code == 0)
        for name in names.prefix(2) { #expect(try tool("remove", name, "--forever", "--quiet").code == 0) }
        #expect(try tool("compact", "--quiet").code == 0)
        #expect(try tool("keychains", "create", "second", "--quiet").code == 0)
    }

    @Test("a full disk of the daemon's is told of by status and doctor, and items are found meanwhile")
    func fullDisk() throws {
        try scene.installed.install("llavero", as: "llavero")
        let state = scene.installed.file("state")
        try scene.asRoot(
            "mkdir -p \(state) && mount -t tmpfs -o size=8m,mode=700,uid=\(UserScene.daemonUser) none \(state)")
        try scene.startSystemDaemon()
        #expect(try tool("add", "one", "--stdin", "--quiet").code == 0)
        try scene.asRoot("head -c 20M /dev/zero > \(state)/fill || true")
        #expect(try tool("add", "two", "--stdin", "--quiet").code != 0)
        let words = "the disk on which llaverod keeps it is full"
        #expect(try tool("status", "--json").output.contains(words))
        let examined = try tool("doctor")
        #expect(examined.code == 1 && examined.output.contains(words), "\(examined)")
        #expect(try tool("get", "one").code == 0)
        try scene.asRoot("rm \(state)/fill")
        #expect(try !tool("status", "--json").output.contains(words))
        #expect(try tool("add", "two", "--stdin", "--quiet").code == 0)
    }

    @Test("the system's daemon that is not enabled any more is told of, for it may have the keychain")
    func stopped() throws {
        try scene.installed.install("llavero", as: "llavero")
        let store = "/var/lib/llavero"
        let isThere = FileManager.default.fileExists(atPath: store)
        try scene.asRoot("mkdir -p \(store) && mount -t tmpfs -o mode=700 none \(store)")
        defer { if !isThere { try? scene.asRoot("umount \(store) && rmdir \(store)") } }
        let words = "the system's daemon, which is not enabled any more, keeps keychains of users"
        #expect(try !tool("get", "one").complaint.contains(words))
        try scene.asRoot("mkdir \(store)/1000")
        let told = try tool("get", "one")
        #expect(told.code == 44 && told.complaint.contains(words), "\(told)")
        #expect(try tool("add", "one", "--stdin", "--quiet").code == 0)
        #expect(try !tool("get", "one").complaint.contains(words))
    }

    @Test("no user keeps more than the administrator allows each, and is told who can raise it")
    func quota() throws {
        try scene.installed.install("llavero", as: "security")
        try scene.startSystemDaemon("--keychains-per-user", "2", "--disk-per-user", "64M")
        #expect(try security("create-keychain", "-p", "", "one.keychain").code == 0)
        #expect(try security("create-keychain", "-p", "", "two.keychain").code == 0)
        let refused = try security("create-keychain", "-p", "", "three.keychain")
        #expect(refused.code != 0)
        #expect(refused.complaint.contains("2 keychains"), "\(refused.complaint)")
        #expect(refused.complaint.contains("--keychains-per-user"), "\(refused.complaint)")
        #expect(try security("create-keychain", "-p", "", "one.keychain", as: UserScene.otherUser).code == 0)
        #expect(
            try security("add-generic-password", "-a", "ci", "-s", "token", "-w", "s3cret", "one.keychain").code == 0)
    }

    @Test(
        "a quota that is none is refused before anything is served",
        arguments: [
            ["--system", "--keychains-per-user", "0"], ["--system", "--disk-per-user", "12"],
            ["--system", "--disk-per-user", "1M"], ["--system", "--disk-per-user", "99999999T"],
            ["--keychains-per-user", "5"], ["--disk-per-user", "1G"],
        ])
    func badQuota(options: [String]) throws {
        try scene.installed.install("llaverod", as: "llaverod")
        let answer = try scene.run("llaverod", options)
        #expect(answer.code == 64)
        #expect(answer.complaint.contains("-per-user"))
    }

    @Test("who was shut out makes none")
    func shutOut() throws {
        try scene.installed.install("llavero", as: "security")
        try scene.startSystemDaemon("--closed")
        #expect(try security("create-keychain", "-p", "1234", "build.keychain").code != 0)
        let folder = scene.installed.file("state/\(UserScene.user)")
        #expect((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] == [])
    }
}
