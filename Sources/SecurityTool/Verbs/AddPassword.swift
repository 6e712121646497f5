// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainSystem
internal import KeychainTools

/// `security add-generic-password`.
enum AddGenericPassword: SecurityVerb {
    static let name = "add-generic-password"
    static let summary = "adds a generic password"
    static let usage = """
        -a ACCOUNT -s SERVICE [OPTION…] [KEYCHAIN]

        Adds a password for a service. Without KEYCHAIN it goes into the default keychain.

        \(PasswordKind.generic.usageOfNew)
        \(PasswordAddition.usage)
          -p VALUE           the same as -w (obsolete)
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
        -a ACCOUNT -s SERVER [OPTION…] [KEYCHAIN]

        Adds a password for a server. Without KEYCHAIN it goes into the default keychain.

        \(PasswordKind.internet.usageOfNew)
        \(PasswordAddition.usage)
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordAddition.run(.internet, words, session)
    }
}

/// add-generic-password and add-internet-password.
enum PasswordAddition {
    /// The help for the options besides those that name the item.
    static let usage = """
          -w [VALUE]         the password; as the last word, without a value, asks for it, twice
          --password-fd N    reads the password from descriptor N to its end; one line feed at the end is dropped
          -X DIGITS          the password in hexadecimal digits
          -U                 changes the item that find-… gives for the same words, if there is one
          -A, -T PROGRAM     accepted without effect; items have no list of applications here
        """

    static func run(
        _ kind: PasswordKind, _ words: ArraySlice<String>, _ session: Session
    ) throws(SecurityFailure) {
        // Before -w and -X existed, -p gave the password.
        let letters = kind.letters + (kind == .generic ? "p:" : "") + NewSecret.letters + "UAT:"
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: letters, repeated: ["T"], valued: NewSecret.valued))
        let name = try options.operandIfAny("keychain")
        for letter in ["a", "s"] where options.value(letter) == nil { throw .usage("-\(letter) is missing") }
        var attributes = try kind.attributes(options)
        let keychain = try KeychainSearch.target(name)
        AccessLists.explain(options, session)
        let secret = try NewSecret.read(options, session, older: kind == .generic ? "p" : nil)
        let call = SecurityFailure.CallName.create(kind, in: name)
        let identity = ItemIdentity.parts(of: kind.itemClass)
        if options.has("U") {
            // What Find gives for the same words, with all keychains open, is what they mean, whoever keeps it.
            var named = AttributeList()
            for part in identity { named[part.attribute] = attributes[part.attribute] }
            var keychains = name == nil ? try KeychainSearch.searched([], session, forChange: true) : []
            if !keychains.contains(where: { $0.place == keychain.place }) { keychains.append(keychain) }
            // A locked one that has it is not passed over: what comes behind it is another item.
            let found = try ItemSearch.firstIfAny(kind, named, in: keychains, returning: .attributes, call: call)
            if let found { return try update(found, attributes, secret) }
        }
        // The keychain has an Add refused only for an item of the same group: Find would go on giving the other one.
        var own = AttributeList()
        for part in identity { own[part.attribute] = attributes[part.attribute] ?? part.absent }
        if let found = try ItemSearch.firstIfAny(kind, own, in: [keychain], returning: .attributes, call: call) {
            // Another process was faster.
            if options.has("U") { return try update(found, attributes, secret) }
            throw .status(.duplicateItem, call: call, why: nil)
        }
        // Who meant that one would go on getting its old password from `llavero`, and from git.
        if kind == .generic, let namesake = ItemSearch.withURL(attributes, in: [keychain]) {
            session.warn(
                "this is another item than \(namesake.shownName) that `llavero` keeps with a URL: that is an internet password, which `llavero edit` changes and `\(namesake.finding)` finds"
            )
        }
        if attributes[.label] == nil, let name = attributes[kind.nameOfUnlabelled] { attributes[.label] = name }
        let request = AddRequest(
            itemClass: kind.itemClass, attributes: attributes, group: .everyGroupOfCaller,
            protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false,
            secret: secret ?? SecretValue(copying: []), returning: [], origin: .caller)
        do throws(SecurityFailure) {
            try Unlocking.retrying(keychain, call) { () throws(CommandError) in
                _ = try keychain.add(request, of: .programs)
            }
        } catch {
            // So it was here.
            guard options.has("U"), case .status(.duplicateItem, _, _) = error,
                let found = try ItemSearch.firstIfAny(kind, own, in: [keychain], returning: .attributes, call: call)
            else { throw error }
            try update(found, attributes, secret)
        }
    }

    /// -U: the given attributes replace those of the item, and the rest stays.
    private static func update(
        _ found: PlacedItem, _ attributes: AttributeList, _ secret: SecretValue?
    ) throws(SecurityFailure) {
        guard !found.isNegative else {
            throw .status(
                .duplicateItem, call: SecurityFailure.CallName.modify,
                why:
                    "the existing item is negative: it records that no password is to be stored; delete it first, if that is wrong"
            )
        }
        let identity = ItemIdentity.parts(of: found.item.itemClass).map(\.attribute)
        var changed = AttributeList()
        for entry in attributes.entries where !identity.contains(entry.attribute) {
            changed[entry.attribute] = entry.value
        }
        let changes = ItemChanges(
            attributes: changed, group: nil, accessControl: nil, isSynchronizable: nil, secret: secret)
        let request = UpdateRequest(predicate: found.predicate, changes: changes, tombstones: .whenSynchronizable)
        try Unlocking.retrying(found.keychain, SecurityFailure.CallName.modify) { () throws(CommandError) in
            try found.keychain.update(request, of: .programs)
        }
    }
}

/// The password for an item on the command line of a subcommand.
enum NewSecret {
    /// The options that give it.
    static let letters = "w?X:"
    static let valued = ["--password-fd"]

    /// nil if none was given; `older` is another letter for -w.
    static func read(
        _ options: SecurityOptions, _ session: Session, older: String? = nil
    ) throws(SecurityFailure) -> SecretValue? {
        let old = older.flatMap { options.value($0) }
        let ways = [
            options.value("w") != nil || options.has("w"), options.value("X") != nil,
            options.value("--password-fd") != nil, old != nil,
        ]
        guard ways.count(where: { $0 }) <= 1 else { throw .usage("only one of -w, -X and --password-fd can be used") }
        if let descriptor = try options.descriptor("--password-fd") {
            return try SecurityFailure.translating("read") { () throws(CommandError) in
                try SecretInput.all(from: descriptor, line: true)
            }
        }
        if let digits = options.value("X") {
            guard let secret = secret(inDigits: digits) else { throw .usage("-X requires hexadecimal digits") }
            warn(session, "-X")
            return secret
        }
        if let text = options.value("w") ?? old {
            warn(session, old == nil ? "-w" : "-p")
            // As on a Mac; but who named a keychain there meant to be asked.
            if options.operands.isEmpty, let place = try? KeychainSearch.place(text), (try? place.exists) ?? false {
                session.remark(
                    """
                    the password is the word after -w, which is the name of a keychain, too, and the item is for the usual one; \
                    `--password-fd 0 KEYCHAIN` reads a password for another
                    """)
            }
            return SecretValue(copying: Array(text.utf8))
        }
        guard options.has("w") else { return nil }
        return try AskedSecret.newItem.ask(call: "SecKeychainItemCreateFromContent")
    }

    private static func secret(inDigits text: String) -> SecretValue? {
        let digits = SecretValue(copying: Array(text.utf8))
        var isWhole = false
        let secret = unsafe SecretValue(count: digits.count / 2) { output in
            isWhole = unsafe digits.withUnsafeBytes { unsafe Hexadecimal.decode($0, into: output) }
        }
        return isWhole ? secret : nil
    }

    private static func warn(_ session: Session, _ option: String) {
        guard session.isOnCommandLine else { return }
        session.remark(
            """
            a password after \(option) is visible to every program on this machine while this command runs; -w as the last word \
            asks for it, --password-fd N reads it from a descriptor
            """)
    }
}
