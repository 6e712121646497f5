// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBackup
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTools

/// One backup that is being made.
struct BackupJob {
    private let keychain: ToolKeychain
    private let secrets: BackupSecrets
    private let key: BackupKey
    private let header: BackupHeader
    /// What the one before it has; nil where this one has everything.
    private let earlier: [PersistentID: BackupEntry]?

    var keychainID: KeychainUUID { secrets.keychain }

    /// One that this keychain alone opens, on this device and while it is unlocked.
    init(snapshotOf keychain: ToolKeychain, _ secrets: BackupSecrets) throws(CommandError) {
        // The device's secret alone would not do: who has the folder would need no passcode any more.
        guard let snapshot = secrets.snapshot else { throw .needsPerson(keychain.lockedSentence) }
        let key = try BackupJob.saying { () throws(BackupError) in try BackupKey() }
        let stanza = try BackupJob.saying { () throws(BackupError) in try BackupStanza.device(snapshot.locked, key) }
        try self.init(keychain, secrets, key, [stanza], nil)
    }

    /// One that has everything; `isOwner` says that the keychain's passcode was given already.
    init(
        of keychain: ToolKeychain, isOwner: Bool, _ phrase: BackupPhrase, _ options: Options
    ) throws(CommandError) {
        var secrets = try keychain.backupSecrets()
        let hasPassphrase = options.has("--passphrase") || phrase.given != nil
        guard hasPassphrase || secrets.recovery != nil || options.has("--device-only") || Screen.complaints.isTerminal
        else {
            throw .needsPerson(
                "only this device could open the backup: give a passphrase with --fd N, make a recovery key with `llavero recovery make\(keychain.option)`, or use --device-only"
            )
        }
        let wantsPassphrase = hasPassphrase || secrets.recovery == nil && !options.has("--device-only")
        if wantsPassphrase, !isOwner {
            // Who chooses the passphrase can read everything afterwards.
            try OwnerCheck.require(
                [keychain], nil,
                "A backup with a passphrase of yours is to be made. The passcode of the keychain \(keychain.shownName) comes first.",
                option: BackupVerb.passcodeOption
            )
            // Without a daemon it was locked until now.
            secrets = try keychain.backupSecrets()
        }
        let key = try BackupJob.saying { () throws(BackupError) in try BackupKey() }
        var stanzas =
            [try BackupJob.deviceStanza(keychain, secrets, key)] + (try BackupJob.recoveryStanza(secrets, key))
        if wantsPassphrase {
            let passphrase = try phrase.asked()
            stanzas.append(
                try BackupJob.saying { () throws(BackupError) in
                    try BackupStanza.passphrase(passphrase.bytes, key)
                })
        }
        try self.init(keychain, secrets, key, stanzas, nil)
    }

    /// One that has only what changed since an earlier one; it opens by what opens that one, so nothing is asked for.
    init(of keychain: ToolKeychain, after base: EarlierBackup) throws(CommandError) {
        let secrets = try keychain.backupSecrets()
        let key = try BackupJob.saying { () throws(BackupError) in try BackupKey() }
        let stanza = try BackupJob.saying { () throws(BackupError) in try BackupStanza.base(base.key, key) }
        let stanzas =
            [stanza, try BackupJob.deviceStanza(keychain, secrets, key)] + (try BackupJob.recoveryStanza(secrets, key))
        try self.init(keychain, secrets, key, stanzas, base)
    }

    private init(
        _ keychain: ToolKeychain, _ secrets: BackupSecrets, _ key: BackupKey, _ stanzas: [BackupStanza],
        _ base: EarlierBackup?
    ) throws(CommandError) {
        (self.keychain, self.secrets, self.key, earlier) = (keychain, secrets, key, base?.entries)
        header = BackupHeader(
            key, keychain: secrets.keychain, time: BackupText.now, signer: try BackupJob.signer(secrets),
            stanzas: stanzas, base: base?.base)
    }

    /// Where there is a passcode, what the device knows does not open it alone: a backup that lies beside the keychain must not
    /// be a way around it.
    private static func deviceStanza(
        _ keychain: ToolKeychain, _ secrets: BackupSecrets, _ key: BackupKey
    ) throws(CommandError) -> BackupStanza {
        let hasPasscode = try keychain.state().lockState != .noPasscode
        guard let secret = hasPasscode ? secrets.snapshot : secrets.device else {
            throw .needsPerson(keychain.lockedSentence)
        }
        return try saying { () throws(BackupError) in try BackupStanza.device(secret.locked, key) }
    }

    private static func recoveryStanza(
        _ secrets: BackupSecrets, _ key: BackupKey
    ) throws(CommandError) -> [BackupStanza] {
        guard let recovery = secrets.recovery.flatMap(RecoveryPublicKey.init) else { return [] }
        return [try saying { () throws(BackupError) in try BackupStanza.recovery(recovery, key) }]
    }

    private static func signer(_ secrets: BackupSecrets) throws(CommandError) -> [UInt8] {
        try saying { () throws(BackupError) in
            do throws(CryptoError) { return try Ed25519.publicKey(of: secrets.signer.locked) } catch {
                throw .crypto(error)
            }
        }
    }

    /// The keychain's name and the time.
    var fileName: String { plainName + BackupFolder.suffix }

    private var plainName: String {
        let digits = UTCTime(secondsSince2001: Int64(header.time.rounded(.down))).digits
        let name = KeychainNames.name(of: keychain.place).split(separator: "/").last.map(String.init) ?? "keychain"
        return "\(name)-\(digits)"
    }

    /// Where it goes in a folder: under a number besides, when there is one of this second.
    func path(in folder: String) -> String {
        let first = "\(folder)/\(fileName)"
        let others = (2...99).lazy.map { "\(folder)/\(plainName)_\($0)\(BackupFolder.suffix)" }
        return unsafe access(first, F_OK) == 0 ? others.first { unsafe access($0, F_OK) != 0 } ?? first : first
    }

    /// Writes it, to standard output where the path is `-`; returns what it lacks, which a file is named for then.
    ///
    /// Without options it says nothing, and it is none that a person keeps.
    func write(to path: String, _ options: Options?) throws(CommandError) -> BackupLack {
        let content: BackupContent
        var written: String? = path == "-" ? nil : path
        if path == "-" {
            guard !Screen.output.isTerminal else { throw .usage("a backup is not written to a terminal") }
            content = try unsafe write { (bytes) throws(BackupError) in try unsafe BackupJob.put(bytes, to: 1) }
        } else {
            let file = try NewFile(for: path)
            let number = file.descriptor.number
            content = try unsafe write { (bytes) throws(BackupError) in try unsafe BackupJob.put(bytes, to: number) }
            // One that lacks items must not pass for a whole one, and what there is may be all that is left.
            let isNamed = options != nil && content.lack.isAny
            if isNamed { written = content.isEmpty ? nil : path + BackupFolder.incomplete }
            if !isNamed || !content.isEmpty {
                try file.takeEmptyPlace(suffix: isNamed ? BackupFolder.incomplete : "")
            }
        }
        guard let options else { return content.lack }
        guard path == "-" || written != nil else {
            Tool.say("nothing can be read, so no backup was written")
            return content.lack
        }
        if !content.isOfOneMoment, try keychain.backupSecrets().commits != secrets.commits {
            options.tell("items changed while the backup was made: each is in it as it was at some moment meanwhile")
        }
        options.tell(
            content.summary(isPart: earlier != nil, isOfCircle: CircleTool.isInCircle(keychain) ?? false, written))
        if !content.lack.isAny, BackupMark(keychain)?.note() == false {
            Tool.say("`llavero status` shows the last backup as before: beside the keychain nothing can be written")
        }
        return content.lack
    }

    private func write(_ sink: @escaping BackupWriter.Sink) throws(CommandError) -> BackupContent {
        let writer = try BackupJob.saying { () throws(BackupError) in
            try unsafe BackupWriter(
                header, key, device: secrets.device.locked, commits: secrets.commits, to: sink)
        }
        guard case .view(let view) = try keychain.perform(.holdView) else { throw ToolKeychain.otherReply }
        defer { if let view { _ = try? keychain.perform(.letGoOfView(view)) } }
        var content = BackupContent(isOfOneMoment: view != nil)
        var bar = ProgressBar("backing up")
        defer { bar.end() }
        var entries: [BackupEntry] = []
        for itemClass in ItemClass.allCases {
            var rows = try RowsToBackUp(itemClass, of: keychain, in: view, earlier: earlier)
            try rows.read(&content, into: writer, secrets.keychain, &bar)
            entries += rows.entries()
        }
        try BackupJob.saying { () throws(BackupError) in
            try writer.put(entries)
            _ = try writer.finish(signing: secrets.signer.locked)
        }
        content.take(entries)
        // Without a daemon all of it is shown; and what a damaged part would say of groups is lost, as is said already.
        if keychain.hasDaemon, !content.lack.damage.isAny {
            content.lack.unreached = try keychain.unreached()
            if content.lack.isAny { content.lack.refusal = keychain.refusalOfPasswords() }
        }
        return content
    }

    static func saying<Result: ~Copyable>(
        _ body: () throws(BackupError) -> Result
    ) throws(CommandError) -> Result {
        do throws(BackupError) { return try body() } catch { throw BackupFile.failure(error, "the backup") }
    }

    private static func put(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(BackupError) {
        var rest = unsafe bytes
        while rest.count > 0 {
            let count = unsafe Glibc.write(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .file(count == 0 ? EIO : errno) }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}

/// What a backup came to have.
struct BackupContent {
    /// Whether all of it is as it was at one moment.
    let isOfOneMoment: Bool
    /// Items in the file, and what it has not.
    var written = 0
    var lack = BackupLack()
    /// Of those in the file, the fields, codes, notes and attachments of others.
    var further = 0
    /// What went with an old device key or passcode, once somebody asked.
    var lost: Set<PersistentReference>?
    /// Of all items that there are.
    private var states: [BackupEntry.State: Int] = [:]

    init(isOfOneMoment: Bool) { self.isOfOneMoment = isOfOneMoment }

    /// Whether it has nothing that could be restored.
    var isEmpty: Bool { written == 0 && states.isEmpty }

    mutating func take(_ entries: [BackupEntry]) { for entry in entries { states[entry.state, default: 0] += 1 } }

    func summary(isPart: Bool, isOfCircle: Bool, _ path: String?) -> String {
        let (bound, left) = (states[.bound] ?? 0, states[.left] ?? 0)
        let items = (states[.kept] ?? 0) + bound
        var text =
            isPart
            ? "backed up \(FurtherItem.counted(written, including: further)), new or changed since the last backup"
            : "backed up \(FurtherItem.counted(items, including: further))"
        if let path { text += "\(isPart ? ", " : " ")to \(PlainText.shown(path))" }
        if bound > 0 { text += "; \(bound) of them open on this device only" }
        if left > 0 {
            text +=
                "; left out \(left) that must not leave the keychain\(isOfCircle ? ", its records of its circle among them" : "")"
        }
        return text
    }
}

/// A backup that was made here before, as far as this device opens it.
struct EarlierBackup {
    let base: BackupBase
    let key: BackupKey
    let entries: [PersistentID: BackupEntry]
    /// How many changes more it knows of than the keychain does now: then an older copy was put in place.
    let laterChanges: UInt64

    /// Whether another one may go on from it: the way back to one that has everything does not become too long.
    var mayBeBase: Bool { base.depth <= BackupBase.mostDepth }

    /// Throws where it is damaged, or another device's.
    init(_ path: String, _ secrets: BackupSecrets) throws(CommandError) {
        let file = try BackupFile(path)
        let reader = try file.reader(skippingItems: true)
        let isOwn =
            reader.header.keychain == secrets.keychain
            && (try? Ed25519.publicKey(of: secrets.signer.locked)) == reader.header.signer
        guard isOwn,
            try file.saying({ () throws(BackupError) in try reader.open(with: secrets) })
        else { throw BackupFile.failure(.notOpened, path) }
        var (entries, commits): ([PersistentID: BackupEntry], UInt64) = ([:], 0)
        while let record = try file.saying({ () throws(BackupError) in try reader.next() }) {
            switch record {
            case .list(let part): for entry in part { entries[entry.id] = entry }
            case .counts(let counts): commits = counts.commits
            case .item, .bound: break
            }
        }
        laterChanges = commits > secrets.commits ? commits - secrets.commits : 0
        guard let hash = reader.hash, let key = reader.openedKey else { throw BackupFile.failure(.damaged, path) }
        (base, self.key, self.entries) = (BackupBase(reader.header, hash: hash), key, entries)
    }
}

extension SecretValue {
    /// The same in locked memory.
    var locked: SecretBytes { unsafe withUnsafeBytes { unsafe SecretBytes(copying: $0) } }
}

extension ToolKeychain {
    func backupSecrets() throws(CommandError) -> BackupSecrets {
        guard case .backup(let secrets) = try perform(.backupSecrets) else { throw ToolKeychain.otherReply }
        return secrets
    }
}
