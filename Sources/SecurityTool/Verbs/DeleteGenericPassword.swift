// SPDX-License-Identifier: Apache-2.0

/// `security delete-generic-password`.
enum DeleteGenericPassword: SecurityVerb {
    static let name = "delete-generic-password"
    static let summary = "deletes a generic password"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Deletes the first item that has all of these, and prints what it was. Without KEYCHAIN the keychains of the search list are looked through.

        \(PasswordKind.generic.usage)
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordDeletion.run(.generic, words, session)
    }
}
