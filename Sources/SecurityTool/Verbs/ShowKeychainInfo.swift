// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest
internal import KeychainTools

/// `security show-keychain-info`.
enum ShowKeychainInfo: SecurityVerb {
    static let name = "show-keychain-info"
    static let summary = "says when a keychain locks by itself"
    static let usage = """
        [KEYCHAIN]

        Prints on standard error when a keychain, the default one if none is named, locks by itself.
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: ""))
        let keychain = try Keychains.chosen(try options.operandIfAny("keychain"))
        let settings = try SecurityFailure.translating(
            "SecKeychainCopySettings \(keychain.path)"
        ) { () throws(CommandError) in try keychain.settings() }
        let sleep = settings.locksWithSession ? " lock-on-sleep" : ""
        let timeout = settings.timeout.map { "timeout=\($0)s" } ?? "no-timeout"
        session.answer("Keychain \"\(keychain.path)\"\(sleep) \(timeout)")
    }
}
