// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `security set-generic-password-partition-list`.
enum SetGenericPasswordPartitionList: SecurityVerb {
    static let name = "set-generic-password-partition-list"
    static let summary = "checks a password; partition lists have no effect here"
    static let usage = PartitionList.usage(like: FindGenericPassword.name)

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PartitionList.accept(for: .generic, words, session)
    }
}

/// `security set-internet-password-partition-list`.
enum SetInternetPasswordPartitionList: SecurityVerb {
    static let name = "set-internet-password-partition-list"
    static let summary = "checks a password; partition lists have no effect here"
    static let usage = PartitionList.usage(like: FindInternetPassword.name)

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PartitionList.accept(for: .internet, words, session)
    }
}

/// `security set-key-partition-list`.
enum SetKeyPartitionList: SecurityVerb {
    static let name = "set-key-partition-list"
    static let summary = "checks a password; partition lists have no effect here"
    static let usage = """
        [-S LIST] [-k PASSWORD | --password-fd N] [OPTION…] [KEYCHAIN]

        Only checks the password and that such keys exist: here the access group decides which programs may use a key, without a
        prompt. Scripts that need this subcommand on a Mac keep working.

          -S LIST            the partitions; accepted without effect
          -k PASSWORD        the keychain's password, which is checked
          --password-fd N    reads it from descriptor N
          -l LABEL, -a LABEL, -c CODE, -t public|private|symmetric, -d, -e, -r, -s, -u, -v, -w   which keys
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words,
            SecurityOptions.Allowed(
                letters: KeySearch.letters + "S:k:", valued: ["--password-fd"]))
        let keychain = try KeychainSearch.chosen(try options.operandIfAny("keychain"))
        try PartitionList.check(options, keychain, session)
        let keys = try KeySearch.all(try KeySearch.attributes(options), in: [keychain])
        guard !keys.isEmpty else { throw .notFound(KeySearch.call) }
        AccessLists.explainPartitions(session)
    }
}

/// The partition lists of a Mac's keys and passwords, which have no effect here.
enum PartitionList {
    /// The help of the subcommand for passwords; `find` is the one with the options that name the item.
    static func usage(like find: String) -> String {
        """
        [-S LIST] [-k PASSWORD | --password-fd N] [OPTION…] [KEYCHAIN]

        Only checks the password and that the item exists: here the access group decides which programs may use it, without a
        prompt. The options that name the item are those of \(find).

          -S LIST            the partitions; accepted without effect
          -k PASSWORD        the keychain's password, which is checked
          --password-fd N    reads it from descriptor N
        """
    }

    /// set-generic-password-partition-list and set-internet-password-partition-list.
    static func accept(
        for kind: PasswordKind, _ words: ArraySlice<String>, _ session: Session
    ) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: kind.letters + "S:k:", valued: ["--password-fd"]))
        let name = try options.operandIfAny("keychain")
        let attributes = try kind.attributes(options)
        try check(options, try KeychainSearch.chosen(name), session)
        _ = try ItemSearch.first(
            kind, attributes, in: try KeychainSearch.searched(name.map { [$0] } ?? [], session, forChange: true),
            returning: .attributes)
        AccessLists.explainPartitions(session)
    }

    /// Checks the given password of the keychain, so that a script with a wrong one fails.
    static func check(
        _ options: SecurityOptions, _ keychain: ToolKeychain, _ session: Session
    ) throws(SecurityFailure) {
        guard options.value("S") != nil else { throw .usage("-S is missing: the list") }
        let call = "SecKeychainItemSetAccessWithPassword"
        if let given = try GivenPasscode.read(options, "k", session) {
            try KeychainLock.verify(keychain, given, call: call)
        } else if try KeychainLock.state(of: keychain) != .noPasscode {
            let question = AskedSecret.unlocking(keychain.path, "The password of the keychain \(keychain.path).")
            try KeychainLock.verify(keychain, try .ask(question, call: call), call: call)
        }
    }
}

/// The application lists of a Mac's file keychains (decision D24).
enum AccessLists {
    /// Remarks that -A and -T have no effect.
    static func explain(_ options: SecurityOptions, _ session: Session) {
        guard options.has("A") || !options.all("T").isEmpty else { return }
        session.remark(
            """
            -A and -T have no effect: items have no list of applications here; the access group decides which programs may \
            use an item
            """)
    }

    /// Remarks that a partition list has no effect.
    static func explainPartitions(_ session: Session) {
        session.remark(
            """
            partition lists have no effect: the access group decides which programs may use an item, without a \
            prompt
            """)
    }
}
