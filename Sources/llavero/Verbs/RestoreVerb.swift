// SPDX-License-Identifier: Apache-2.0

internal import KeychainBackup
internal import KeychainConnection
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero restore`.
enum RestoreVerb: Verb {
    static let name = "restore"
    static let summary = "puts items of a backup back"
    static let help = """
        usage: llavero restore FILE | - [--dry-run] [--replace] [--yes] [--words] [--fd N]
               llavero restore --snapshot [DATE] [--dry-run] [--replace] [--yes] [--fd N]

        Puts the items of a backup into the keychain, which is made if it does not exist. The file is checked from its first byte to
        its last before anything is changed. Items get their identifiers and dates back; of an item that is there, too, the later one
        stays; nothing is deleted. Restoring twice changes nothing the second time.

        On the device that made the backup nothing has to be typed. Elsewhere it asks for the passphrase, or for the words of the
        recovery key. A backup that another device made is restored only with --yes, or after a question at the terminal: whoever knows
        the passphrase, or the public half of the recovery key, can make one.

        With --snapshot it goes back to a snapshot, as `llavero snapshots` lists them: the newest, or the newest of a DATE such as
        2026-11-22. One that was made before a restore is taken only where there is no other, or where DATE is its whole date with
        the time; otherwise a second restore would go back to what the first one replaced. The confirmation says which one was taken.
        A keychain with a passcode has to be unlocked for that; otherwise it asks for the passcode.

          --snapshot        takes a snapshot, and no file
          --dry-run         only lists what would change
          --replace         makes the keychain what it was: items that are not synchronized become what the backup says, also where
                            they are newer, and those that it does not have are removed
          --yes             restores a backup that another device made, or replaces, without a question
          --words           asks for the words of the recovery key alone; else they are taken where a passphrase is asked for, too
          --fd N            reads the passphrase, or the words, from descriptor N; with --snapshot the keychain's passcode
          --keychain NAME   into another keychain, by name or path
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let keychain = try Keychains.oneAtAll(options)
        let isNew = try !keychain.isThere
        let source = try snapshot(keychain, options)
        let path = if let source { source.path } else { try options.operand("FILE") }
        let chain = try BackupChain(path)
        let header = chain.header
        let opening = try BackupOpening(of: chain.first, on: isNew ? nil : keychain, options)
        // Read to its end with its key before anything is done with it, or a keychain made for it.
        let backup = try chain.opened(by: opening)
        let restore = Restore(backup, into: keychain, replaces: options.has("--replace"))
        if options.has("--dry-run") {
            if let source { options.tell("this is what \(source.title) would change") }
            guard !isNew else {
                let items = FurtherItem.counted(backup.items, including: try backup.further())
                print("\(items) would be added to a new keychain \(keychain.shownName)")
                return
            }
            var result = try restore.run(isRehearsal: true)
            try result.nameRemoved(in: keychain)
            result.print()
            return
        }
        try confirm(header, opening, source, options)
        // What is there now can be gone back to.
        let before = isNew ? nil : try Snapshots(of: keychain)?.draft(.restore, of: keychain)
        // Neither a named one nor one in the place of one that is gone is made by its first item; this asks for it.
        if isNew {
            try restore.requireRight()
            // A daemon makes the usual one for whoever may restore into it.
            if try !keychain.isThere {
                _ = try ToolKeychain.translating { () throws(KeychainError) in try keychain.host.make() }
            }
        }
        let result = try restore.run(isRehearsal: false)
        if let source { options.tell("restored \(source.title)") }
        options.tell(result.summary(keychain.shownName))
        if let before, result.hasChanged {
            before.keep()
            options.tell(
                "what it was before is in \(PlainText.shown(before.snapshot.path)), which `llavero restore` takes, too")
        } else {
            before?.drop()
        }
        if backup.foreign > 0 {
            options.tell(
                "\(backup.foreign) \(backup.foreign == 1 ? "item opens" : "items open") only on the device that made the backup, and \(backup.foreign == 1 ? "was" : "were") left out"
            )
        }
        if isNew { keychain.tellWhoCanReadIt(options) } else if result.hasChanged { tellDoubles(in: keychain, options) }
        guard result.refused.isEmpty else {
            for found in result.refused {
                guard let item = ToolItem(.item(found), in: keychain, of: .everybody) else { continue }
                let isOfCircle = item.group.hasSameBytes(as: AccessGroup.sync.name)
                let reason =
                    isOfCircle
                    ? "it belongs to the circle of another keychain"
                    : result.isOutOfReach(found)
                        ? "it is in the access group \(item.group), which the rules of the daemon do not give llavero"
                        : "another item has its name, or it is none that this keychain can have"
                Tool.say("\(PlainText.shown(item.name)): \(reason); it was left out")
            }
            throw .failure("\(result.refused.count) \(result.refused.count == 1 ? "item was" : "items were") left out")
        }
    }

    /// What a backup has as this machine's own may be shared by now, and stays so.
    private static func tellDoubles(in keychain: ToolKeychain, _ options: Options) {
        guard let doubles = try? CircleDoubles.pairs(in: keychain), !doubles.isEmpty else { return }
        options.tell(
            "\(CircleDoubles.counted(doubles)): `llavero sync` leaves the shared one where both say the same, and names those that differ"
        )
    }

    /// The snapshot that is meant; nil where a file is named.
    private static func snapshot(
        _ keychain: ToolKeychain, _ options: Options
    ) throws(CommandError) -> KeychainSnapshot? {
        guard options.has("--snapshot") else { return nil }
        if options.has("--words") { throw .usage("--snapshot and --words cannot be used together") }
        let date = options.operands.isEmpty ? nil : try options.operand("DATE")
        try keychain.requireThere()
        let snapshots = try Snapshots.required(of: keychain)
        let secrets = try keychain.unlockedSecrets(try PasscodeInput.descriptor(options, "--fd"))
        return try snapshots.snapshot(of: date, with: secrets)
    }

    /// Asks where somebody may have made the backup to harm, or where the keychain loses something.
    private static func confirm(
        _ header: BackupHeader, _ opening: BackupOpening, _ snapshot: KeychainSnapshot?, _ options: Options
    ) throws(CommandError) {
        var reasons: [String] = []
        if !opening.isOwn {
            reasons.append(
                "the backup was made by another device, or before this keychain (\(BackupText.described(header)))")
        }
        if options.has("--replace") {
            let source = snapshot?.title ?? "the backup"
            reasons.append(
                "items that \(source) does not have will be removed, and others become what it says")
        }
        guard !reasons.isEmpty, !options.has("--yes") else { return }
        try PersonalAnswer.requireYes(
            reasons.joined(separator: ", and "), to: "restore it all the same",
            otherwise: "--yes restores it all the same, --dry-run shows what would change")
    }
}

/// How a backup is opened here.
struct BackupOpening {
    private enum Means {
        case device
        /// Asked for when it is needed; the words of a recovery key are taken, too, where it has one.
        case passphrase(Int32?, orWords: Bool)
        case recovery(RecoveryKey)
    }

    private let means: Means
    private let secrets: BackupSecrets?
    /// Whether this device made it.
    let isOwn: Bool

    /// `keychain` is nil where there is none yet.
    init(of header: BackupHeader, on keychain: ToolKeychain?, _ options: Options) throws(CommandError) {
        var secrets = try keychain.map { (keychain) throws(CommandError) in try keychain.backupSecrets() }
        let isOwn =
            secrets.map { secrets in
                (try? Ed25519.publicKey(of: secrets.signer.locked)) == header.signer
                    && secrets.keychain == header.keychain
            } ?? false
        self.isOwn = isOwn
        let hasPassphrase = header.stanzas.contains { if case .passphrase = $0 { true } else { false } }
        let hasRecovery = header.stanzas.contains { if case .recovery = $0 { true } else { false } }
        let isGiven = options.has("--words") || options.value("--fd") != nil
        // Where there is a passcode, it opens with an unlocked keychain only.
        if isOwn, !isGiven || !hasPassphrase && !hasRecovery, let keychain, let known = secrets,
            !header.opens(with: known),
            known.snapshot == nil
        {
            secrets = try keychain.unlockedSecrets(try PasscodeInput.descriptor(options, "--fd"))
        }
        let opensHere = isOwn && secrets.map { header.opens(with: $0) } ?? false
        if opensHere, !isGiven || !hasPassphrase && !hasRecovery {
            means = .device
        } else if hasPassphrase, !options.has("--words") {
            means = .passphrase(try PasscodeInput.descriptor(options, "--fd"), orWords: hasRecovery)
        } else if hasRecovery {
            let seed: SecretValue
            do throws(CommandError) { seed = try TypedRecoveryKey.seed(options) } catch {
                guard !hasPassphrase, case .failure(let text) = error else { throw error }
                throw .failure("\(text); this backup has no passphrase: the words of a recovery key open it")
            }
            do throws(CryptoError) { means = .recovery(try RecoveryKey(seed: seed.locked)) } catch {
                throw .failure("the words cannot be read")
            }
        } else if hasPassphrase {
            throw .failure("no words open this backup: it was given a passphrase; without --words that is asked for")
        } else if isOwn {
            throw .failure("it opens no more, since the keychain's keys were changed by `llavero rotate-keys`")
        } else {
            throw .failure(
                "only the keychain that made this backup opens it, on the device where it was: neither a passphrase nor a recovery key was given to it"
            )
        }
        self.secrets = secrets
    }

    func open(_ reader: BackupReader, of file: BackupFile) throws(CommandError) {
        switch means {
        case .device:
            try file.saying { () throws(BackupError) in
                guard let secrets, try reader.open(with: secrets) else { throw .notOpened }
            }
        case .passphrase(let descriptor, let orWords):
            try PasscodeInput.opening(
                descriptor,
                orWords
                    ? "The passphrase of the backup, or the words of its recovery key."
                    : "The passphrase of the backup.",
                secret: "the backup's passphrase", prompt: "Passphrase:", wrong: file.failure(.notOpened)
            ) { (typed) throws(CommandError) in
                try file.saying { () throws(BackupError) in
                    try Self.isOpened(reader, by: typed, orWords: orWords) ? () : nil
                }
            }
        case .recovery(let key): try file.saying { () throws(BackupError) in try reader.open(recovery: key) }
        }
    }

    private static func isOpened(
        _ reader: BackupReader, by typed: Passcode, orWords: Bool
    ) throws(BackupError) -> Bool {
        // Fourteen words that fit together are meant as such.
        let words = try? unsafe typed.bytes.withUnsafeBytes { try unsafe RecoveryKey(words: $0) }
        do throws(BackupError) {
            if orWords, let words {
                try reader.open(recovery: words)
            } else {
                try reader.open(passphrase: typed.bytes)
            }
            return true
        } catch .notOpened { return false }
    }

    /// For items that only the device opens that made the backup, if it is this one.
    func lendDevice(to reader: BackupReader) {
        if let secrets { reader.use(device: secrets.device.locked) }
    }
}

/// The putting back of a backup's items.
struct Restore {
    private let backup: OpenedBackup
    private let keychain: ToolKeychain
    private let replaces: Bool

    init(_ backup: OpenedBackup, into keychain: ToolKeychain, replaces: Bool) {
        (self.backup, self.keychain, self.replaces) = (backup, keychain, replaces)
    }

    /// Items are put back in parts of so many that up to two thousand go at once, all or none; more go in several such parts,
    /// and a restore that was cut off between two of them is completed by another one.
    func run(isRehearsal: Bool) throws(CommandError) -> RestoreResult {
        var result = RestoreResult()
        var part = Part()
        // Those that the backup has, also where this device does not open them: they are not what came later.
        var ids: [PersistentID] = []
        var isOnePart = true
        try backup.forEachItem { (id, item) throws(CommandError) in
            ids.append(id)
            guard let found = item?.found else { return }
            part.add(found)
            guard part.isFull else { return }
            try put(&part, &result, isRehearsal)
            isOnePart = false
        }
        // What fits into one part is made what it was at once, removals included.
        if isOnePart, ids.count == part.items.count, !ids.isEmpty {
            try put(&part, &result, isWhole: true, isRehearsal)
            return result
        }
        try put(&part, &result, isRehearsal)
        guard replaces else { return result }
        let request = KeybagRequest.retain(ids, isRehearsal: isRehearsal)
        guard case .restored(_, let removed) = try keychain.perform(request, of: .everybody) else {
            throw ToolKeychain.otherReply
        }
        result.removed.add(removed)
        // What had their names may be gone by now, or have another name from a later part.
        guard !isRehearsal else { return result }
        for found in result.takeRefused() {
            part.add(found)
            if part.isFull { try put(&part, &result, isRehearsal) }
        }
        try put(&part, &result, isRehearsal)
        return result
    }

    /// Refuses where a daemon would not let this program restore, so that no empty keychain is left behind.
    func requireRight() throws(CommandError) {
        guard keychain.hasDaemon else { return }
        let nothing = RestoreRequest(items: [], replaces: false, isWhole: false, isRehearsal: true)
        do throws(CommandError) { _ = try keychain.perform(.restore(nothing), of: .everybody) } catch {
            guard case .keychain(let cause) = error, cause.reason == .missingEntitlement else { return }
            throw error
        }
    }

    /// Puts items back, and begins another part.
    private func put(
        _ part: inout Part, _ result: inout RestoreResult, isWhole: Bool = false, _ isRehearsal: Bool
    ) throws(CommandError) {
        defer { part = Part() }
        guard !part.items.isEmpty else { return }
        let request = RestoreRequest(
            items: part.items, replaces: replaces, isWhole: isWhole, isRehearsal: isRehearsal)
        guard case .restored(let outcomes, let removed) = try keychain.perform(.restore(request), of: .everybody),
            outcomes.count == part.items.count
        else { throw ToolKeychain.otherReply }
        result.removed.add(removed)
        for (item, outcome) in zip(part.items, outcomes) { result.take(item, outcome, in: keychain) }
    }

    /// As many items as one request has.
    private struct Part {
        private(set) var items: [FoundItem] = []
        private var size = 0

        var isFull: Bool { items.count == RestoreRequest.mostItems || size > Part.largest }

        mutating func add(_ item: FoundItem) {
            items.append(item)
            size += 1000 + (item.secret?.count ?? 0)
        }

        private static let largest = 8 << 20
    }
}

/// What became of a backup's items.
struct RestoreResult {
    private(set) var counts: [RestoreOutcome: Int] = [:]
    private(set) var refused: [FoundItem] = []
    private var outOfReach: Set<PersistentID> = []
    /// How many of those that were added belong to others.
    private var addedFurther = 0
    private var rows: [[JSONText]] = []
    var removed = RemovedItems()

    var hasChanged: Bool { (counts[.added] ?? 0) + (counts[.changed] ?? 0) + removed.count > 0 }

    mutating func take(_ found: FoundItem, _ outcome: RestoreOutcome, in keychain: ToolKeychain) {
        counts[outcome, default: 0] += 1
        if outcome == .added, FurtherItem.isOne(found) { addedFurther += 1 }
        guard outcome != .same, outcome != .kept, outcome != .staysRemoved,
            let item = ToolItem(.item(found), in: keychain, of: .everybody)
        else {
            return
        }
        if outcome == .refused || outcome == .outOfReach { refused.append(found) }
        if outcome == .outOfReach { outOfReach.insert(found.persistentID) }
        // A table of more would tell nobody anything.
        guard rows.count < RestoreResult.mostRows else { return }
        rows.append([.text(outcome.word), .text(item.name), .text(item.account), .text(item.kind)])
    }

    /// Has the table of a rehearsal name those that would go: they are still there.
    mutating func nameRemoved(in keychain: ToolKeychain) throws(CommandError) {
        for case .item(let itemClass, let id) in removed.first {
            let request = MatchRequest(
                predicate: ToolItem.predicate(of: itemClass, id), returning: .attributes, limit: .single)
            for found in try keychain.match(request, of: .everybody) {
                guard let item = ToolItem(found, in: keychain, of: .everybody) else { continue }
                rows.append([.text("removed"), .text(item.name), .text(item.account), .text(item.kind)])
            }
        }
    }

    /// Those that were refused, to be tried again.
    mutating func takeRefused() -> [FoundItem] {
        defer { (refused, counts[.refused], counts[.outOfReach]) = ([], nil, nil) }
        return refused
    }

    func isOutOfReach(_ found: FoundItem) -> Bool { outOfReach.contains(found.persistentID) }

    /// The table of a rehearsal.
    func print() {
        var listing = Listing([
            .init("WOULD BE", "outcome"), .init("NAME", "name"), .init("USER", "user"), .init("KIND", "kind"),
        ])
        listing.rows = rows
        if !rows.isEmpty { listing.print(.people) }
        Swift.print(words("would be ", "would stay as they are"))
    }

    func summary(_ keychain: String) -> String { "the keychain \(keychain): \(words("", "stay as they are"))" }

    private func words(_ prefix: String, _ staying: String) -> String {
        let stay = (counts[.same] ?? 0) + (counts[.kept] ?? 0)
        let added = counts[.added] ?? 0
        let counted = addedFurther > 0 ? " (\(FurtherItem.counted(added, including: addedFurther)))" : ""
        var parts = ["\(prefix)added: \(added)\(counted)", "\(prefix)changed: \(counts[.changed] ?? 0)"]
        if removed.count > 0 { parts.append("\(prefix)removed: \(removed.count)") }
        parts.append("\(staying): \(stay)")
        if let gone = counts[.staysRemoved] {
            parts.append(
                "\(prefix.isEmpty ? "stay removed" : "would stay removed"): \(gone), which are shared and were removed later (`llavero undelete NAME` brings one back; restored into another keychain they are there)"
            )
        }
        return parts.joined(separator: ", ")
    }

    private static let mostRows = 1000
}

extension RestoreOutcome {
    fileprivate var word: String {
        switch self {
        case .added: "added"
        case .changed: "changed"
        case .kept, .same, .staysRemoved: "kept"
        case .refused, .outOfReach: "left out"
        }
    }
}

extension ToolKeychain {
    /// What its backups are made and opened with, unlocked if somebody can do that.
    func unlockedSecrets(_ descriptor: Int32?) throws(CommandError) -> BackupSecrets {
        let secrets = try backupSecrets()
        if secrets.snapshot != nil { return secrets }
        // A daemon would keep it unlocked for other programs.
        guard !hasDaemon else { throw .needsPerson(lockedSentence) }
        try PasscodeInput.using(
            descriptor, "The keychain \(shownName) is locked.", secret: "the keychain's passcode"
        ) { (passcode) throws(CommandError) in
            _ = try perform(.unlock(passcode))
        }
        return try backupSecrets()
    }
}
