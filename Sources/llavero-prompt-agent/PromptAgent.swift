// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainAuthentication
internal import KeychainClient
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// Asks its user what the system's keychain daemon wants to know for a program of that user's.
///
/// The daemon starts no program and opens no terminal, for it has every user's keys. This has nobody's: it asks in its own
/// surroundings, and hands on what was typed.
@main
enum PromptAgent {
    static func main() {
        guard llv_fill_standard_descriptors() == 0 else { exit(1) }
        let words = CommandLine.arguments.dropFirst()
        if words == ["--help"] || words == ["-h"] {
            print(help)
            exit(0)
        }
        guard words.isEmpty else { fail("there is no option \(words.first ?? ""); --help says how it is used", 64) }
        do throws(KeychainError) {
            // The daemon may look at it all the same, and programs of this user may not.
            try Hardening.forbidCoreDumps()
            Hardening.forbidCrashReports()
            try serve()
        } catch { fail(error.description, 1) }
    }

    private static func serve() throws(KeychainError) {
        signal(SIGPIPE, SIG_IGN)
        let desk: AgentDesk
        do throws(WaitFailure) { desk = try AgentDesk() } catch {
            throw KeychainError(.notAvailable, "the system gives no descriptor to wait with")
        }
        desk.endOnSignals()
        let service = DaemonSocket.systemService(.current())
        let feed = try service.questions()
        say("asks for the system's keychain daemon at \(service.path), until it is ended")
        guard desk.serve(feed) else { fail("the system's keychain daemon has ended the connection", 1) }
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

        Asks you for passcodes and passwords, when a program of yours needs one from the system's keychain daemon (llaverod
        --system), which asks nobody itself. A dialog shows which program it is. It asks with $PINENTRY, else with the pinentry
        in your PATH, on your display, or at the terminal it runs in the foreground of; without pinentry at the terminal itself.
        `systemctl --user enable --now llavero-prompt-agent` starts it with each of your sessions, `llavero prompt-agent` by hand.
        It runs until it is ended, or the daemon ends.
        """
}
