// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainTools

/// `llavero prompt-agent`.
enum PromptAgentVerb: Verb {
    static let name = "prompt-agent"
    static let summary = "asks you for passcodes that the system's daemon wants"
    static let help = """
        usage: llavero prompt-agent

        Runs the agent that asks you for passcodes and passwords, when a program of yours needs one from the system's keychain
        daemon (llaverod --system), which asks nobody itself. It asks on your display, or at this terminal as long as the agent is
        in its foreground, shows which program wants what, and runs until it is ended (Ctrl-C). In a desktop session
        `systemctl --user enable --now llavero-prompt-agent` starts it. Your own daemon needs none.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        try Options(words, help: help).requireNoOperands(name)
        guard let executable = Environment.current().executable, let end = executable.lastIndex(of: "/") else {
            throw .failure("where this program lies cannot be found out")
        }
        let folder = executable[..<end]
        let prefix = folder.lastIndex(of: "/").map { folder[..<$0] } ?? ""
        let places = ["\(folder)/llavero-prompt-agent", "\(prefix)/libexec/llavero/llavero-prompt-agent"]
        for place in places where unsafe access(place, X_OK) == 0 {
            var arguments = unsafe [strdup(place), nil]
            unsafe execv(place, &arguments)
            throw .failure("\(place) cannot be run (\(errno))")
        }
        throw .failure("there is no llavero-prompt-agent in \(places.joined(separator: " or "))")
    }
}
