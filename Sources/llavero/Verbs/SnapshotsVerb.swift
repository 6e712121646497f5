// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest
internal import KeychainTools

/// `llavero snapshots`.
enum SnapshotsVerb: Verb {
    static let name = "snapshots"
    static let summary = "lists, makes or removes snapshots of a keychain"
    static let help = """
        usage: llavero snapshots [list] [--keychain NAME] [--json | --plain]
               llavero snapshots make [--daily] [--keychain NAME]
               llavero snapshots remove [--keychain NAME]

        A snapshot is an encrypted copy of all items beside the keychain's folder, for the day that a change is regretted; `llavero
        restore --snapshot` goes back to one. One is made before each restore that changes something, before a circle deletes many
        items, and before the first change of a day that this tool makes, if the keychain is small and unlocked, and not on its first
        day; `llavero-snapshot.timer` makes one each day whoever changes items, and however many there are. The seven newest are
        kept, of 200 MB together.

        A snapshot opens on this device alone, and only while the keychain is unlocked. It ends with the device key, and `llavero
        rotate-keys` replaces all by a new one. It has what was removed since: `remove` removes all of them.

          --daily           makes one only if there is none of today, something changed since the last one, the keychain is
                            unlocked, and `llavero settings --daily-snapshots` allows it
          --keychain NAME   those of another keychain, by name or path
          --json            an object for each snapshot
          --plain           a line for each snapshot, with fields separated by tabs
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let action = options.operands.isEmpty ? "list" : try options.operand("action")
        let form = try OutputForm(options)
        guard action == "list" || form == .people else { throw .usage("snapshots \(action) prints no list") }
        guard action == "make" || !options.has("--daily") else {
            throw .usage("snapshots \(action) does not accept --daily")
        }
        let keychain = try Keychains.one(options)
        switch action {
        case "list": try list(keychain, form)
        case "make": try make(keychain, options)
        case "remove":
            let count = try Snapshots.required(of: keychain).removeAll()
            options.tell(
                "removed \(count) \(count == 1 ? "snapshot" : "snapshots") of the keychain \(keychain.shownName)")
        default:
            throw .usage(
                "unknown action of snapshots: \(PlainText.shown(action)); the actions are list, make and remove")
        }
    }

    private static func list(_ keychain: ToolKeychain, _ form: OutputForm) throws(CommandError) {
        var listing = Listing([
            .init("DATE", "date"), .init("WHY", "reason"), .init("ITEMS", "items"), .init("SIZE", "size"),
            .init("FILE", "file"),
        ])
        listing.rows = try Snapshots.required(of: keychain).all.map { snapshot in
            [
                .text(snapshot.time), .text(snapshot.reason.words),
                .optional(snapshot.items.map { Int64(clamping: $0) }), .number(snapshot.size), .text(snapshot.path),
            ]
        }
        listing.print(form)
    }

    private static func make(_ keychain: ToolKeychain, _ options: Options) throws(CommandError) {
        let snapshot: KeychainSnapshot
        if options.has("--daily") {
            // A timer that never makes one must not pass for one that need not.
            guard !keychain.isOfSystem else {
                _ = try Snapshots.required(of: keychain)
                return
            }
            switch DailySnapshot.make(of: keychain, isPatient: true) {
            case .made(let made): snapshot = made
            case .notNeeded: return options.tell("no snapshot of the keychain \(keychain.shownName) is due")
            case .locked: return options.tell("no snapshot was made: \(keychain.lockedSentence)")
            case .failed(let error): throw error
            }
        } else {
            try keychain.requireThere()
            snapshot = try Snapshots.required(of: keychain).make(.demand, of: keychain)
        }
        options.tell("made a snapshot of \(snapshot.itemsInWords) of the keychain \(keychain.shownName)")
    }
}

extension Snapshots {
    /// Those of a keychain whose folder is this user's.
    static func required(of keychain: ToolKeychain) throws(CommandError) -> Snapshots {
        // An agent says whose a keychain is once it has it.
        _ = try? keychain.state()
        guard let snapshots = Snapshots(of: keychain) else {
            throw .failure("the keychain \(keychain.shownName) has no folder of yours, so it has no snapshots")
        }
        return snapshots
    }

    /// The newest one that opens, and whose time begins with the text.
    ///
    /// One that was made before a restore comes behind all others: who restores again means what the first restore meant, and not
    /// what that replaced.
    func snapshot(of date: String?, with secrets: BackupSecrets) throws(CommandError) -> KeychainSnapshot {
        let dated = opening(with: secrets).filter { $0.time.hasPrefix(date ?? "") }
        guard let snapshot = dated.first(where: { $0.reason != .restore }) ?? dated.first else {
            let which = date.map { " of \(PlainText.shown($0))" } ?? ""
            throw .notFound("there is no snapshot\(which) that opens; `llavero snapshots` lists what is there")
        }
        return snapshot
    }
}

extension KeychainSnapshot {
    var itemsInWords: String {
        guard let items else { return "an unknown number of items" }
        return "\(items) \(items == 1 ? "item" : "items")"
    }

    /// For a list.
    var description: String { "\(time), \(reason.words), \(itemsInWords)" }

    /// For a sentence.
    var title: String { "the snapshot of \(time) (\(reason.words), \(itemsInWords))" }
}
