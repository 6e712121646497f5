// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest
internal import KeychainTools

/// `llavero lock`.
enum LockVerb: Verb {
    static let name = "lock"
    static let summary = "locks the keychain"
    static let help = """
        usage: llavero lock [--keychain NAME]
               llavero lock --end-agent

        Makes the daemon wipe the keys that are only available while the keychain is unlocked. Without a daemon no program keeps the
        keychain unlocked for others.

          --keychain NAME   locks another keychain, by name or path
          --end-agent       ends the llaverod that `unlock` started: all its keychains are locked, and programs open them
                            themselves again
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        if options.has("--end-agent") {
            guard options.value("--keychain") == nil else {
                throw .usage("--end-agent cannot be used with --keychain: it locks every keychain")
            }
            options.tell(try Agent.end(of: ToolKeychain().host) ? "ended the agent" : "no agent runs")
            return
        }
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        try keychain.perform(.lock)
        if !keychain.hasDaemon {
            Tool.say(
                "no daemon serves the keychain; a program that unlocked it for itself has to lock it itself")
        } else {
            options.tell("locked the keychain \(keychain.shownName)")
        }
    }
}
