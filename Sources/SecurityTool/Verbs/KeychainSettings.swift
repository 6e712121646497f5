// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest
internal import KeychainTools

/// `security set-keychain-settings`.
enum SetKeychainSettings: SecurityVerb {
    static let name = "set-keychain-settings"
    static let summary = "sets when a keychain locks automatically"
    static let usage = """
        [-l] [-u] [-t SECONDS] [KEYCHAIN]

        Sets when a keychain, the default one if none is named, locks automatically. Options that are not given are off.

          -l           when the machine sleeps, and with its user's session
          -u           after a time without a call: 300 seconds, unless -t is given
          -t SECONDS   after this time without a call; 0 for never
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "lut:"))
        let keychain = try KeychainSearch.chosen(try options.operandIfAny("keychain"))
        let seconds = try options.number("t", in: 0...UInt32.max, "a number of seconds")
        let timeout = seconds ?? (options.has("u") ? 300 : 0)
        let settings = KeychainSettings(locksWithSession: options.has("l"), timeout: timeout == 0 ? nil : timeout)
        try SecurityFailure.translating("SecKeychainSetSettings \(keychain.path)") { () throws(CommandError) in
            _ = try keychain.perform(.change(settings))
        }
    }
}

/// `security show-keychain-info`.
enum ShowKeychainInfo: SecurityVerb {
    static let name = "show-keychain-info"
    static let summary = "shows when a keychain locks automatically"
    static let usage = """
        [KEYCHAIN]

        Prints on standard error when a keychain, the default one if none is named, locks automatically. A locked one is asked for, or the
        exit code is 36, as on a Mac.
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: ""))
        let keychain = try KeychainSearch.chosen(try options.operandIfAny("keychain"))
        // Scripts ask by it whether a keychain is locked: a Mac reads the settings with its keys.
        let settings = try Unlocking.retrying(
            keychain, "SecKeychainCopySettings \(keychain.path)"
        ) { () throws(CommandError) in
            try Unlocking.requireOpen(keychain)
            return try keychain.settings()
        }
        let sleep = settings.locksWithSession ? " lock-on-sleep" : ""
        let timeout = settings.timeout.map { "timeout=\($0)s" } ?? "no-timeout"
        session.answer("Keychain \"\(keychain.path)\"\(sleep) \(timeout)")
    }
}
