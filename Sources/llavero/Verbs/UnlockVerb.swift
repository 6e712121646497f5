// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero unlock`.
enum UnlockVerb: Verb {
    static let name = "unlock"
    static let summary = "unlocks the keychain for your programs"
    static let help = """
        usage: llavero unlock [--keychain NAME] [--fd N | --stdin] [--for TIME] [--if-locked] [--no-agent]

        Asks for the passcode, with three attempts, and makes the daemon unlock the keychain. If no daemon runs, llaverod is started
        for you in the background, and keeps the keychain unlocked between commands until it is locked: by `llavero lock`, when
        your session is locked or your last one ends, or as `llavero settings` says.

          --keychain NAME   unlocks another keychain, by name or path
          --for TIME        locks it again after that time, even if it is in use, or as `llavero settings` says before that:
                            seconds, or such as 15m, 1h30m
          --if-locked       does nothing where it is unlocked already: with --for in scripts, which would end an unlock for longer
          --fd N            reads the passcode from descriptor N to its end; one line feed at the end is dropped
          --stdin           reads it from standard input, in the same way
          --no-agent        starts no daemon
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        guard options.operands.isEmpty else {
            throw .usage(
                "a passcode is asked for, or read by --stdin or --fd, for every program can read a command line, and a shell keeps it in its history; a keychain is named by --keychain"
            )
        }
        let descriptor = try PasscodeInput.descriptorOrInput(options)
        let seconds = try options.time("--for")
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        let agent = try keychain.hasDaemon ? nil : agent(for: keychain, options)
        let state = try keychain.state()
        // By now a daemon that was gone has been restarted.
        let isMended = agent != nil && keychain.hasDaemon
        if isMended, state.lockState == .noPasscode { return }
        // Nobody has to unlock it.
        if state.lockState == .noPasscode, options.has("--if-locked") { return }
        try refuseInVain(state)
        let isAsked = descriptor != nil || seconds != nil
        if keychain.hasDaemon, state.lockState == .unlocked, !isAsked || options.has("--if-locked") {
            options.tell("the keychain is already unlocked")
            return
        }
        var isStarted = agent == nil || isMended
        try PasscodeInput.using(descriptor, "The keychain is to be unlocked.") { (passcode) throws(CommandError) in
            if let agent, !isStarted {
                // One that keeps nothing unlocked would only have the keychain, and refuse it to what gives its passcode itself.
                _ = try keychain.perform(.verify(passcode))
                try agent.start()
            }
            isStarted = true
            _ = try keychain.perform(.unlock(passcode, lockingAfter: seconds ?? 0))
        }
        // Not earlier: a wrong passcode must not count as unlocked.
        let span = seconds.map { " for \(TimeSpan.words($0))" } ?? ""
        let keeper = agent != nil && !isMended ? "; started llaverod, which keeps it unlocked" : ""
        options.tell("unlocked the keychain \(keychain.shownName)\(span)\(keeper)")
        guard !options.has("--quiet") else { return }
        if seconds != nil, agent == nil, state.lockState == .unlocked {
            Tool.say("it was unlocked already, for longer or for good, and locks then; --if-locked would leave it")
        }
        keychain.tellOfEarlierEnd(seconds)
    }

    private static func agent(for keychain: ToolKeychain, _ options: Options) throws(CommandError) -> Agent {
        guard !options.has("--no-agent") else {
            throw .failure("no daemon serves the keychain, so with --no-agent the unlock would end with this command")
        }
        return try Agent(for: keychain.host.owner)
    }

    /// Checked before any prompt.
    private static func refuseInVain(_ state: KeychainState) throws(CommandError) {
        if state.lockState == .noPasscode { throw .failure("the keychain has no passcode, so it is never locked") }
        if state.attempts.wait > 0 {
            throw .failure("too many wrong passcodes: try again in \(state.attempts.wait) seconds")
        }
    }
}

extension ToolKeychain {
    /// What locks it, now that it is unlocked, before its time, or before anybody says so.
    func tellOfEarlierEnd(_ seconds: UInt32? = nil) {
        guard let settings = try? settings() else { return }
        var ways: [String] = []
        if let timeout = settings.timeout, timeout < seconds ?? .max {
            ways.append("after \(TimeSpan.words(timeout)) without a call")
        }
        // At a desktop people expect it; over ssh a job that goes on needs it open.
        if settings.locksWithSession, unsafe getenv("SSH_CONNECTION") != nil {
            ways.append("when your last session ends")
        }
        guard !ways.isEmpty else { return }
        let before = seconds == nil ? "" : " before that"
        Tool.say("it locks\(before) \(ways.joined(separator: ", and ")): `llavero settings` has that")
    }
}
