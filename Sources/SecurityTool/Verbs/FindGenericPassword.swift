// SPDX-License-Identifier: Apache-2.0

/// `security find-generic-password`.
enum FindGenericPassword: SecurityVerb {
    static let name = "find-generic-password"
    static let summary = "finds a generic password"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Prints the first item that has all of these. Without KEYCHAIN the keychains of the search list are looked through.

        \(PasswordKind.generic.usage)
        \(PasswordFinding.usage)
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordFinding.run(.generic, words, session)
    }
}
