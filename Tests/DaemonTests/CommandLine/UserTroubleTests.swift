// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What `llavero status` and `doctor` say to a user without rights of what is wrong; root would be stopped by none of it.
@Suite(.enabled(if: UserScene.isPossible, "only root can install programs for other users"))
struct UserTroubleTests {
    private let scene: UserScene
    private let folder: String

    init() throws {
        scene = try UserScene()
        try scene.installed.install("llavero", as: "llavero")
        folder = scene.installed.file("home/.local/share/llavero/login")
    }

    private func tool(_ words: String...) throws -> UserScene.Answer {
        try scene.run("llavero", words, input: "seven wet lanterns")
    }

    @Test("a device key that its user may not read is not lost, and nobody is told to begin anew")
    func forbiddenKey() throws {
        #expect(try tool("add", "site", "--stdin", "--quiet").code == 0)
        #expect(chmod(folder + "/device.key", 0) == 0)
        let get = try tool("get", "site")
        #expect(get.code == 1 && get.complaint.contains("set its mode to 0600"), "\(get.complaint)")
        for words in [["get", "site"], ["status"], ["doctor"]] {
            let answer = try scene.run("llavero", words)
            let text = answer.output + answer.complaint
            #expect(!text.contains("set-aside"), "\(text)")
            #expect(text.contains("0600"), "\(text)")
        }
        #expect(chmod(folder + "/device.key", 0o600) == 0)
        #expect(try tool("get", "site").output == "seven wet lanterns\n")
    }

    @Test("a folder that may not be written to is said with its mode, and is no read-only disk")
    func fixedFolder() throws {
        #expect(try tool("add", "site", "--stdin", "--quiet").code == 0)
        #expect(chmod(folder, 0o500) == 0)
        let add = try tool("add", "other", "--stdin")
        #expect(add.code == 1 && add.complaint.contains("read-only for this user (its mode)"), "\(add.complaint)")
        #expect(try tool("status").output.contains("its folder has the mode 500"))
        let doctor = try tool("doctor")
        #expect(doctor.code == 1 && doctor.output.contains("chmod 700"), "\(doctor.output)")
        #expect(chmod(folder, 0o700) == 0)
        #expect(try !tool("status").output.contains("its folder has the mode"))
    }

    @Test("a full disk is seen by status and doctor before anything fails")
    func fullDisk() throws {
        let share = scene.installed.file("home/.local/share")
        try scene.asRoot(
            "mkdir -p '\(share)' && mount -t tmpfs -o size=8m,mode=700,uid=\(UserScene.user),gid=\(UserScene.user) none '\(share)'"
        )
        #expect(try tool("add", "site", "--stdin", "--quiet").code == 0)
        #expect(try !tool("status").output.contains("full"))
        try scene.asRoot("dd if=/dev/zero of='\(share)/ballast' bs=64k 2>/dev/null; true")
        #expect(try tool("status").output.contains("the disk of its folder is full"))
        let doctor = try tool("doctor")
        #expect(doctor.code == 1 && doctor.output.contains("free some space"), "\(doctor.output)")
        #expect(try tool("get", "site").output == "seven wet lanterns\n")
    }

    @Test("a keychain from the future is named, as its clock or this one is wrong")
    func clock() throws {
        #expect(try tool("add", "site", "--stdin", "--quiet").code == 0)
        #expect(try !tool("doctor").output.contains("clock says"))
        try scene.asRoot("touch -d 2099-01-01T12:00Z '\(folder)/keychain.db'")
        #expect(try tool("doctor").output.contains("on 2099-01-01"))
    }

    @Test("a command with a home of its own has keychains of its own, whether the session's daemon runs or not")
    func homeOfItsOwn() throws {
        let other = scene.installed.file("other")
        try scene.installed.makeFolder("other", mode: 0o700, user: UserScene.user)
        func apart(_ words: String..., input: String = "") throws -> UserScene.Answer {
            try scene.run("llavero", words, input: input, launcher: ["/usr/bin/env", "HOME=\(other)"])
        }
        // The session's daemon is not asked for them.
        try scene.startDaemon()
        #expect(try tool("add", "site", "--stdin", "--quiet").code == 0)
        #expect(try apart("get", "site").code == 44)
        #expect(try apart("add", "job", "--stdin", "--quiet", input: "job's").code == 0)
        #expect(FileManager.default.fileExists(atPath: other + "/.local/share/llavero/login/keychain.db"))
        #expect(try tool("get", "job").code == 44)
        #expect(try apart("remove", "site").code == 44)
        #expect(try tool("get", "site").output == "seven wet lanterns\n")
        scene.stopDaemon()
        // And one that such a command starts is not asked by others.
        #expect(try apart("passcode", "set", "--new-fd", "0", input: "five dry boats").code == 0)
        defer { _ = try? apart("lock", "--end-agent") }
        #expect(try apart("unlock", "--fd", "0", input: "five dry boats").code == 0)
        let status = try apart("status", "--plain").output
        #expect(status.contains("socket\t\(other)/.local/share/llavero/.agent"), "\(status)")
        #expect(try tool("get", "site").output == "seven wet lanterns\n")
        #expect(try tool("get", "job").code == 44)
    }

    @Test("nor is the system's daemon asked, which goes by the user and not by the home")
    func homeBesideSystem() throws {
        try scene.installed.makeFolder("other", mode: 0o700, user: UserScene.user)
        func apart(_ words: String..., input: String = "") throws -> UserScene.Answer {
            try scene.run(
                "llavero", words, input: input, launcher: ["/usr/bin/env", "HOME=\(scene.installed.file("other"))"])
        }
        try scene.startSystemDaemon()
        #expect(try tool("add", "site", "--stdin", "--quiet").code == 0)
        #expect(try apart("get", "site").code == 44)
        #expect(try apart("add", "job", "--stdin", "--quiet", input: "job's").code == 0)
        #expect(try apart("get", "job").output == "job's\n")
        #expect(try tool("get", "job").code == 44)
        #expect(try tool("get", "site").output == "seven wet lanterns\n")
    }

    @Test("where XDG_DATA_HOME names another folder, the session's daemon serves the keychains in it")
    func dataHomeOfItsOwn() throws {
        let other = scene.installed.file("other")
        try scene.installed.makeFolder("other", mode: 0o700, user: UserScene.user)
        func apart(_ words: String..., input: String = "") throws -> UserScene.Answer {
            try scene.run("llavero", words, input: input, launcher: ["/usr/bin/env", "XDG_DATA_HOME=\(other)"])
        }
        try scene.startDaemon()
        #expect(try tool("add", "site", "--stdin", "--quiet").code == 0)
        #expect(try apart("get", "site").code == 44)
        #expect(try apart("add", "job", "--stdin", "--quiet", input: "job's").code == 0)
        #expect(FileManager.default.fileExists(atPath: other + "/llavero/login/keychain.db"))
        #expect(try apart("status", "--plain").output.contains("/run/user/"))
        #expect(try tool("get", "job").code == 44)
        scene.stopDaemon()
        #expect(try apart("get", "job").output == "job's\n")
    }

    @Test("in a service whose filter of system calls kills, a keychain is used as elsewhere")
    func filter() throws {
        // As `SystemCallFilter=@system-service` does, which does not list memfd_secret.
        let filtering = """
            import ctypes, os, struct, sys
            rules = struct.pack("HBBI" * 4, 32, 0, 0, 0, 21, 0, 1, 447, 6, 0, 0, 0x80000000, 6, 0, 0, 0x7fff0000)
            rules = ctypes.create_string_buffer(rules)
            program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 4, ctypes.addressof(rules)))
            libc = ctypes.CDLL(None)
            assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program) == 0
            os.execv(sys.argv[1], sys.argv[1:])
            """
        let launcher = ["/usr/bin/python3", "-c", filtering]
        let add = try scene.run(
            "llavero", ["add", "site", "--stdin", "--quiet"], input: "seven wet lanterns", launcher: launcher)
        #expect(add.code == 0, "\(add.complaint)")
        #expect(try scene.run("llavero", ["get", "site"], launcher: launcher).output == "seven wet lanterns\n")
    }

    @Test("a service from which all homes are hidden has the system's daemon as any other")
    func hiddenHome() throws {
        try scene.startSystemDaemon()
        #expect(try tool("add", "site", "--stdin", "--quiet").code == 0)
        // As `ProtectHome=yes` does.
        let home = scene.installed.file("home")
        #expect(chmod(home, 0) == 0)
        #expect(chown(home, 0, 0) == 0)
        let get = try tool("get", "site")
        #expect(get.code == 0 && get.output == "seven wet lanterns\n", "\(get.complaint)")
    }

    @Test("status --json is one object also where the state cannot be told")
    func statusObject() throws {
        for words in [["--keychain", "nobody"], []] {
            if words.isEmpty {
                #expect(try tool("add", "site", "--stdin", "--quiet").code == 0)
                try Data("no database".utf8).write(to: URL(fileURLWithPath: folder + "/keychain.db"))
                #expect(chown(folder + "/keychain.db", UserScene.user, UserScene.user) == 0)
                try? FileManager.default.removeItem(atPath: folder + "/keychain.db-wal")
            }
            let answer = try scene.run("llavero", ["status", "--json"] + words)
            #expect(answer.code != 0 && !answer.complaint.isEmpty)
            let object = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
            #expect(object?["state"] as? String == "unknown", "\(answer.output)")
            #expect((object?["problem"] as? String)?.isEmpty == false)
        }
    }

    @Test("a keychain is unlocked at boot by the document's line for a crontab, where there is no session")
    func crontab() throws {
        try scene.asRoot("rm -r /run/user")
        let line = try preparedForCron()
        #expect(try cron("llavero get site").code == 36)
        let unlocked = try cron(line)
        #expect(unlocked.code == 0 && unlocked.output.isEmpty && unlocked.complaint.isEmpty, "\(unlocked.complaint)")
        #expect(try cron("llavero get site").output == "seven wet lanterns\n")
        // One who logs in later has the same daemon, though the session has a place for one and says where data is.
        try beginSession()
        for said in ["$HOME/.local/share", "$HOME/.local/share/"] {
            #expect(try cron("XDG_DATA_HOME=\(said) llavero get site").output == "seven wet lanterns\n")
        }
        try scene.asRoot("rm -r /run/user")
        #expect(try cron("llavero lock --end-agent --quiet").code == 0)
        #expect(try cron("llavero get site").code == 36)
    }

    @Test(
        "what cron unlocks beside a session does not end with it, and serves the session's programs that had begun before"
    )
    func crontabBesideSession() throws {
        try beginSession()
        try scene.installed.install("llavero", as: "security")
        let line = try preparedForCron()
        // `security` reads its commands from a pipe, and has done one before cron's line comes.
        let answers = try cron(
            """
            export XDG_RUNTIME_DIR=/run/user/$(id -u); cd "$HOME" && mkfifo asked && exec 4<>asked
            security -i <asked 4>&- >answers 2>&1 & echo "find-generic-password -s nothing" >&4
            timeout 60 sh -c 'until grep -q "could not be found" answers; do sleep 0.05; done'
            env -u XDG_RUNTIME_DIR \(line); echo "find-generic-password -s site -w" >&4; exec 4>&-
            wait $!; cat answers; llavero status --plain | grep ^socket
            """)
        #expect(answers.output.contains("seven wet lanterns\n"), "\(answers.output)\(answers.complaint)")
        #expect(answers.output.contains("socket\t\(scene.installed.file("home"))/.local/share/llavero/.agent\n"))
        // The session ends.
        try scene.asRoot("rm -r /run/user")
        #expect(try cron("llavero get site").output == "seven wet lanterns\n")
        #expect(try cron("llavero lock --end-agent --quiet").code == 0)
    }

    /// The document's line for a crontab, with what it needs.
    private func preparedForCron() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let page = try String(contentsOf: root.appending(path: "Docs/Daemon.md"), encoding: .utf8)
        let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("@reboot ") })
        try scene.installed.install("llaverod", as: "llaverod")
        let made = try cron(
            """
            printf 'seven wet lanterns' | llavero add site --stdin --quiet && mkdir -p "$HOME/.config/llavero" &&
            printf 'seven wet lanterns' > "$HOME/.config/llavero/passcode" &&
            llavero passcode set --quiet --new-fd 3 3< "$HOME/.config/llavero/passcode"
            """)
        #expect(made.code == 0, "\(made.complaint)")
        return String(line.dropFirst("@reboot ".count))
    }

    /// As cron runs it, but for where the programs are.
    private func cron(_ line: String) throws -> UserScene.Answer {
        try scene.run(
            "llavero", [],
            launcher: [
                "/usr/bin/env", "-i", "HOME=\(scene.installed.file("home"))",
                "PATH=\(scene.installed.path):/usr/bin:/bin", "/bin/sh", "-c", line,
            ])
    }

    private func beginSession() throws {
        let session = "/run/user/\(UserScene.user)"
        try scene.asRoot("mkdir -p '\(session)' && chmod 700 '\(session)' && chown \(UserScene.user) '\(session)'")
    }

    @Test("with the system's daemon an ordinary user has nothing to mend; a broken file of rules is named")
    func rules() throws {
        try scene.asRoot("mkdir /run/etc && cp -a /etc/. /run/etc && mount --bind /run/etc /etc")
        try scene.asRoot("rm -rf /etc/llavero && mkdir -p -m 755 /etc/llavero/entitlements.d /etc/llavero/signers.d")
        try scene.startSystemDaemon()
        #expect(try tool("add", "site", "--stdin", "--quiet").code == 0)
        let doctor = try tool("doctor")
        #expect(doctor.code == 0, "\(doctor.output)")
        #expect(!doctor.output.contains("administers-keys in"), "\(doctor.output)")
        #expect(doctor.output.contains("its items are checked by its administrator"))
        try scene.asRoot("echo '<plist' > /etc/llavero/entitlements.d/broken.plist")
        let broken = try tool("doctor")
        #expect(broken.code == 1)
        #expect(
            broken.output.contains("/etc/llavero/entitlements.d/broken.plist grants nothing: it is no property list"),
            "\(broken.output)")
        // Those that come with the packages are understood, as they are there.
        let example = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Packaging/entitlements"
        ).standardizedFileURL.path
        try scene.asRoot(
            "cd /etc/llavero/entitlements.d && rm broken.plist && install -m 644 '\(example)'/*.plist . && sed -i s:@PREFIX@:/usr: *"
        )
        let mended = try tool("doctor")
        #expect(mended.code == 0, "\(mended.output)")
        // Written under a umask of 077: root reads it, and the daemon does not.
        let closing = "cd /etc/llavero/entitlements.d && chmod 600 llavero.plist && cp -p llavero.plist other.plist"
        for (change, file) in [
            (closing, "llavero.plist"), ("cd /etc/llavero/entitlements.d && chmod 644 llavero.plist", "other.plist"),
        ] {
            try scene.asRoot(change)
            let closed = try tool("doctor")
            #expect(
                closed.code == 1
                    && closed.output.contains("entitlements.d/\(file) may not be read by the system's daemon"),
                "\(closed.output)")
        }
        try scene.asRoot("rm /etc/llavero/entitlements.d/other.plist")
        try scene.asRoot("touch /etc/llavero/entitlements.d/rules.xml")
        let named = try tool("doctor")
        #expect(named.output.contains("rules.xml is not read, for its name does not end in .plist"), "\(named.output)")
        // A rule about a link is about no program, and takes the tools' groups from them all the same.
        try scene.asRoot(
            "ln -s /usr/bin/true /run/link && cd /etc/llavero/entitlements.d && sed -i 's:<string>/usr/bin/llavero:<string>/run/link:' llavero.plist"
        )
        let linked = try tool("doctor")
        #expect(
            linked.code == 1 && linked.output.contains("is about /run/link, which is reached by a link"),
            "\(linked.output)")
    }
}
