// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainTools

/// `llavero prompt-agent`.
enum PromptAgentVerb: Verb {
    static let name = "prompt-agent"
    static let summary = "asks you for passcodes on behalf of the system's daemon"
    static let help = """
        usage: llavero prompt-agent

        Runs the agent that asks you for passcodes and passwords when one of your programs needs them from the system's keychain
        daemon (llaverod --system), which shows no prompts itself. The agent asks on your display, or on this terminal while it runs
        in its foreground, names the program and its request, and runs until you stop it (Ctrl-C). In a desktop session
        `systemctl --user enable --now llavero-prompt-agent` starts it. Your own daemon does not need it.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        try Options(words, help: help).requireNoOperands(name)
        guard let executable = Environment.current().executable, let end = executable.lastIndex(of: "/") else {
            throw .failure("the folder of this program cannot be determined")
        }
        let folder = executable[..<end]
        let prefix = folder.lastIndex(of: "/").map { folder[..<$0] } ?? ""
        let places = ["\(folder)/llavero-prompt-agent", "\(prefix)/libexec/llavero/llavero-prompt-agent"]
        for place in places where unsafe access(place, X_OK) == 0 {
            var arguments = unsafe [strdup(place), nil]
            unsafe execv(place, &arguments)
            throw .failure("\(place) cannot be run (\(errno))")
        }
        throw .failure("llavero-prompt-agent was not found as \(places.joined(separator: " or "))")
    }
}
