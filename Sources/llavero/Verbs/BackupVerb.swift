// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBackup
internal import KeychainConnection
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTools

/// `llavero backup`.
enum BackupVerb: Verb {
    static let name = "backup"
    static let summary = "writes an encrypted backup, or verifies one"
    static let help = """
        usage: llavero backup FILE | - [--passphrase | --fd N] [--device-only]
               llavero backup --into FOLDER [--keep N] [--passphrase | --fd N] [--device-only]
               llavero backup --verify FILE | -

        Writes all items of a keychain into one encrypted file; `llavero restore` puts them back. What opens it: this device, by itself;
        the recovery key, if the keychain has one (nothing has to be typed for that); and with --passphrase a passphrase, which is asked
        for twice. With neither recovery key nor passphrase it asks for a passphrase.

        Items that must not leave the keychain (bound to the passcode, requiring authentication, keys of an enclave or that cannot be
        extracted) are left out and counted; items for this device only are in it, and open on this device only. A locked keychain
        cannot be backed up; of one that the system's daemon has, the items are in it that its rules show to llavero.

          --passphrase      also a passphrase opens it; this asks for the keychain's passcode, too
          --fd N            reads the passphrase from descriptor N
          --device-only     accepts that only this device can open it
          --into FOLDER     writes a file named after the keychain and the time into a folder
          --keep N          afterwards removes older backups of this keychain from that folder, but for the newest N
          --verify          checks a file from its first byte to its last, without opening it
          --keychain NAME   another keychain, by name or path
          --quiet           prints no confirmation

        It ends with 1 when items cannot be read, which it leaves out and counts.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        if options.has("--verify") {
            let path = try options.operand("FILE")
            let header = try BackupFile(path).verify()
            options.tell("\(BackupText.described(header)): complete and undamaged")
            return
        }
        // A reader that goes away ends the writing with an error, not this program without a word.
        _ = signal(SIGPIPE, SIG_IGN)
        let folder = options.value("--into")
        let keep = try options.number("--keep", in: 1...1000, "a number from 1 to 1000")
        guard keep == nil || folder != nil else { throw .usage("--keep requires --into") }
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        let job = try BackupJob(of: keychain, options)
        let damaged: Int
        if let folder {
            try options.requireNoOperands(name)
            let path = "\(folder)/\(job.fileName)"
            damaged = try job.write(to: path, options)
            if let keep { try OldBackups(in: folder, of: job.keychainID).remove(keeping: keep, options) }
        } else {
            let path = try options.operand("FILE")
            damaged = try job.write(to: path, options)
        }
        guard damaged == 0 else {
            throw .failure(
                "\(damaged) \(damaged == 1 ? "item" : "items") could not be read and \(damaged == 1 ? "is" : "are") not in the backup; `llavero check` shows details"
            )
        }
    }
}

/// One backup that is being made.
struct BackupJob {
    private let keychain: ToolKeychain
    private let secrets: BackupSecrets
    private let key: BackupKey
    private let header: BackupHeader

    var keychainID: KeychainUUID { secrets.keychain }

    /// One that this keychain alone opens, on this device and while it is unlocked.
    init(snapshotOf keychain: ToolKeychain, _ secrets: BackupSecrets) throws(CommandError) {
        // The device's secret alone would not do: who has the folder would need no passcode any more.
        guard let snapshot = secrets.snapshot else { throw .needsPerson(keychain.lockedSentence) }
        let key = try BackupJob.saying { () throws(BackupError) in try BackupKey() }
        let stanza = try BackupJob.saying { () throws(BackupError) in
            try BackupStanza.device(snapshot.locked, key)
        }
        (self.keychain, self.secrets, self.key) = (keychain, secrets, key)
        header = BackupHeader(
            key, keychain: secrets.keychain, time: BackupText.now, signer: try BackupJob.signer(secrets),
            stanzas: [stanza])
    }

    init(of keychain: ToolKeychain, _ options: Options) throws(CommandError) {
        let secrets = try keychain.backupSecrets()
        let descriptor = try PasscodeInput.descriptor(options, "--fd")
        let hasPassphrase = options.has("--passphrase") || descriptor != nil
        guard hasPassphrase || secrets.recovery != nil || options.has("--device-only") || Screen.complaints.isTerminal
        else {
            throw .needsPerson(
                "only this device could open the backup: give a passphrase with --fd N, make a recovery key with `llavero recovery make\(keychain.option)`, or use --device-only"
            )
        }
        let key = try BackupJob.saying { () throws(BackupError) in try BackupKey() }
        var stanzas = [
            try BackupJob.saying { () throws(BackupError) in
                try BackupStanza.device(secrets.device.locked, key)
            }
        ]
        if let recovery = secrets.recovery.flatMap(RecoveryPublicKey.init) {
            stanzas.append(
                try BackupJob.saying { () throws(BackupError) in try BackupStanza.recovery(recovery, key) })
        }
        if hasPassphrase || secrets.recovery == nil && !options.has("--device-only") {
            // Who chooses the passphrase can read everything afterwards.
            try OwnerCheck.require([keychain], nil, "A backup with a passphrase of yours is to be made.")
            let passphrase = try PasscodeInput.passcode(
                descriptor, "A passphrase for the backup of the keychain \(keychain.shownName).", confirms: true)
            stanzas.append(
                try BackupJob.saying { () throws(BackupError) in
                    try BackupStanza.passphrase(passphrase.bytes, key)
                })
        }
        let signer = try BackupJob.signer(secrets)
        (self.keychain, self.secrets, self.key) = (keychain, secrets, key)
        header = BackupHeader(
            key, keychain: secrets.keychain, time: BackupText.now, signer: signer, stanzas: stanzas)
    }

    private static func signer(_ secrets: BackupSecrets) throws(CommandError) -> [UInt8] {
        try saying { () throws(BackupError) in
            do throws(CryptoError) { return try Ed25519.publicKey(of: secrets.signer.locked) } catch {
                throw .crypto(error)
            }
        }
    }

    /// The keychain's name and the time.
    var fileName: String {
        let digits = UTCTime(secondsSince2001: Int64(header.time.rounded(.down))).digits
        let name = KeychainNames.name(of: keychain.place).split(separator: "/").last.map(String.init) ?? "keychain"
        return "\(name)-\(digits)\(OldBackups.suffix)"
    }

    /// Writes it, to standard output where the path is `-`; returns how many items could not be read.
    ///
    /// Without options it says nothing, and it is none that a person keeps.
    func write(to path: String, _ options: Options?) throws(CommandError) -> Int {
        let (counts, damaged): (BackupCounts, Int)
        if path == "-" {
            guard !Screen.output.isTerminal else { throw .usage("a backup is not written to a terminal") }
            (counts, damaged) = try unsafe write { (bytes) throws(BackupError) in try unsafe BackupJob.put(bytes, to: 1)
            }
        } else {
            let file = try NewFile(for: path)
            let number = file.descriptor.number
            (counts, damaged) = try unsafe write { (bytes) throws(BackupError) in
                try unsafe BackupJob.put(bytes, to: number)
            }
            try file.takeEmptyPlace()
        }
        let after = try keychain.backupSecrets().commits
        if after != secrets.commits {
            options?.tell("items changed while the backup was made: each is in it as it was at some moment meanwhile")
        }
        guard let options else { return damaged }
        options.tell(BackupText.summary(counts, path == "-" ? nil : path))
        BackupMark(keychain)?.note()
        return damaged
    }

    private func write(_ sink: @escaping BackupWriter.Sink) throws(CommandError) -> (BackupCounts, Int) {
        let writer = try BackupJob.saying { () throws(BackupError) in
            try unsafe BackupWriter(header, key, device: secrets.device.locked, to: sink)
        }
        var damaged = 0
        var bar = ProgressBar("backing up")
        defer { bar.end() }
        var done = 0
        for itemClass in ItemClass.allCases {
            // What demands somebody is only counted.
            let all = pages(itemClass, [.attributes, .persistentReference])
            while let part = try all.next() {
                for case .item(let item) in part where item.accessControl.rules != nil { writer.leaveOut() }
            }
            let pages = pages(itemClass, [.attributes, .data, .persistentReference])
            while let part = try pages.next() {
                for found in part {
                    done += 1
                    bar.step(to: done, of: nil)
                    guard case .item(let item) = found else {
                        damaged += 1
                        continue
                    }
                    if item.accessControl.rules != nil { continue }
                    guard let kept = BackupItem(item) else {
                        writer.leaveOut()
                        continue
                    }
                    try BackupJob.saying { () throws(BackupError) in
                        try writer.put(kept, isBound: item.accessControl.protection.isThisDeviceOnly)
                    }
                }
            }
        }
        let counts = try BackupJob.saying { () throws(BackupError) in try writer.finish(signing: secrets.signer.locked)
        }
        return (counts, damaged)
    }

    private func pages(_ itemClass: ItemClass, _ returning: ReturnTypes) -> ItemPages {
        let predicate = ItemPredicate(
            queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
        return ItemPages(predicate, returning: returning, in: keychain, of: .everybody, rows: 500, skipsGuarded: true)
    }

    private static func saying<Result: ~Copyable>(
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

/// Backups of one keychain in a folder, known by their headers.
struct OldBackups {
    static let suffix = ".llavero-backup"
    private let paths: [(path: String, time: Double)]

    init(in folder: String, of keychain: KeychainUUID) throws(CommandError) {
        guard let directory = unsafe opendir(folder) else { throw OpenFile.failure("\(folder) cannot be listed") }
        defer { unsafe closedir(directory) }
        var paths: [(String, Double)] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe OldBackups.name(of: entry)
            guard name.hasSuffix(OldBackups.suffix) else { continue }
            let path = "\(folder)/\(name)"
            // What is no backup of this keychain, or cannot be read, is not ours to remove.
            guard let header = try? BackupFile(path).reader().header, header.keychain == keychain else { continue }
            paths.append((path, header.time))
        }
        self.paths = paths.sorted { $0.1 > $1.1 }
    }

    static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        unsafe withUnsafePointer(to: &entry.pointee.d_name) {
            unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
    }

    /// Without options it says nothing.
    func remove(keeping count: Int, _ options: Options?) throws(CommandError) {
        for old in paths.dropFirst(count) {
            guard unsafe unlink(old.path) == 0 else { throw OpenFile.failure("\(old.path) cannot be removed") }
            options?.tell("removed the older backup \(PlainText.shown(old.path))")
        }
    }
}

/// Notes beside a keychain's folder when it was last backed up: the time of a file of its own.
struct BackupMark {
    private let path: String

    /// nil where the folder is not this user's.
    init?(_ keychain: ToolKeychain) {
        guard let folder = keychain.location, let slash = folder.lastIndex(of: "/") else { return nil }
        path =
            KeychainFolder(
                root: String(folder[..<slash]), name: String(folder[folder.index(after: slash)...])
            ).lastBackup
    }

    /// A backup that is made all the same is none the worse when this fails.
    func note() {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        futimens(file, nil)
        close(file)
    }

    /// Seconds since 2001; nil where none was made from here.
    var time: Double? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return Double(Int64(status.st_mtim.tv_sec) - UTCTime.secondsFrom1970To2001)
    }
}

/// Sentences about backups.
enum BackupText {
    static func described(_ header: BackupHeader) -> String {
        let locks = header.stanzas.map { stanza in
            switch stanza {
            case .passphrase: "a passphrase"
            case .recovery: "a recovery key"
            case .device: "the device that made it"
            }
        }
        return "a backup of \(PastItem.time(header.time)), opened by \(locks.joined(separator: " or "))"
    }

    static func summary(_ counts: BackupCounts, _ path: String?) -> String {
        var text = "backed up \(counts.items) \(counts.items == 1 ? "item" : "items")"
        if let path { text += " to \(PlainText.shown(path))" }
        if counts.bound > 0 { text += "; \(counts.bound) of them open on this device only" }
        if counts.left > 0 { text += "; left out \(counts.left) that must not leave the keychain" }
        return text
    }

    /// Seconds since 2001.
    static var now: Double {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Double(Int64(now.tv_sec) - UTCTime.secondsFrom1970To2001) + Double(now.tv_nsec) / 1e9
    }
}

extension BackupItem {
    /// nil of an item that must not leave the keychain.
    init?(_ found: FoundItem) {
        guard let attributes = found.attributes, found.accessControl.rules == nil,
            found.accessControl.protection != .whenPasscodeSetThisDeviceOnly,
            attributes[.tokenID] == nil || attributes[.tokenID] == .emptyString,
            // Of a key that may not leave the bytes are not told.
            found.itemClass != .key || found.secret != nil
        else { return nil }
        self.init(
            itemClass: found.itemClass, id: found.persistentID, attributes: attributes, secret: found.secret)
    }

    /// The item as a keychain takes it back; nil of one that says nothing of its protection.
    var found: FoundItem? {
        guard case .string(let name)? = attributes[.accessible], let protection = Accessibility(name: name) else {
            return nil
        }
        return FoundItem(
            itemClass: itemClass, persistentID: id, attributes: attributes,
            accessControl: AccessControl(protection: protection), secret: secret)
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
