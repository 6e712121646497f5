// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainTools

/// What is to be said of the machine: the agent, the rules for programs, the packages.
enum SurroundingsExamination {
    static func findings(_ keychain: ToolKeychain) -> [Diagnosis] {
        [agent(keychain)] + entitlements(keychain) + packages()
    }

    private static func agent(_ keychain: ToolKeychain) -> Diagnosis {
        if keychain.hasDaemon {
            return .good("agent", "llaverod answers at \(PlainText.shown(keychain.host.socket ?? "its socket"))")
        }
        do throws(CommandError) { _ = try Agent(for: keychain.host) } catch {
            return .advice(
                "agent", "an unlock would end with each command: \(PlainText.shown(error.description))",
                fix: "install llaverod beside this program")
        }
        return .good("agent", "none runs; `llavero unlock` starts one")
    }

    private static func entitlements(_ keychain: ToolKeychain) -> [Diagnosis] {
        var findings: [Diagnosis] = []
        for folder in ["/etc/llavero", "/etc/llavero/entitlements.d", "/etc/llavero/signers.d"] {
            var facts = stat()
            guard unsafe lstat(folder, &facts) == 0 else { continue }
            if facts.st_uid != 0 || facts.st_mode & 0o022 != 0 {
                findings.append(
                    .wrong(
                        "entitlements", "\(folder) can be changed by others than root, so nothing in it is believed",
                        fix: "chown root \(folder); chmod 755 \(folder)"))
            } else {
                findings.append(.good("entitlements", "\(folder) is root's alone"))
            }
        }
        // It matters where there are rules, and somebody who goes by them.
        if keychain.hasDaemon, findings.contains(where: { $0.text.contains("entitlements.d") }) {
            findings.append(tracing())
        }
        do throws(KeychainError) {
            for line in try keychain.host.introduction() ?? [] {
                findings.append(.good("entitlements", "the daemon knows this program: \(PlainText.shown(line))"))
            }
        } catch {
            // A keychain that does not open for anybody was told of before.
            if keychain.host.deviceLoss() != nil { return findings }
            findings.append(
                .wrong("entitlements", PlainText.shown(error.description), fix: "see Docs/Daemon.md, Who asks"))
        }
        return findings
    }

    /// What a rule that names a unit is worth on this machine.
    private static func tracing() -> Diagnosis {
        if TracingProtection.isRestricted() {
            return .good(
                "entitlements",
                "kernel.yama.ptrace_scope is \(TracingProtection.scope() ?? 0): no program can trace a service of its user, so a rule by unit keeps other programs out"
            )
        }
        return .advice(
            "entitlements",
            "any program can trace its user's others, so a rule by unit is worth no more than one by path: no *, no administers-keys",
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
                    "packages", "there is no pinentry, so passcodes are asked for on a terminal only",
                    fix: "sudo apt install pinentry-curses, or pinentry-gnome3 on a desktop"))
        }
        let hasReader = unsafe access("/usr/share/dbus-1/system-services/net.reactivated.Fprint.service", F_OK) == 0
        findings.append(
            hasReader
                ? .good("packages", "fprintd is there, for fingers")
                : .advice(
                    "packages", "there is no fprintd, so nobody is known by a finger",
                    fix: "sudo apt install fprintd, if the machine has a reader"))
        let hasClipboard = ["wl-copy", "xclip", "xsel"].contains { ProgramSearch.path(of: $0) != nil }
        let hasDisplay = ["WAYLAND_DISPLAY", "DISPLAY"].contains { ProgramSearch.variable($0) != nil }
        if hasDisplay, !hasClipboard {
            findings.append(
                .advice(
                    "packages", "nothing reaches the display's clipboard",
                    fix: "sudo apt install wl-clipboard (Wayland) or xclip (X11)"))
        }
        findings.append(tpm())
        return findings
    }

    private static func tpm() -> Diagnosis {
        guard unsafe access("/dev/tpmrm0", F_OK) == 0 else {
            return .good(
                "tpm", "this machine shows none, so keys are guarded by files (swtpm gives a virtual machine one)")
        }
        guard unsafe access("/dev/tpmrm0", R_OK | W_OK) == 0 else {
            return .advice(
                "tpm", "there is one that you may not use", fix: "sudo usermod -aG tss $USER, and log in again")
        }
        return .good("tpm", "there is one that you may use")
    }
}
