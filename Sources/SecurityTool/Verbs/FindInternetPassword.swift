// SPDX-License-Identifier: Apache-2.0

/// `security find-internet-password`.
enum FindInternetPassword: SecurityVerb {
    static let name = "find-internet-password"
    static let summary = "finds an internet password"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Prints the first item that has all of these. Without KEYCHAIN the keychains of the search list are looked through.

        \(PasswordKind.internet.usage)
        \(PasswordFinding.usage)
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordFinding.run(.internet, words, session)
    }
}
