// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

/// `security set-internet-password-partition-list`.
enum SetInternetPasswordPartitionList: SecurityVerb {
    static let name = "set-internet-password-partition-list"
    static let summary = "accepts a partition list for an internet password"
    static let usage = """
        [-S LIST] [-k PASSWORD | --password-fd N] [OPTION…] [KEYCHAIN]

        Does nothing but check the password and that the item is there: which programs may use it, its access group says here, and no
        program asks a person for it. The options that name the item are those of find-internet-password.

          -S LIST            the partitions; accepted
          -k PASSWORD        the keychain's password, which is checked
          --password-fd N    reads it from descriptor N
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let kind = PasswordKind.internet
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: kind.letters + "S:k:", valued: ["--password-fd"]))
        let name = try options.operandIfAny("keychain")
        let attributes = try kind.attributes(options)
        try PartitionList.check(options, try Keychains.chosen(name), session)
        _ = try ItemSearch.first(
            kind, attributes, in: try Keychains.searched(name.map { [$0] } ?? []), returning: .attributes)
        AccessLists.explainPartitions(session)
    }
}
