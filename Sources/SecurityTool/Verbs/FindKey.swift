// SPDX-License-Identifier: Apache-2.0

/// `security find-key`.
enum FindKey: SecurityVerb {
    static let name = "find-key"
    static let summary = "finds keys"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Prints the keys that have all of these; never what they are. Without KEYCHAIN the keychains of the search list are looked
        through.

          -l LABEL     what it is called
          -a LABEL     the application label: the hash of the public key, in hexadecimal digits
          -c CODE      the creator, four letters
          -t KIND      public, private or symmetric
          -d -e -r -s -u -v -w   that can decrypt, encrypt, derive, sign, unwrap, verify, wrap
          -D -E -R -S -U -V -W   that cannot
          -j COMMENT   refused: keys have none here
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: KeySearch.letters + "DERSUVW"))
        let keys = try KeySearch.all(
            try KeySearch.attributes(options), in: try Keychains.searched(options.operands))
        guard !keys.isEmpty else { throw .notFound() }
        for key in keys { print(ItemText.text(key.item, in: key.keychain.path)) }
    }
}
