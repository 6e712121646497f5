// SPDX-License-Identifier: Apache-2.0

/// `security delete-generic-password`.
enum DeleteGenericPassword: SecurityVerb {
    static let name = "delete-generic-password"
    static let summary = "deletes a generic password"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Deletes the first item that has all of these, and prints what it was. Without KEYCHAIN the keychains of the search list are looked through.

          -a ACCOUNT   whose it is
          -s SERVICE   what it is for
          -l LABEL     what it is called
          -D KIND      what kind of item it is
          -j COMMENT   a comment
          -G VALUE     the generic attribute
          -c CODE      the creator, four letters
          -C CODE      the type, four letters
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordDeletion.run(.generic, words, session)
    }
}
