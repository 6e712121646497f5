// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainTools
internal import ProgramSigning

/// The findings about the machine: the agent, the rules for programs, the packages.
enum SurroundingsExamination {
    static func findings(_ keychain: ToolKeychain) -> [Diagnosis] {
        [agent(keychain)].compactMap(\.self) + entitlements(keychain) + packages()
    }

    /// nil of a daemon that does not answer, which is said of the keychain.
    private static func agent(_ keychain: ToolKeychain) -> Diagnosis? {
        if keychain.hasDaemon {
            guard (try? keychain.isThere) != nil else { return nil }
            return .good("agent", "llaverod answers on \(PlainText.shown(keychain.host.socket ?? "its socket"))")
        }
        do throws(CommandError) { _ = try Agent(for: keychain.host.owner) } catch {
            return .advice(
                "agent", "an unlock would end with each command: \(PlainText.shown(error.description))",
                fix: "install llaverod beside this program")
        }
        return .good("agent", "not running; `llavero unlock` starts it")
    }

    private static func entitlements(_ keychain: ToolKeychain) -> [Diagnosis] {
        var findings: [Diagnosis] = []
        for folder in ["/etc/llavero", "/etc/llavero/entitlements.d", "/etc/llavero/signers.d"] {
            var facts = stat()
            guard unsafe lstat(folder, &facts) == 0 else { continue }
            if facts.st_uid != 0 || facts.st_mode & 0o022 != 0 {
                findings.append(
                    .wrong(
                        "entitlements", "users other than root can change \(folder), so its files are ignored",
                        fix: "chown root \(folder); chmod 755 \(folder)"))
            } else {
                findings.append(.good("entitlements", "only root can change \(folder)"))
            }
        }
        findings += broken() + closed() + unread() + ofNoProgram()
        // This matters where rules by unit exist and a daemon applies them.
        if keychain.hasDaemon, namesUnits() { findings.append(tracing()) }
        do throws(KeychainError) {
            for line in try keychain.host.introduction() ?? [] {
                findings.append(.good("entitlements", "the daemon recognizes this program: \(PlainText.shown(line))"))
            }
        } catch {
            // A keychain that cannot be opened was reported before.
            guard error.reason == .missingEntitlement else { return findings }
            findings.append(
                .wrong("entitlements", PlainText.shown(error.description), fix: "see Docs/Daemon.md, Who asks"))
        }
        return findings
    }

    /// The files of rules that cannot be used.
    ///
    /// Those that this user may not read are not this user's to judge.
    private static func broken() -> [Diagnosis] {
        let folders = ["/etc/llavero/entitlements.d", "/etc/llavero/signers.d"]
        let reports = [
            EntitlementFolder(path: folders[0]).load().reports, SignerFolder(path: folders[1]).load().reports,
        ]
        return zip(folders, reports).flatMap { folder, reports in
            reports.filter { $0.fault != .file(.system(EACCES)) && $0.file != folder }.map { report in
                Diagnosis.wrong(
                    "entitlements",
                    PlainText.shown(
                        "\(folder)/\(report.description); with the system's daemon, a program that no file names is in no group until this is mended"
                    ),
                    fix:
                        "mend it as Docs/Daemon.md says (Who asks), or sudo rm \(ShellWord.quoted("\(folder)/\(report.file)"))"
                )
            }
        }
    }

    /// The files of rules that the system's daemon may not read, whoever else may: a umask of 077 makes such.
    private static func closed() -> [Diagnosis] {
        guard let daemon = daemonUser else { return [] }
        let groups = groups(of: daemon)
        return ["/etc/llavero/entitlements.d", "/etc/llavero/signers.d"].flatMap { folder -> [Diagnosis] in
            names(in: folder).filter { $0.hasSuffix(".plist") }.compactMap { name in
                var facts = stat()
                guard unsafe lstat("\(folder)/\(name)", &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
                    return nil
                }
                let readable: mode_t =
                    facts.st_uid == daemon ? 0o400 : groups.contains(facts.st_gid) ? 0o040 : 0o004
                guard facts.st_mode & readable == 0 else { return nil }
                return .wrong(
                    "entitlements",
                    "\(PlainText.shown("\(folder)/\(name)")) may not be read by the system's daemon, so it grants nothing, and a program that no file names is in no group",
                    fix: "sudo chmod 644 \(ShellWord.quoted("\(folder)/\(name)"))")
            }
        }
    }

    /// The files that nobody reads for their names; what an editor or a package left beside another is nobody's mistake.
    private static func unread() -> [Diagnosis] {
        ["/etc/llavero/entitlements.d", "/etc/llavero/signers.d"].flatMap { folder -> [Diagnosis] in
            let others = names(in: folder).filter { !$0.hasPrefix(".") && !$0.hasSuffix("~") && !$0.contains(".plist") }
            return others.map { name in
                .advice(
                    "entitlements",
                    "\(PlainText.shown("\(folder)/\(name)")) is not read, for its name does not end in .plist",
                    fix: "rename it to end in .plist, or remove it")
            }
        }
    }

    /// Whom the system's daemon runs as: what it was given tells, its store or the folder of its socket.
    private static var daemonUser: UInt32? {
        for folder in [DaemonSocket.systemStore, "/run/llavero"] {
            var facts = stat()
            if unsafe lstat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid != 0 {
                return facts.st_uid
            }
        }
        return nil
    }

    /// The groups of a user; none where the system does not know it.
    private static func groups(of user: UInt32) -> [gid_t] {
        guard let account = unsafe getpwuid(user) else { return [] }
        var groups = [gid_t](repeating: 0, count: 256)
        var count = Int32(groups.count)
        guard unsafe getgrouplist(account.pointee.pw_name, account.pointee.pw_gid, &groups, &count) >= 0 else {
            return []
        }
        return Array(groups.prefix(Int(count)))
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) { names.append(unsafe BackupFolder.name(of: entry)) }
        return names.sorted()
    }

    /// The rules about paths at which no program is: they take their groups from people's tools all the same.
    private static func ofNoProgram() -> [Diagnosis] {
        let folder = "/etc/llavero/entitlements.d"
        return EntitlementFolder(path: folder).load().rules.compactMap { rule in
            guard let path = rule.match.path else { return nil }
            let file = PlainText.shown("\(folder)/\(rule.file)")
            guard let resolved = unsafe realpath(path, nil) else {
                guard errno == ENOENT else { return nil }
                return .advice(
                    "entitlements", "\(file) is about \(PlainText.shown(path)), where nothing is",
                    fix: "correct its path, or remove the file, if that program is not to come")
            }
            defer { unsafe free(resolved) }
            let target = unsafe String(cString: resolved)
            guard !target.hasSameBytes(as: path) else { return nil }
            return .wrong(
                "entitlements",
                "\(file) is about \(PlainText.shown(path)), which is reached by a link, so it is about no program",
                fix: "write \(PlainText.shown(target)) there; several names of one file cannot be told apart")
        }
    }

    private static func namesUnits() -> Bool {
        EntitlementFolder(path: "/etc/llavero/entitlements.d").load().rules.contains { $0.match.unit != nil }
    }

    /// How much a rule by unit protects on this machine.
    private static func tracing() -> Diagnosis {
        if TracingProtection.isRestricted() {
            return .good(
                "entitlements",
                "kernel.yama.ptrace_scope is \(TracingProtection.scope() ?? 0): programs cannot trace services of their user, so a rule by unit keeps other programs out"
            )
        }
        return .advice(
            "entitlements",
            "any program can trace other programs of its user, so a rule by unit protects no more than one by path: it allows no * and no administers-keys",
            fix:
                "echo kernel.yama.ptrace_scope=1 | sudo tee /etc/sysctl.d/60-ptrace.conf && sudo sysctl --system, where the kernel has Yama; or a rule by group"
        )
    }

    private static func packages() -> [Diagnosis] {
        var findings: [Diagnosis] = []
        let pinentry = ["pinentry", "pinentry-gnome3", "pinentry-qt", "pinentry-curses", "pinentry-tty"]
            .compactMap { ProgramSearch.path(of: $0) }.first
        if let pinentry {
            findings.append(.good("packages", "\(pinentry) asks for passcodes"))
        } else {
            findings.append(
                .advice(
                    "packages", "pinentry is not installed, so passcodes are asked for on a terminal only",
                    fix: "sudo apt install pinentry-curses, or pinentry-gnome3 on a desktop"))
        }
        let hasReader = unsafe access("/usr/share/dbus-1/system-services/net.reactivated.Fprint.service", F_OK) == 0
        let hasDisplay = ["WAYLAND_DISPLAY", "DISPLAY"].contains { ProgramSearch.variable($0) != nil }
        if hasReader {
            findings.append(.good("packages", "fprintd is installed, for fingerprints"))
        } else if hasDisplay {
            findings.append(
                .advice(
                    "packages", "fprintd is not installed, so fingerprints cannot be used",
                    fix: "sudo apt install fprintd, if the machine has a fingerprint reader"))
        }
        let hasClipboard = ["wl-copy", "xclip", "xsel"].contains { ProgramSearch.path(of: $0) != nil }
        if hasDisplay, !hasClipboard {
            findings.append(
                .advice(
                    "packages", "no program to set the display's clipboard is installed",
                    fix: "sudo apt install wl-clipboard (Wayland) or xclip (X11)"))
        }
        findings.append(tpm())
        return findings
    }

    private static func tpm() -> Diagnosis {
        guard unsafe access("/dev/tpmrm0", F_OK) == 0 else {
            return .good(
                "tpm",
                "this machine has no TPM device, so keys are protected by files (swtpm provides a TPM for a virtual machine)"
            )
        }
        guard unsafe access("/dev/tpmrm0", R_OK | W_OK) == 0 else {
            return .advice(
                "tpm", "you have no access to the TPM", fix: "sudo usermod -aG tss $USER, and log in again")
        }
        return .good("tpm", "the TPM is available")
    }
}
