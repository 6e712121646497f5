// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// `security add-generic-password`.
enum AddGenericPassword: SecurityVerb {
    static let name = "add-generic-password"
    static let summary = "adds a generic password"
    static let usage = """
        [OPTION…] [KEYCHAIN]

        Adds a password for a service. Without KEYCHAIN it goes into the default keychain.

        \(PasswordKind.generic.usage)
        \(PasswordAddition.usage)
          -p VALUE           the same as -w, as it was once
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordAddition.run(.generic, words, session)
    }
}

/// `security add-internet-password`.
enum AddInternetPassword: SecurityVerb {
    static let name = "add-internet-password"
    static let summary = "adds an internet password"
    static let usage = """
        [OPTION…] [KEYCHAIN]

        Adds a password for a server. Without KEYCHAIN it goes into the default keychain.

        \(PasswordKind.internet.usage)
        \(PasswordAddition.usage)
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordAddition.run(.internet, words, session)
    }
}

/// What add-generic-password and add-internet-password do.
enum PasswordAddition {
    /// The lines of the help for what is beside the options that name the item.
    static let usage = """
          -w [VALUE]         the password; as the last word, without a value, it asks for it, twice
          --password-fd N    reads the password from descriptor N to its end; one line feed at the end does not count
          -X DIGITS          the password in hexadecimal digits
          -U                 changes the item that is there already, instead of failing
          -A, -T PROGRAM     accepted; items have no list of applications here
        """

    static func run(
        _ kind: PasswordKind, _ words: ArraySlice<String>, _ session: Session
    ) throws(SecurityFailure) {
        // Before -w and -X: there -p was what -w is now.
        let letters = kind.letters + (kind == .generic ? "p:" : "") + NewSecret.letters + "UAT:"
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: letters, repeated: ["T"], valued: NewSecret.valued))
        let name = try options.operandIfAny("keychain")
        var attributes = try kind.attributes(options)
        let keychain = try Keychains.target(name)
        AccessLists.explain(options, session)
        let secret = try NewSecret.read(options, session, older: kind == .generic ? "p" : nil)
        let own = attributes
        if attributes[.label] == nil, let name = attributes[kind.nameOfUnlabelled] { attributes[.label] = name }
        let request = AddRequest(
            itemClass: kind.itemClass, attributes: attributes, group: .everyGroupOfCaller,
            protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false,
            secret: secret ?? SecretValue(copying: []), returning: [], origin: .caller)
        do throws(SecurityFailure) {
            try Unlocking.retrying(keychain, SecurityFailure.Call.create) { () throws(CommandError) in
                _ = try keychain.add(request, of: .programs)
            }
        } catch {
            guard options.has("U"), case .status(.duplicateItem, _, _) = error else { throw error }
            try update(kind, own, secret, in: keychain)
        }
    }

    /// -U: what was given takes the place of what is there, and the rest stays.
    private static func update(
        _ kind: PasswordKind, _ attributes: AttributeList, _ secret: SecretValue?, in keychain: ToolKeychain
    ) throws(SecurityFailure) {
        var unique = AttributeList()
        for part in ItemIdentity.parts(of: kind.itemClass) {
            unique[part.attribute] = attributes[part.attribute] ?? part.absent
        }
        // In the group that the Add was for: the same item of another may be there too.
        let found = try ItemSearch.first(
            kind, unique, in: [keychain], returning: .attributes, group: .named(AccessGroup.open.name))
        guard !found.isNegative else {
            throw .status(
                .duplicateItem, call: SecurityFailure.Call.modify,
                why: "the item says that no password is to be kept for it; delete it first, if that is wrong")
        }
        var changed = AttributeList()
        for entry in attributes.entries where !unique.contains(entry.attribute) {
            changed[entry.attribute] = entry.value
        }
        let changes = ItemChanges(
            attributes: changed, group: nil, accessControl: nil, isSynchronizable: nil, secret: secret)
        let request = UpdateRequest(predicate: found.predicate, changes: changes, tombstones: .whenSynchronizable)
        try Unlocking.retrying(keychain, SecurityFailure.Call.modify) { () throws(CommandError) in
            try keychain.update(request, of: .programs)
        }
    }
}

/// The password that a subcommand is given for an item.
enum NewSecret {
    /// The options by which it is given.
    static let letters = "w?X:"
    static let valued = ["--password-fd"]

    /// nil where none was given; `older` is another letter for -w.
    static func read(
        _ options: SecurityOptions, _ session: Session, older: String? = nil
    ) throws(SecurityFailure) -> SecretValue? {
        let old = older.flatMap { options.value($0) }
        let ways = [
            options.value("w") != nil || options.has("w"), options.value("X") != nil,
            options.value("--password-fd") != nil, old != nil,
        ]
        guard ways.count(where: { $0 }) <= 1 else { throw .usage("one password at a time: -w, -X or --password-fd") }
        if let descriptor = try options.number("--password-fd", in: 0...Int32.max, "the number of a descriptor") {
            return try SecurityFailure.translating("read") { () throws(CommandError) in
                try SecretInput.all(from: descriptor, line: true)
            }
        }
        if let digits = options.value("X") {
            guard let bytes = BlobText.bytes(digits) else { throw .usage("-X wants hexadecimal digits") }
            warn(session, "-X")
            return SecretValue(copying: bytes)
        }
        if let text = options.value("w") ?? old {
            warn(session, old == nil ? "-w" : "-p")
            return SecretValue(copying: Array(text.utf8))
        }
        guard options.has("w") else { return nil }
        return try ask("The password of the new item.", confirms: true)
    }

    /// Asks the person for something, at the terminal or the display.
    static func ask(_ words: String, confirms: Bool) throws(SecurityFailure) -> SecretValue {
        let advice = "--password-fd N reads it from a descriptor"
        do throws(CommandError) {
            return try SecretInput.ask(words, prompt: "Password:", confirms: confirms, otherwise: advice)
        } catch {
            throw .status(.interactionNotAllowed, call: "SecKeychainItemCreateFromContent", why: error.description)
        }
    }

    private static func warn(_ session: Session, _ option: String) {
        guard session.isOnCommandLine else { return }
        session.remark(
            """
            a password after \(option) is seen by every program of this machine while this runs; -w as the last word \
            asks for it, --password-fd N reads it from a descriptor
            """)
    }
}
