// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// `llavero completion`.
enum CompletionVerb: Verb {
    static let name = "completion"
    static let summary = "prints the completion script for a shell"
    static let help = """
        usage: llavero completion bash | zsh | fish

        Prints a completion script for the shell: verbs, options, and the names of your items.

        bash: source <(llavero completion bash), in ~/.bashrc.
        zsh: source <(llavero completion zsh), in ~/.zshrc behind compinit.
        fish: llavero completion fish | source, in ~/.config/fish/config.fish.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let shell = try Options(words, help: help).operand("SHELL")
        guard let completion = ShellCompletion(rawValue: shell) else {
            throw .usage("the shell has to be bash, zsh or fish")
        }
        print(completion.script, terminator: "")
    }
}
