// SPDX-License-Identifier: Apache-2.0

/// `security add-internet-password`.
enum AddInternetPassword: SecurityVerb {
    static let name = "add-internet-password"
    static let summary = "adds an internet password"
    static let usage = """
        [OPTION…] [KEYCHAIN]

        Adds a password for a server. Without KEYCHAIN it goes into the default keychain.

          -a ACCOUNT   whose it is
          -s SERVER    where it is used
          -r CODE      the protocol, four letters: http, htps, ssh, imap
          -p PATH      the path there
          -P PORT      the port
          -t CODE      the kind of authentication, four letters: dflt, http, httd, form
          -d DOMAIN    the security domain
          -l LABEL     what it is called
          -D KIND      what kind of item it is
          -j COMMENT   a comment
          -c CODE      the creator, four letters
          -C CODE      the type, four letters
          -w [VALUE]         the password; as the last word, without a value, it asks for it, twice
          --password-fd N    reads the password from descriptor N to its end; one line feed at the end does not count
          -X DIGITS          the password in hexadecimal digits
          -U                 changes the item that is there already, instead of failing
          -A, -T PROGRAM     accepted; items have no list of applications here
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordAddition.run(.internet, words, session)
    }
}
