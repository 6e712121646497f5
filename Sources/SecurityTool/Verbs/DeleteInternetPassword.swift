// SPDX-License-Identifier: Apache-2.0

/// `security delete-internet-password`.
enum DeleteInternetPassword: SecurityVerb {
    static let name = "delete-internet-password"
    static let summary = "deletes an internet password"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Deletes the first item that has all of these, and prints what it was. Without KEYCHAIN the keychains of the search list are looked through.

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
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordDeletion.run(.internet, words, session)
    }
}
