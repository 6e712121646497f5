// SPDX-License-Identifier: Apache-2.0

/// `security add-internet-password`.
enum AddInternetPassword: SecurityVerb {
    static let name = "add-internet-password"
    static let summary = "adds an internet password"
    static let usage = """
        [OPTION…] [KEYCHAIN]

        Adds a password for a server. Without KEYCHAIN it goes into the default keychain.

        \(PasswordKind.internet.usage)
        \(PasswordAddition.usage)
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordAddition.run(.internet, words, session)
    }
}
