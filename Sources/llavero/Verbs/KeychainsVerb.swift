// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// `llavero keychains`.
enum KeychainsVerb: Verb {
    static let name = "keychains"
    static let summary = "lists, makes and chooses keychains"
    static let help = """
        usage: llavero keychains [list] [--json | --plain]
               llavero keychains create NAME [--enclave software | tpm]
               llavero keychains default [NAME]
               llavero keychains search [NAME…]
               llavero keychains remove NAME [--with-items] [--fd N]
               llavero keychains set-aside NAME

        `list` says which keychains there are; it is what happens when nothing else is asked for. `create` makes a new one, which
        `llavero passcode set --keychain NAME` gives a passcode of its own. `default` says, or sets, where new items go.
        `search` says, or sets, which keychains are searched when none is named, in that order. `remove` removes one for good; it asks
        for its passcode before, if it has one. `set-aside` moves the folder of one that does not open any more out of the way, whole and
        under another name, and says where it is then: nothing is deleted, and the next item begins a new keychain. NAME is a name, or
        the path of a keychain that is elsewhere.

          --json           a list of objects
          --plain          a line for each, with tabs between
          --enclave KIND   what guards the new keychain's keys: software (a file), or tpm (the machine's; prints fourteen words to
                           write down, since the keychain is lost with the TPM otherwise)
          --with-items     removes a keychain that has items, or may have: beside a daemon llavero does not see all of them
          --fd N           reads the passcode from descriptor N
          --quiet          says nothing of what was done
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let form = try OutputForm(options)
        let action = options.operands.first ?? "list"
        let names = Array(options.operands.dropFirst())
        if action != "list", action != "default", action != "search", form != .people {
            throw .usage("keychains \(action) takes no --json and no --plain")
        }
        if action != "remove", options.has("--with-items") || options.value("--fd") != nil {
            throw .usage("--with-items and --fd go with remove")
        }
        if action == "list", options.has("--quiet") {
            throw .usage("keychains list changes nothing, so it takes no --quiet")
        }
        if action != "create", options.value("--enclave") != nil { throw .usage("--enclave goes with create") }
        switch action {
        case "list" where names.isEmpty: try list(form)
        case "create" where names.count == 1: try create(names[0], in: try EnclaveKind.named(by: options), options)
        case "default" where names.count <= 1: try standard(names.first, form, options)
        case "search": try search(names, form, options)
        case "remove" where names.count == 1:
            try remove(
                names[0], withItems: options.has("--with-items"), try PasscodeInput.descriptor(options, "--fd"), options
            )
        case "set-aside" where names.count == 1: try setAside(names[0], options)
        case "create", "remove", "set-aside": throw .usage("keychains \(action) takes one NAME")
        case "list", "default": throw .usage("keychains \(action) takes no \(PlainText.shown(names.last ?? ""))")
        default:
            throw .usage(
                "keychains has list, create, default, search, remove and set-aside, and no \(PlainText.shown(action))")
        }
    }

    private static func list(_ form: OutputForm) throws(CommandError) {
        let preferences = try Keychains.preferences()
        var listing = Listing([
            .init("NAME", "name"), .init("DEFAULT", "default"), .init("SEARCHED", "searched"), .init("PATH", "path"),
        ])
        listing.rows = try KeychainFolders.all(preferences).map { place in
            [
                .text(KeychainNames.name(of: place)), .boolean(place == preferences.standard),
                .boolean(preferences.search.contains(place)), .optional(place.path),
            ]
        }
        listing.print(form)
    }

    private static func create(
        _ name: String, in wanted: EnclaveKind?, _ options: Options
    ) throws(CommandError) {
        let keychain = try ToolKeychain(written: name)
        guard try !keychain.isThere else {
            throw .duplicate("there is a keychain \(PlainText.shown(name)) already")
        }
        let recovery = try ToolKeychain.translating { () throws(KeychainError) in
            try keychain.host.make(in: wanted, makesRecoveryKey: wanted == .tpm)
        }
        // A keychain in a TPM is lost with it, so somebody writes these down.
        if let recovery { try ShownRecoveryKey.show(recovery) }
        options.tell("made the keychain \(keychain.shownName)")
        keychain.tellWhoCanReadIt(options)
    }

    private static func standard(
        _ name: String?, _ form: OutputForm, _ options: Options
    ) throws(CommandError) {
        var preferences = try Keychains.preferences()
        if let name {
            preferences.standard = try place(name)
            try ToolKeychain.translating { () throws(KeychainError) in try preferences.save() }
            options.tell("new items go to the keychain \(title(preferences.standard)) from now on")
        } else {
            show([preferences.standard], form)
        }
    }

    private static func search(
        _ names: [String], _ form: OutputForm, _ options: Options
    ) throws(CommandError) {
        var preferences = try Keychains.preferences()
        if names.isEmpty {
            show(preferences.search, form)
        } else {
            preferences.search = try names.map { (name) throws(CommandError) in try place(name) }
            try ToolKeychain.translating { () throws(KeychainError) in try preferences.save() }
            options.tell("searched from now on: \(preferences.search.map(title).joined(separator: ", "))")
        }
    }

    static func remove(
        _ name: String, withItems: Bool, _ descriptor: Int32?, _ options: Options
    ) throws(CommandError) {
        let keychain = try ToolKeychain(written: name)
        guard try keychain.isThere else { throw .notFound("there is no keychain \(PlainText.shown(name))") }
        // From here on it is known whether a daemon has it, and be it one that was gone.
        _ = try keychain.state()
        // A daemon shows no program what another one keeps there.
        guard withItems || !keychain.hasDaemon else {
            throw .failure(
                "nobody but the daemon can see whether the keychain still has items of other programs; "
                    + "--with-items removes it with whatever it has")
        }
        try OwnerCheck.require([keychain], descriptor, "The keychain \(PlainText.shown(name)) is to be removed.")
        let items = withItems ? [] : try ItemScope.everything.items(in: [keychain])
        guard items.isEmpty else {
            throw .failure("the keychain still has items (\(items.count)); --with-items removes them with it")
        }
        try keychain.remove()
        options.tell("removed the keychain \(keychain.shownName)\(withItems ? ", with what it had" : "")")
        var preferences = try Keychains.preferences()
        guard preferences.search.contains(keychain.place) || preferences.standard == keychain.place else { return }
        preferences.forget(keychain.place)
        try ToolKeychain.translating { () throws(KeychainError) in try preferences.save() }
    }

    /// The lists of keychains stay as they are: the next item begins a new keychain in its place.
    static func setAside(_ name: String, _ options: Options) throws(CommandError) {
        let keychain = try ToolKeychain(written: name)
        let path = try ToolKeychain.translating { () throws(KeychainError) in
            try KeychainRemoval.setAside(keychain.place)
        }
        options.tell(
            """
            moved the keychain \(keychain.shownName), whole, to \(PlainText.shown(path)); the next item begins a new one. \
            Moved back, or named by --keychain, it is what it was
            """)
    }

    private static func show(_ places: [Place], _ form: OutputForm) {
        if form == .people {
            for place in places { print(title(place)) }
            return
        }
        var listing = Listing([.init("NAME", "name"), .init("PATH", "path")])
        listing.rows = places.map { [.text(KeychainNames.name(of: $0)), .optional($0.path)] }
        listing.print(form)
    }

    private static func title(_ place: Place) -> String { PlainText.shown(KeychainNames.name(of: place)) }

    private static func place(_ name: String) throws(CommandError) -> Place {
        let keychain = try ToolKeychain(written: name)
        guard try keychain.isThere else { throw .notFound("there is no keychain \(PlainText.shown(name))") }
        return keychain.place
    }
}

/// The keychains that a user has.
enum KeychainFolders {
    /// Those that are searched, in that order, then the one where new items go, then the others beside them by name.
    static func all(_ preferences: KeychainPreferences) throws(CommandError) -> [Place] {
        var places: [Place] = []
        let root = try ToolKeychain.translating { () throws(KeychainError) in try Place.root(named: .current()) }
        let others = try names(in: root).filter { Place.isName($0) }.map { Place.folder(root: root, name: $0) }
        for place in preferences.search + [preferences.standard] + others {
            if places.contains(place) { continue }
            if try isThere(place) { places.append(place) }
        }
        return places
    }

    /// A daemon may have some where nobody else can look; those that lie here need not be opened for that.
    private static func isThere(_ place: Place) throws(CommandError) -> Bool {
        if (try? place.exists) ?? false { return true }
        return try ToolKeychain(at: place).isThere
    }

    /// By name; nothing where there is no such folder.
    private static func names(in folder: String) throws(CommandError) -> [String] {
        guard let list = unsafe opendir(folder) else {
            if errno == ENOENT { return [] }
            throw .failure("\(PlainText.shown(folder)) cannot be read: \(unsafe String(cString: strerror(errno)))")
        }
        defer { unsafe closedir(list) }
        var names: [String] = []
        while let entry = unsafe readdir(list) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name else { continue }
            // A keychain that may not be looked into is one all the same.
            let isKeychain =
                unsafe access("\(folder)/\(name)/keychain.db", F_OK) == 0 || errno == EACCES || errno == EIO
            if isKeychain { names.append(name) }
        }
        return names.sorted()
    }
}
