// SPDX-License-Identifier: Apache-2.0

/// `security delete-internet-password`.
enum DeleteInternetPassword: SecurityVerb {
    static let name = "delete-internet-password"
    static let summary = "deletes an internet password"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Deletes the first item that has all of these, and prints what it was. Without KEYCHAIN the keychains of the search list are looked through.

        \(PasswordKind.internet.usage)
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordDeletion.run(.internet, words, session)
    }
}
