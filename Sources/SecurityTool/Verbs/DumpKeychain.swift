// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `security dump-keychain`.
enum DumpKeychain: SecurityVerb {
    static let name = "dump-keychain"
    static let summary = "prints the contents of keychains"
    static let usage = """
        [-d [-p PASSWORD | --password-fd N]] [--all] [KEYCHAIN…]

        Prints all items of keychains. Without KEYCHAIN it prints those of the search list.

          -d                 also prints passwords; first asks for the password of each keychain that has one
          --password-fd N    reads that from descriptor N to its end; one line feed at the end is dropped
          --all              also prints invisible items
          -a, -i             not supported: items have no lists of programs here
          -r                 not supported: the stored form is encrypted
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: "dairp:", words: ["--all"], valued: ["--password-fd"]))
        if options.has("a") || options.has("i") {
            throw .usage("-a and -i are not supported: items have no lists of programs here")
        }
        if options.has("r") { throw .usage("-r is not supported: the stored form is encrypted") }
        let wantsSecrets = options.has("d")
        let given = try GivenPasscode.read(options, "p", session)
        guard given == nil || wantsSecrets else { throw .usage("-p and --password-fd require -d") }
        var damaged = 0
        for keychain in try KeychainSearch.searched(options.operands, session) {
            if wantsSecrets { try authenticate(keychain, given) }
            for itemClass in [ItemClass.genericPassword, .internetPassword, .certificate, .key] {
                damaged += try dump(
                    itemClass, in: keychain, isComplete: options.has("--all"), wantsSecrets: wantsSecrets)
            }
        }
        guard damaged == 0 else {
            throw .failure("damaged items were left out (\(damaged)); `llavero check` shows details")
        }
    }

    /// Checks the keychain's password before all its contents are shown.
    private static func authenticate(_ keychain: ToolKeychain, _ given: GivenPasscode?) throws(SecurityFailure) {
        let call = "SecKeychainUnlock \(keychain.path)"
        guard try KeychainLock.state(of: keychain) != .noPasscode else { return }
        let question = AskedSecret.unlocking(
            keychain.path, "All passwords of the keychain \(keychain.path) are to be shown.")
        var password = given ?? .none
        if given == nil { password = try .ask(question, call: call) }
        try KeychainLock.verify(keychain, password, call: call)
        // An open one of a daemon's stays as it is; a locked one opens, as by the answer to any question for it.
        guard !keychain.hasDaemon || Unlocking.isLocked(keychain), case .passcode(let passcode) = password else {
            return
        }
        try SecurityFailure.translating(call) { () throws(CommandError) in
            _ = try keychain.perform(.unlock(passcode))
        }
    }

    /// How many items were left out because they cannot be read.
    private static func dump(
        _ itemClass: ItemClass, in keychain: ToolKeychain, isComplete: Bool, wantsSecrets: Bool
    ) throws(SecurityFailure) -> Int {
        let showsData = wantsSecrets && itemClass.isPassword
        // What a certificate is called is in its bytes, which are no secret.
        let needsData = showsData || itemClass == .certificate
        let pages = ItemPages(
            .all(of: .stored(itemClass), AttributeList()), returning: needsData ? [.attributes, .data] : .attributes,
            in: keychain, of: .programs)
        func nextPart() throws(SecurityFailure) -> [Found]? {
            try Unlocking.retrying(keychain, SecurityFailure.CallName.content) { () throws(CommandError) in
                try pages.next()
            }
        }
        var damaged = 0
        while let part = try nextPart() {
            for found in part {
                guard case .item(let item) = found else {
                    damaged += 1
                    continue
                }
                let isInvisible = item.attributes?[.isInvisible].map { $0 != .number(0) } ?? false
                guard !isInvisible || isComplete else { continue }
                try show(item, in: keychain, withData: showsData)
            }
        }
        return damaged
    }

    private static func show(
        _ item: FoundItem, in keychain: ToolKeychain, withData showsData: Bool
    ) throws(SecurityFailure) {
        print(ItemText.text(item, in: keychain.path))
        guard showsData else { return }
        print("data:")
        let secret = SecretText.quoted(item.secret ?? SecretValue(copying: []))
        try SecurityFailure.translating("write") { () throws(CommandError) in
            try SecretOutput.write(secret, to: STDOUT_FILENO, ending: "\n")
        }
    }
}
