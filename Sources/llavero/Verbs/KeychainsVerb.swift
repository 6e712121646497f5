// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// `llavero keychains`.
enum KeychainsVerb: Verb {
    static let name = "keychains"
    static let summary = "lists, creates and selects keychains"
    static let help = """
        usage: llavero keychains [list] [--json | --plain]
               llavero keychains create NAME [--enclave software | tpm]
               llavero keychains default [NAME]
               llavero keychains search [NAME…]
               llavero keychains remove NAME [--with-items] [--fd N]
               llavero keychains set-aside NAME

        `list`, the default, lists all keychains; those that the system's daemon has are listed without a path. `create` creates
        one; `llavero passcode set --keychain NAME` gives it a passcode. `default` shows or sets the keychain that
        commands are about which name none, and that new items go to; the helpers of git, docker, cargo and ssh store there, too.
        `search` shows or sets the keychains that are searched when none is named, in that order. `remove` deletes one permanently;
        it first asks for its passcode, if it has one. Of one whose folder something else deleted or emptied it forgets that it was
        there. `set-aside` renames the folder of a keychain that cannot be opened any more, and prints its new path: nothing is
        deleted, and a new keychain may be made in its place. NAME is a name, or the path of a keychain elsewhere.

          --json           a list of objects
          --plain          a line for each, with fields separated by tabs
          --enclave KIND   what protects the new keychain's keys: software (a file) or tpm (the machine's TPM; prints fourteen words
                           to write down, since otherwise the keychain is lost with the TPM)
          --with-items     also removes a keychain with items; required with a daemon, which does not show llavero all items
          --fd N           reads the passcode from descriptor N
          --quiet          prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let form = try OutputForm(options)
        let action = options.operands.first ?? "list"
        let names = Array(options.operands.dropFirst())
        if action != "list", action != "default", action != "search", form != .people {
            throw .usage("keychains \(action) does not accept --json and --plain")
        }
        if action != "remove", options.has("--with-items") || options.value("--fd") != nil {
            throw .usage("--with-items and --fd require remove")
        }
        if action == "list", options.has("--quiet") {
            throw .usage("keychains list does not accept --quiet")
        }
        if action != "create", options.value("--enclave") != nil { throw .usage("--enclave requires create") }
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
        case "create", "remove", "set-aside": throw .usage("keychains \(action) requires one NAME")
        case "list", "default": throw .usage("unexpected argument: \(PlainText.shown(names.last ?? ""))")
        default:
            throw .usage(
                "unknown action of keychains: \(PlainText.shown(action)); the actions are list, create, default, search, remove and set-aside"
            )
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
                .boolean(preferences.lookedThroughWithStandard.contains(place)), .optional(path(of: place)),
            ]
        }
        listing.print(form)
    }

    /// nil of one that a daemon keeps in a folder of its own.
    private static func path(of place: Place) -> String? {
        (try? place.exists) == false ? nil : place.path
    }

    private static func create(
        _ name: String, in wanted: EnclaveKind?, _ options: Options
    ) throws(CommandError) {
        let keychain = try ToolKeychain(written: name)
        guard try !keychain.isThere else {
            throw .duplicate("the keychain \(PlainText.shown(name)) exists already")
        }
        let recovery = try ToolKeychain.translating { () throws(KeychainError) in
            try keychain.host.make(in: wanted, makesRecoveryKey: wanted == .tpm)
        }
        // A keychain in a TPM is lost with it, so the person writes these words down.
        if let recovery { try ShownRecoveryKey.show(recovery) }
        options.tell("created the keychain \(keychain.shownName)")
        keychain.tellWhoCanReadIt(options)
    }

    private static func standard(
        _ name: String?, _ form: OutputForm, _ options: Options
    ) throws(CommandError) {
        guard let name else { return show([try Keychains.preferences().standard], form) }
        let standard = try place(name)
        try ToolKeychain.translating { () throws(KeychainError) in
            _ = try KeychainPreferences.change(of: .current()) { $0.standard = standard }
        }
        options.tell(
            "new items go to the keychain \(title(standard)) from now on, and commands that name none (backup, lock, status, …) are about it"
        )
    }

    private static func search(
        _ names: [String], _ form: OutputForm, _ options: Options
    ) throws(CommandError) {
        guard !names.isEmpty else { return show(try Keychains.preferences().search, form) }
        let search = try names.map { (name) throws(CommandError) in try place(name) }
        try ToolKeychain.translating { () throws(KeychainError) in
            _ = try KeychainPreferences.change(of: .current()) { $0.search = search }
        }
        options.tell("keychains searched from now on: \(search.map(title).joined(separator: ", "))")
    }

    static func remove(
        _ name: String, withItems: Bool, _ descriptor: Int32?, _ options: Options
    ) throws(CommandError) {
        let keychain = try ToolKeychain(written: name)
        guard try keychain.isThere else {
            guard try forget(keychain) else { throw .notFound("there is no keychain \(PlainText.shown(name))") }
            return options.tell("forgot the keychain \(keychain.shownName), which was gone already")
        }
        // By now it is known whether a daemon serves it, including one that had to be restarted.
        _ = try keychain.state()
        // A daemon does not show a program the items of others.
        guard withItems || !keychain.hasDaemon else {
            throw .failure(
                "only the daemon can see whether the keychain still has items of other programs; "
                    + "--with-items removes it with all items")
        }
        try OwnerCheck.require([keychain], descriptor, "The keychain \(keychain.shownName) is to be removed.")
        var count = 0
        if !withItems {
            try ItemScope.everything.forEachItem(in: [keychain]) { (_) throws(CommandError) in count += 1 }
        }
        guard count == 0 else {
            throw .failure("the keychain still has items (\(count)); --with-items removes them with it")
        }
        let snapshots = Snapshots(of: keychain)
        try keychain.remove()
        snapshots?.remove()
        options.tell("removed the keychain \(keychain.shownName)\(withItems ? ", with its items" : "")")
        try leaveOutOfLists(keychain)
    }

    /// Has no program miss a keychain any more whose folder something else moved, deleted or emptied; false where that is not so.
    static func forget(_ keychain: ToolKeychain) throws(CommandError) -> Bool {
        let wasGone = try ToolKeychain.translating { () throws(KeychainError) in
            if keychain.isOfSystem, keychain.host.disappearance != nil {
                try keychain.host.remove()
                return true
            }
            let isListed = try KeychainPreferences(of: .current()).searches(keychain.place)
            guard let vanished = try VanishedKeychain(at: keychain.place, isListed: isListed) else { return false }
            try vanished.forget()
            return true
        }
        if wasGone { try leaveOutOfLists(keychain) }
        return wasGone
    }

    static func leaveOutOfLists(_ keychain: ToolKeychain) throws(CommandError) {
        try ToolKeychain.translating { () throws(KeychainError) in
            try KeychainPreferences.forget(keychain.place, of: .current())
        }
    }

    /// The lists of keychains stay as they are: a new keychain comes in its place.
    static func setAside(_ name: String, _ options: Options) throws(CommandError) {
        let keychain = try ToolKeychain(written: name)
        guard !keychain.isOfSystem else {
            throw .failure(keychain.administratorsTask("llavero keychains set-aside \(keychain.shownName)"))
        }
        let path = try ToolKeychain.translating { () throws(KeychainError) in
            try KeychainRemoval.setAside(keychain.place)
        }
        Snapshots(of: keychain)?.follow(to: path)
        let successor = keychain.beginsByItself ? "the next item" : "`\(keychain.creationCommand)`"
        options.tell(
            """
            moved the keychain \(keychain.shownName) to \(PlainText.shown(path)); \(successor), or \
            `llavero restore FILE\(keychain.option)`, creates a new one. To use the old one again, move it back, or give its path with --keychain
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

/// The keychains of a user.
enum KeychainFolders {
    /// The search list in order, then the keychain for new items, then the other keychains in the same folder by name.
    static func all(_ preferences: KeychainPreferences) throws(CommandError) -> [Place] {
        var places: [Place] = []
        let others = try ToolKeychain.translating { () throws(KeychainError) in try ProcessHost.namedPlaces() }
        for place in preferences.search + [preferences.standard] + others {
            if places.contains(place) { continue }
            if try isThere(place) { places.append(place) }
        }
        return places
    }

    /// A daemon may have more in a folder that only it can read; listing the others needs no opening.
    private static func isThere(_ place: Place) throws(CommandError) -> Bool {
        if (try? place.exists) ?? false { return true }
        return try ToolKeychain(at: place).isThere
    }
}
