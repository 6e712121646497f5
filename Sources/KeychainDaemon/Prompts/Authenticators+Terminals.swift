// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthentication
internal import KeychainConnection
package import KeychainEngine
internal import KeychainIdentity
internal import KeychainRequest

extension Authenticators {
    /// Asks the person at the program's terminal; for a user's own daemon.
    ///
    /// The display and the language are what the program says; the terminal is what the kernel says is the program's, and
    /// only while it is in its foreground. What chooses a program, a library or a file of settings is the daemon's own.
    package static func atSeats(_ own: PromptEnvironment) -> Authenticators {
        Authenticators(
            prompt: { client in
                guard let client else { return NoPrompt() }
                return SystemPrompt(
                    own.with(
                        client.variables.map { ($0.name, $0.value) }, named: ClientTerminal.names,
                        terminal: client.terminal))
            },
            reader: { client in
                FprintdReader { notice in
                    guard let terminal = client?.terminal else { return }
                    TerminalNotice.tell(notice, on: terminal)
                }
            }, screen: { $0?.screen ?? "" })
    }

    /// Has each user's questions asked by an agent of that user's; for the system's daemon.
    ///
    /// It starts no program, and opens no terminal. It reads no fingers: fprintd would look for those of the
    /// user that the daemon runs as.
    package static func throughAgents(_ agents: PromptAgents) -> Authenticators {
        Authenticators(
            prompt: { AgentPrompt(agents: agents, asker: $0?.asker) }, reader: { _ in NoFingerprintReader() },
            screen: { $0?.asker.map { "\($0.user)" } ?? "" })
    }
}

extension ClientTerminal {
    /// The display that a dialog would be on, else the terminal; of each user another.
    fileprivate var screen: String {
        let display = variables.first { $0.name == "WAYLAND_DISPLAY" } ?? variables.first { $0.name == "DISPLAY" }
        return "\(asker?.user ?? 0) \(display?.value ?? terminal ?? "")"
    }

    fileprivate var terminal: String? {
        asker.flatMap { PeerTerminal.inForeground(of: $0.process, user: $0.user) }
    }
}
