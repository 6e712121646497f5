// SPDX-License-Identifier: Apache-2.0

/// `security set-key-partition-list`.
enum SetKeyPartitionList: SecurityVerb {
    static let name = "set-key-partition-list"
    static let summary = "accepts a partition list for keys"
    static let usage = """
        [-S LIST] [-k PASSWORD | --password-fd N] [OPTION…] [KEYCHAIN]

        Does nothing but check the password and that there are keys: which programs may use a key, its access group says here, and
        no program asks a person for it. So the scripts that need this on a Mac go on.

          -S LIST            the partitions; accepted
          -k PASSWORD        the keychain's password, which is checked
          --password-fd N    reads it from descriptor N
          -l LABEL, -a LABEL, -c CODE, -t public|private|symmetric, -d, -e, -r, -s, -u, -v, -w   which keys
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words,
            SecurityOptions.Allowed(
                letters: KeySearch.letters + "S:k:", valued: ["--password-fd"]))
        let keychain = try Keychains.chosen(try options.operandIfAny("keychain"))
        try PartitionList.check(options, keychain, session)
        let keys = try KeySearch.all(try KeySearch.attributes(options), in: [keychain])
        guard !keys.isEmpty else { throw .notFound() }
        AccessLists.explainPartitions(session)
    }
}
