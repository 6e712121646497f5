// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// The partition lists of a Mac's keys and passwords, which come to nothing here.
enum PartitionList {
    /// The help of the subcommand for passwords; `find` is the one with the options that name the item.
    static func usage(like find: String) -> String {
        """
        [-S LIST] [-k PASSWORD | --password-fd N] [OPTION…] [KEYCHAIN]

        Does nothing but check the password and that the item is there: which programs may use it, its access group says here, and no
        program asks a person for it. The options that name the item are those of \(find).

          -S LIST            the partitions; accepted
          -k PASSWORD        the keychain's password, which is checked
          --password-fd N    reads it from descriptor N
        """
    }

    /// What set-generic-password-partition-list and set-internet-password-partition-list do.
    static func accept(
        for kind: PasswordKind, _ words: ArraySlice<String>, _ session: Session
    ) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: kind.letters + "S:k:", valued: ["--password-fd"]))
        let name = try options.operandIfAny("keychain")
        let attributes = try kind.attributes(options)
        try check(options, try Keychains.chosen(name), session)
        _ = try ItemSearch.first(
            kind, attributes, in: try Keychains.searched(name.map { [$0] } ?? []), returning: .attributes)
        AccessLists.explainPartitions(session)
    }

    /// Checks the password that is given for the keychain: a script that has a wrong one learns of it.
    static func check(
        _ options: SecurityOptions, _ keychain: ToolKeychain, _ session: Session
    ) throws(SecurityFailure) {
        guard options.value("S") != nil else { throw .usage("-S is missing: the list") }
        let call = "SecKeychainItemSetAccessWithPassword"
        if let given = try GivenPasscode.read(options, "k", session) {
            try KeychainLock.verify(keychain, given, call: call)
        } else if try KeychainLock.state(of: keychain) != .noPasscode {
            let words = "The password of the keychain \(keychain.path)."
            try KeychainLock.verify(keychain, try .ask(words, confirms: false, call: call), call: call)
        }
    }
}
