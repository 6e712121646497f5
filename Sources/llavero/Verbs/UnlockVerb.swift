// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero unlock`.
enum UnlockVerb: Verb {
    static let name = "unlock"
    static let summary = "unlocks the keychain for your programs"
    static let help = """
        usage: llavero unlock [--keychain NAME] [--fd N] [--no-agent]

        Asks for the passcode, and has the daemon unlock the keychain. Where no daemon runs, llaverod is started for you, in
        the background, and keeps the keychain unlocked between commands.

          --keychain NAME   unlocks another keychain, by its name or its path
          --fd N            reads the passcode from descriptor N to its end; one line feed at the end does not count
          --no-agent        starts no daemon
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let descriptor = try PasscodeInput.descriptor(options, "--fd")
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        let agent = try keychain.hasDaemon ? nil : agent(for: keychain, options)
        let standing = try keychain.standing()
        // A daemon that has the keychain and was gone is there again by now.
        let isMended = agent != nil && keychain.hasDaemon
        if isMended, standing.lockState == .noPasscode { return }
        try refuseInVain(standing)
        if keychain.hasDaemon, descriptor == nil, standing.lockState == .unlocked {
            Tool.say("the keychain is unlocked already")
            return
        }
        let passcode = try PasscodeInput.passcode(descriptor, "The keychain is to be unlocked.")
        if let agent, !isMended { try agent.start() }
        try keychain.perform(.unlock(passcode))
        // Not before: with a wrong passcode nothing is kept unlocked.
        if agent != nil, !isMended { Tool.say("started llaverod, which keeps the keychain unlocked") }
    }

    private static func agent(for keychain: ToolKeychain, _ options: Options) throws(CommandError) -> Agent {
        guard !options.has("--no-agent") else {
            throw .failure("no daemon has the keychain, so with --no-agent an unlock would end with this command")
        }
        return try Agent(for: keychain.host)
    }

    /// Before anybody is asked.
    private static func refuseInVain(_ standing: KeychainStanding) throws(CommandError) {
        if standing.lockState == .noPasscode { throw .failure("the keychain has no passcode, and is never locked") }
        if standing.attempts.wait > 0 {
            throw .failure("too many wrong passcodes: try again in \(standing.attempts.wait) seconds")
        }
    }
}
