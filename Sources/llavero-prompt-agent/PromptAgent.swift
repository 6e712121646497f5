// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainAuthentication
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTransport

/// Asks its user for passcodes and passwords on behalf of the system's keychain daemon.
///
/// The daemon starts no program and opens no terminal, since it holds every user's keys. The agent holds no keys: it asks in
/// its user's session, and passes the answer on.
@main
enum PromptAgent {
    static func main() {
        guard llv_fill_standard_descriptors() == 0 else { exit(1) }
        let words = CommandLine.arguments.dropFirst()
        if words == ["--help"] || words == ["-h"] {
            print(help)
            exit(0)
        }
        guard words.isEmpty else { fail("unexpected argument: \(words.first ?? ""); --help shows the usage", 64) }
        do throws(KeychainError) {
            // The daemon may still inspect this process; other programs of this user may not.
            try Hardening.forbidCoreDumps()
            Hardening.forbidCrashReports()
            try serve()
        } catch { fail(error.description, 1) }
    }

    private static func serve() throws(KeychainError) {
        signal(SIGPIPE, SIG_IGN)
        let desk: AgentDesk
        do throws(WaitFailure) { desk = try AgentDesk() } catch {
            throw KeychainError(.notAvailable, "the system provides no descriptor to wait on")
        }
        desk.endOnSignals()
        let service = DaemonSocket.systemService(.current())
        let feed = try service.questions()
        say("waiting for questions from the system's keychain daemon at \(service.path)")
        guard desk.serve(feed) else { fail("the system's keychain daemon closed the connection", 1) }
    }

    private static func say(_ text: String) {
        let line = Array("llavero-prompt-agent: \(text)\n".utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }

    private static func fail(_ text: String, _ code: Int32) -> Never {
        say(text)
        exit(code)
    }

    private static let help = """
        usage: llavero-prompt-agent

        Asks you for passcodes and passwords when one of your programs needs them from the system's keychain daemon
        (llaverod --system), which shows no prompts itself. Each dialog names the program. The agent uses $PINENTRY, or the
        pinentry in your PATH, on your display or on the terminal where it runs in the foreground; without pinentry it asks
        on that terminal itself. `systemctl --user enable --now llavero-prompt-agent` starts it with each of your sessions,
        `llavero prompt-agent` starts it by hand. It runs until you stop it or the daemon ends.
        """
}
