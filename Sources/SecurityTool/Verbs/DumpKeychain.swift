// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `security dump-keychain`.
enum DumpKeychain: SecurityVerb {
    static let name = "dump-keychain"
    static let summary = "prints what is in keychains"
    static let usage = """
        [-d [-p PASSWORD | --password-fd N]] [--all] [KEYCHAIN…]

        Prints all items of keychains. Without KEYCHAIN it is the search list's.

          -d                 prints passwords too; the password of each keychain that has one is asked for first
          --password-fd N    reads that from descriptor N to its end; one line feed at the end does not count
          --all              prints the items too that want to be seen by no one
          -a, -i             refused: items have no lists of programs here
          -r                 refused: what is stored can be read by nobody in its raw form
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: "dairp:", words: ["--all"], valued: ["--password-fd"]))
        if options.has("a") || options.has("i") { throw .usage("-a and -i: items have no lists of programs here") }
        if options.has("r") { throw .usage("-r: what is stored can be read by nobody in its raw form") }
        let wantsSecrets = options.has("d")
        let given = try GivenPasscode.read(options, "p", session)
        guard given == nil || wantsSecrets else { throw .usage("a password is for -d alone") }
        var damaged = 0
        for keychain in try Keychains.searched(options.operands) {
            if wantsSecrets { try authenticate(keychain, given) }
            for itemClass in [ItemClass.genericPassword, .internetPassword, .certificate, .key] {
                damaged += try dump(
                    itemClass, in: keychain, isComplete: options.has("--all"), wantsSecrets: wantsSecrets)
            }
        }
        guard damaged == 0 else {
            throw .failure("items that are damaged were left out (\(damaged)); `llavero check` says more")
        }
    }

    /// Everything is about to be shown: whoever asks for that has to show that the keychain is theirs.
    private static func authenticate(_ keychain: ToolKeychain, _ given: GivenPasscode?) throws(SecurityFailure) {
        let call = "SecKeychainUnlock \(keychain.path)"
        guard try KeychainLock.state(of: keychain) != .noPasscode else { return }
        let words = "All passwords of the keychain \(keychain.path) are to be shown."
        var password = given ?? .none
        if given == nil { password = try .ask(words, confirms: false, call: call) }
        try KeychainLock.verify(keychain, password, call: call)
        guard !keychain.hasDaemon, case .passcode(let passcode) = password else { return }
        try SecurityFailure.translating(call) { () throws(CommandError) in
            _ = try keychain.perform(.unlock(passcode))
        }
    }

    /// How many were left out because they cannot be read.
    private static func dump(
        _ itemClass: ItemClass, in keychain: ToolKeychain, isComplete: Bool, wantsSecrets: Bool
    ) throws(SecurityFailure) -> Int {
        let showsData = wantsSecrets && itemClass.isPassword
        let request = MatchRequest(
            predicate: .all(of: .stored(itemClass), AttributeList()),
            returning: showsData ? [.attributes, .data] : .attributes, limit: .all)
        let found = try Unlocking.retrying(keychain, SecurityFailure.Call.content) { () throws(CommandError) in
            try keychain.matchWithDamaged(request, of: .programs)
        }
        var damaged = 0
        for found in found {
            guard case .item(let item) = found else {
                damaged += 1
                continue
            }
            let isInvisible = item.attributes?[.isInvisible].map { $0 != .number(0) } ?? false
            guard !isInvisible || isComplete else { continue }
            print(ItemText.text(item, in: keychain.path))
            guard showsData else { continue }
            print("data:")
            let secret = SecretText.quoted(item.secret ?? SecretValue(copying: []))
            try SecurityFailure.translating("write") { () throws(CommandError) in
                try SecretOutput.write(secret, to: STDOUT_FILENO, ending: "\n")
            }
        }
        return damaged
    }
}
