// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// The keychains that a verb is about: the one that is named, else those that the user's list names.
struct Keychains {
    /// Where new items go.
    let standard: ToolKeychain
    /// Where items are looked for, in that order: the list, and where new items go; of those that are there.
    let searched: [ToolKeychain]
    /// Those that the user's list names, and that are not there.
    private let missing: [Place]

    init(_ options: Options) throws(CommandError) {
        if let named = try Keychains.named(options) {
            standard = named
            searched = [named]
            missing = []
            return
        }
        let preferences = try Keychains.preferences()
        standard = try ToolKeychain(at: preferences.standard)
        var searched: [ToolKeychain] = []
        var missing: [Place] = []
        // What is kept has to be found again, whether the list names its keychain or not.
        let list = preferences.lookedThrough
        for place in list.contains(preferences.standard) ? list : [preferences.standard] + list {
            let keychain = try ToolKeychain(at: place)
            if try keychain.isThere {
                searched.append(keychain)
            } else if preferences.hasList, list.contains(place) {
                missing.append(place)
            }
        }
        (self.searched, self.missing) = (searched, missing)
    }

    /// The same for who wants all that there is: of no keychain at all there is nothing to say, and nothing to write to a file.
    func requireAll() throws(CommandError) -> [ToolKeychain] {
        if let first = missing.first {
            throw .notFound(
                "the keychain \(PlainText.shown(KeychainNames.name(of: first))) of the search list is not there; "
                    + "`llavero keychains search` says, and sets, which ones are searched")
        }
        guard !searched.isEmpty else {
            throw .notFound("there is no keychain yet in \(PlainText.shown(standard.place.path ?? "memory"))")
        }
        return searched
    }

    /// The one that a verb about a whole keychain is about: the named one, or what programs use that name none.
    static func one(_ options: Options) throws(CommandError) -> ToolKeychain {
        if let named = try named(options) { return named }
        return try ToolKeychain()
    }

    private static func named(_ options: Options) throws(CommandError) -> ToolKeychain? {
        guard let name = options.value("--keychain") else { return nil }
        let keychain = try ToolKeychain(written: name)
        guard try keychain.isThere else { throw .notFound("there is no keychain \(PlainText.shown(name))") }
        return keychain
    }

    static func preferences() throws(CommandError) -> KeychainPreferences {
        try ToolKeychain.translating { () throws(KeychainError) in try KeychainPreferences(of: .current()) }
    }
}

/// Whether it is the keychain's owner who asks for all of it at once.
enum OwnerCheck {
    /// Has the passcode shown, once for each keychain that has one.
    static func require(_ keychains: [ToolKeychain], _ descriptor: Int32?, _ what: String) throws(CommandError) {
        var guarded: [ToolKeychain] = []
        for keychain in keychains where try keychain.state().lockState != .noPasscode { guarded.append(keychain) }
        guard descriptor == nil || guarded.count <= 1 else {
            throw .usage(
                "--fd has one passcode, and \(guarded.count) keychains have one each; name one with --keychain")
        }
        for keychain in guarded {
            let name = KeychainNames.name(of: keychain.place)
            let words = guarded.count == 1 ? what : "\(what) This is for the keychain \(PlainText.shown(name))."
            try PasscodeInput.using(descriptor, words) { (passcode) throws(CommandError) in
                // Of a daemon's keychain others would have the benefit; here it ends with this process.
                _ = try keychain.perform(keychain.hasDaemon ? .verify(passcode) : .unlock(passcode))
            }
        }
    }
}

extension ToolKeychain {
    /// What it is called, for a sentence.
    var shownName: String { PlainText.shown(KeychainNames.name(of: place)) }

    /// Says, once, when a keychain was just made and has no passcode, who can read it.
    func tellWhoCanReadIt(_ options: Options) {
        guard let state = try? state(), state.lockState == .noPasscode else { return }
        let guardian =
            state.enclave.kind == .tpm
            ? "whoever is logged in as you can read it"
            : "its key lies beside it, so whoever can read or copy your files can read it"
        options.tell(
            "the keychain \(shownName) has no passcode: \(guardian); `llavero passcode set\(option)` sets one")
    }
}

extension EnclaveKind {
    /// What `--enclave` says; nil where it is not there.
    static func named(by options: Options) throws(CommandError) -> EnclaveKind? {
        switch options.value("--enclave") {
        case nil: nil
        case "software": .software
        case "tpm": .tpm
        default: throw .usage("--enclave knows software and tpm")
        }
    }
}
