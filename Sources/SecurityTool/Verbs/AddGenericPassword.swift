// SPDX-License-Identifier: Apache-2.0

/// `security add-generic-password`.
enum AddGenericPassword: SecurityVerb {
    static let name = "add-generic-password"
    static let summary = "adds a generic password"
    static let usage = """
        [OPTION…] [KEYCHAIN]

        Adds a password for a service. Without KEYCHAIN it goes into the default keychain.

          -a ACCOUNT   whose it is
          -s SERVICE   what it is for
          -l LABEL     what it is called
          -D KIND      what kind of item it is
          -j COMMENT   a comment
          -G VALUE     the generic attribute
          -c CODE      the creator, four letters
          -C CODE      the type, four letters
          -w [VALUE]         the password; as the last word, without a value, it asks for it, twice
          --password-fd N    reads the password from descriptor N to its end; one line feed at the end does not count
          -X DIGITS          the password in hexadecimal digits
          -U                 changes the item that is there already, instead of failing
          -A, -T PROGRAM     accepted; items have no list of applications here
          -p VALUE           the same as -w, as it was once
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordAddition.run(.generic, words, session)
    }
}
