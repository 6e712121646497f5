// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// `security find-generic-password`.
enum FindGenericPassword: SecurityVerb {
    static let name = "find-generic-password"
    static let summary = "finds a generic password"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Prints the first item with all of these attributes. Without KEYCHAIN the keychains of the search list are searched.

        \(PasswordKind.generic.usage)
        \(PasswordFinding.usage)
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordFinding.run(.generic, words, session)
    }
}

/// `security find-internet-password`.
enum FindInternetPassword: SecurityVerb {
    static let name = "find-internet-password"
    static let summary = "finds an internet password"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Prints the first item with all of these attributes. Without KEYCHAIN the keychains of the search list are searched.

        \(PasswordKind.internet.usage)
        \(PasswordFinding.usage)
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordFinding.run(.internet, words, session)
    }
}

/// find-generic-password and find-internet-password.
enum PasswordFinding {
    /// The help for the options besides those that name the item.
    static let usage = """
          -g           also prints the password, on standard error
          -w           prints only the password and a line feed; in hexadecimal digits unless it is printable ASCII
          --raw        writes only the password's bytes as they are
        """

    static func run(
        _ kind: PasswordKind, _ words: ArraySlice<String>, _ session: Session
    ) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: kind.letters + "gw", words: ["--raw"]))
        let attributes = try kind.attributes(options)
        let wantsValue = options.has("w") || options.has("--raw")
        let wantsSecret = wantsValue || options.has("g")
        let keychains = try KeychainSearch.searched(options.operands, session)
        let found: PlacedItem
        do throws(SecurityFailure) {
            found = try ItemSearch.firstInOpen(
                kind, attributes, in: keychains, returning: wantsSecret ? [.attributes, .data] : .attributes, session)
        } catch {
            guard case .status(.itemNotFound, let call, nil) = error, kind == .generic,
                let namesake = ItemSearch.withURL(attributes, in: keychains)
            else { throw error }
            throw .status(
                .itemNotFound, call: call,
                why:
                    "`llavero` keeps \(namesake.shownName) with a URL, so it is an internet password: `\(namesake.finding)` finds it"
            )
        }
        if wantsSecret, found.isNegative {
            throw .status(
                .itemNotFound, call: SecurityFailure.CallName.content,
                why: "the item is negative: it records that no password is stored and that the person is to be asked")
        }
        let secret = found.item.secret ?? SecretValue(copying: [])
        if !wantsValue { print(ItemText.text(found.item, in: found.keychain.path)) }
        if options.has("g") { try show(secret) }
        if wantsValue { try printValue(secret, isRaw: options.has("--raw")) }
    }

    /// As it is if it is printable, else in hexadecimal digits; `isRaw` for only the bytes.
    private static func printValue(_ secret: SecretValue, isRaw: Bool) throws(SecurityFailure) {
        let isPlain = unsafe isRaw || secret.withUnsafeBytes { unsafe BlobText.isPrintable($0) }
        let shown = isPlain ? secret : secret.hexadecimal()
        try SecurityFailure.translating("write") { () throws(CommandError) in
            try SecretOutput.write(shown, to: STDOUT_FILENO, ending: isRaw ? "" : "\n")
        }
    }

    /// Written to standard error, as a line of its own.
    private static func show(_ secret: SecretValue) throws(SecurityFailure) {
        try SecurityFailure.translating("write") { () throws(CommandError) in
            fflush(nil)
            let label = SecretValue(copying: Array("password: ".utf8))
            try SecretOutput.write(label, to: STDERR_FILENO)
            try SecretOutput.write(SecretText.quoted(secret), to: STDERR_FILENO, ending: "\n")
        }
    }
}
