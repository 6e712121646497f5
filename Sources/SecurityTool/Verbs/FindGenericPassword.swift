// SPDX-License-Identifier: Apache-2.0

/// `security find-generic-password`.
enum FindGenericPassword: SecurityVerb {
    static let name = "find-generic-password"
    static let summary = "finds a generic password"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Prints the first item that has all of these. Without KEYCHAIN the keychains of the search list are looked through.

          -a ACCOUNT   whose it is
          -s SERVICE   what it is for
          -l LABEL     what it is called
          -D KIND      what kind of item it is
          -j COMMENT   a comment
          -G VALUE     the generic attribute
          -c CODE      the creator, four letters
          -C CODE      the type, four letters
          -g           prints the password too, on standard error
          -w           prints the password alone, and a line feed; in hexadecimal digits unless all of it can be printed
          --raw        writes the password's bytes as they are, and nothing else
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordFinding.run(.generic, words, session)
    }
}
