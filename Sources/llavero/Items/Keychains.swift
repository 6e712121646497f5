// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// The keychains that a verb uses: the one given by --keychain, else those of the user's search list.
struct Keychains {
    /// The keychain for new items.
    let standard: ToolKeychain
    /// The keychains to search, in order: the search list, then the one for new items; only existing ones.
    let searched: [ToolKeychain]
    /// Those of the search list that are not there any more: what is not found may be in them.
    let vanished: [MissedKeychain]
    /// Those that are there and cannot be opened, while others can.
    private let unopened: [SearchList.Unopened]

    init(_ options: Options) throws(CommandError) {
        if let named = try Keychains.named(options) {
            standard = named
            searched = [named]
            (vanished, unopened) = ([], [])
            return
        }
        let list = try SearchList()
        (standard, searched) = (list.standard, list.searched)
        vanished = list.absent.compactMap { MissedKeychain($0.keychain, isListed: $0.wasHere) }
        unopened = list.unopened
        if searched.isEmpty {
            try MissedKeychain.refuse(standard)
            // What is looked for may be there, and what is added would hide it for good.
            if let hidden = HiddenKeychain(by: standard) { Tool.say("\(hidden.text): \(hidden.fix)") }
        }
        for one in vanished { Tool.say(one.warning) }
        for one in unopened { Tool.say(one.warning) }
    }

    /// The one of that name, whatever the options and the search list say.
    init(named name: String) throws(CommandError) {
        standard = try Keychains.existing(name)
        (searched, vanished, unopened) = ([standard], [], [])
    }

    /// Whether something may be where nobody can look.
    var isPartial: Bool { !vanished.isEmpty || !unopened.isEmpty }

    /// The same for verbs that read everything: without any keychain they fail instead of reporting an empty result.
    func requireAll() throws(CommandError) -> [ToolKeychain] {
        // Why was said when they were looked for.
        guard vanished.isEmpty else {
            throw .notFound(
                "not every keychain of the search list is there; --keychain NAME chooses one that is, and `llavero keychains search` changes the list"
            )
        }
        guard unopened.isEmpty else {
            throw .failure("not every keychain of the search list can be read; --keychain NAME chooses one that can")
        }
        guard !searched.isEmpty else {
            throw .notFound("no keychain exists yet in \(PlainText.shown(standard.place.path ?? "memory"))")
        }
        return searched
    }

    /// The keychain for a verb about a whole keychain: the named one, or the default one.
    static func one(_ options: Options) throws(CommandError) -> ToolKeychain {
        if let named = try named(options) { return named }
        return try ToolKeychain(at: try preferences().standard)
    }

    /// The same for a verb that a keychain may be missing for, or be in no state to tell whether it is there.
    static func oneAtAll(_ options: Options) throws(CommandError) -> ToolKeychain {
        if let named = options.value("--keychain") { return try ToolKeychain(written: named) }
        return try ToolKeychain(at: try preferences().standard)
    }

    private static func named(_ options: Options) throws(CommandError) -> ToolKeychain? {
        guard let name = options.value("--keychain") else { return nil }
        return try existing(name)
    }

    private static func existing(_ name: String) throws(CommandError) -> ToolKeychain {
        let keychain = try ToolKeychain(written: name)
        if try keychain.isThere { return keychain }
        try MissedKeychain.refuse(keychain)
        throw .notFound("there is no keychain \(PlainText.shown(name))")
    }

    static func preferences() throws(CommandError) -> KeychainPreferences {
        try ToolKeychain.translating { () throws(KeychainError) in try KeychainPreferences(of: .current()) }
    }
}

/// Checks that the keychain's owner asks for its whole contents.
enum OwnerCheck {
    /// Asks for the passcode of each keychain that has one; `option` names the descriptor that gives it.
    static func require(
        _ keychains: [ToolKeychain], _ descriptor: Int32?, _ what: String, option: String = "--fd"
    ) throws(CommandError) {
        var guarded: [ToolKeychain] = []
        for keychain in keychains where try keychain.state().lockState != .noPasscode { guarded.append(keychain) }
        guard descriptor == nil || guarded.count <= 1 else {
            throw .usage(
                "\(option) gives one passcode, but \(guarded.count) keychains have one each; choose one with --keychain"
            )
        }
        // Of several, also of those that have no passcode, the one that is meant is named.
        for keychain in guarded {
            let isOne = keychains.count == 1
            let words = isOne ? what : "\(what) This is for the keychain \(keychain.shownName)."
            let secret = isOne ? "the keychain's passcode" : "the passcode of the keychain \(keychain.shownName)"
            do throws(CommandError) {
                try PasscodeInput.using(descriptor, words, option: option, secret: secret) {
                    (passcode) throws(CommandError) in
                    // A daemon would keep the keychain unlocked for other programs; here the unlock ends with this process.
                    _ = try keychain.perform(keychain.hasDaemon ? .verify(passcode) : .unlock(passcode))
                }
            } catch {
                guard !isOne, case .keychain(let cause) = error, cause.reason == .authenticationFailed else {
                    throw error
                }
                throw .failure("the keychain \(keychain.shownName): \(error.description)")
            }
        }
    }
}

extension ToolKeychain {
    /// For who has none yet.
    var noneYet: String {
        let name = KeychainNames.name(of: place)
        let what = name == Place.usualName ? "no keychain" : "no keychain \(PlainText.shown(name))"
        return "\(what) exists yet; "
            + (beginsByItself ? "`llavero add` creates one with its first item" : beginning)
    }

    /// What to do about a damaged database, as a command where its user can give it.
    var repairAdvice: String {
        isOfSystem
            ? ToolKeychain.askingAdministrator("llavero repair")
            : "llavero repair\(option)"
    }

    /// The items that went with an old device key or passcode.
    func lostItems() throws(CommandError) -> [PersistentReference] {
        guard case .references(let items) = try perform(.lostItems) else { throw ToolKeychain.otherReply }
        return items
    }

    /// How many of them there are, in words; nil where there are none.
    var lostWords: String? {
        guard let count = try? lostItems().count, count > 0 else { return nil }
        return ToolKeychain.lostWords(count)
    }

    static func lostWords(_ count: Int) -> String {
        count == 1
            ? "1 item went with an old device key or passcode, and nothing opens it any more"
            : "\(count) items went with an old device key or passcode, and nothing opens them any more"
    }

    /// Who can do what the user of a keychain of the system's daemon cannot.
    func administratorsTask(_ command: String) -> String {
        "the system's daemon has the keychain: \(ToolKeychain.askingAdministrator("`\(command)`"))"
    }

    private static func askingAdministrator(_ command: String) -> String {
        "tell the administrator, who stops llaverod and runs \(command) on the keychain's folder in /var/lib/llavero, as that folder's owner"
    }

    /// Warns that what was read may be older than what was stored last, where that is so.
    func sayMissingChanges() {
        guard mayMissChanges else { return }
        Tool.say(
            "changes of the keychain \(shownName) were lost with a damaged log, so what it has may be older than what was stored last; `llavero repair\(option)` brings them back"
        )
    }

    /// What it means that it has no passcode, and the command that sets one; none where only the system's daemon reads its files.
    func exposure(_ state: KeychainState) -> (text: String, fix: String?) {
        if isOfSystem { return ("has no passcode, and only the system's daemon can read its files", nil) }
        let text =
            state.enclave.kind == .tpm
            ? "has no passcode: any program that runs as you can read it"
            : "has no passcode: any program that runs as you, and whoever copies your files, can read it"
        return (text, "llavero passcode set\(option)")
    }

    /// Warns once, for a new keychain without passcode, who can read it.
    func tellWhoCanReadIt(_ options: Options) {
        // Of the system's keychains no program of the user can read a file, and only an administrator can let llavero set a passcode.
        guard !isOfSystem, let state = try? state(), state.lockState == .noPasscode else { return }
        let guardian =
            state.enclave.kind == .tpm
            ? "any program that runs as you can read it"
            : "its key is stored beside it, so anyone who can read or copy your files can read it"
        options.tell(
            "the keychain \(shownName) has no passcode: \(guardian); `llavero passcode set\(option)` sets one")
    }
}

extension EnclaveKind {
    /// The value of `--enclave`; nil without it.
    static func named(by options: Options) throws(CommandError) -> EnclaveKind? {
        switch options.value("--enclave") {
        case nil: nil
        case "software": .software
        case "tpm": .tpm
        default: throw .usage("--enclave requires software or tpm")
        }
    }
}
