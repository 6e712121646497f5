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
        usage: llavero backup FILE | - [--passphrase | --fd N] [--passcode-fd N] [--device-only]
               llavero backup --into FOLDER [--incremental] [--keep N] [--passphrase | --fd N] [--passcode-fd N] [--device-only]
               llavero backup --verify FILE | -

        Writes all items of a keychain into one encrypted file; `llavero restore` puts them back. What opens it: this device, by itself;
        the recovery key, if the keychain has one (nothing has to be typed for that); and with --passphrase a passphrase, which is asked
        for twice. With neither recovery key nor passphrase it asks for a passphrase.

        Items that must not leave the keychain (bound to the passcode, requiring authentication, keys of an enclave or that cannot be
        extracted) are left out and counted; items for this device only are in it, and open on this device only. A locked keychain
        cannot be backed up; of one that the system's daemon has, the items are in it that its rules show to llavero. Earlier versions and
        removed items (`llavero history`) are not in it.

          --passphrase      also a passphrase opens it; this asks for the keychain's passcode, too
          --fd N            reads the passphrase from descriptor N
          --passcode-fd N   reads the keychain's passcode from another descriptor, for cron and units; without a daemon it also
                            unlocks the keychain, for this command only
          --device-only     accepts that only this device can open it
          --into FOLDER     writes a file named after the keychain and the time into a folder, which it makes, for you alone, where
                            there is none
          --incremental     writes only what has changed since the newest backup in that folder, which opens both; after 30 such files,
                            and where there is none to go on from, everything. To restore, name the file; the others stand beside it
          --keep N          afterwards removes older backups of this keychain from that folder, but for the newest N and those that
                            they go on from
          --verify          checks a file from its first byte to its last, without opening it, and those that it goes on from, which
                            have to be in its folder
          --keychain NAME   another keychain, by name or path
          --quiet           prints no confirmation

        It ends with 1 when items cannot be read, or a daemon's rules do not show them to llavero, which it leaves out and counts; the
        file's name has .incomplete behind it then, so that it passes for no whole one, and where nothing can be read there is none.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        if options.has("--verify") {
            let chain = try BackupChain(try options.operand("FILE"))
            let others = chain.isAlone ? "" : ", and so are the \(chain.count - 1) before it"
            let described = BackupText.described(chain.header)
            // The file itself has no place to say it in.
            guard !chain.path.hasSuffix(BackupFolder.incomplete) else {
                throw .failure(
                    "\(described): undamaged\(others), but items are missing in it, which could not be read when it was made, or which a daemon did not show"
                )
            }
            options.tell("\(described): complete and undamaged\(others)")
            return
        }
        // A reader that goes away ends the writing with an error, not this program without a word.
        _ = signal(SIGPIPE, SIG_IGN)
        let folder = options.value("--into")
        let keep = try options.number("--keep", in: 1...1000, "a number from 1 to 1000")
        guard folder != nil || keep == nil && !options.has("--incremental") else {
            throw .usage("--keep and --incremental require --into")
        }
        let passcode = try PasscodeInput.descriptor(options, passcodeOption)
        if let passcode, try PasscodeInput.descriptor(options, "--fd") == passcode {
            throw .usage("--fd and \(passcodeOption) have to be different descriptors")
        }
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        // Before anybody is asked for anything.
        if folder == nil, let path = options.operands.first, path != "-" {
            try NewFile.requirePlace(path, otherwise: "- is standard output")
            guard unsafe access(path, F_OK) != 0 else {
                throw .failure(
                    "\(PlainText.shown(path)) is there already; remove it, or give another name, or --into FOLDER")
            }
        }
        var isOwner = passcode != nil
        // Who is to give the passcode for more than that is not told afterwards that it is locked.
        if passcode == nil, Screen.complaints.isTerminal { isOwner = try keychain.requireUnlocked() }
        if passcode != nil {
            try OwnerCheck.require([keychain], passcode, "The keychain is to be backed up.", option: passcodeOption)
            guard try keychain.backupSecrets().snapshot != nil else {
                throw .needsPerson(
                    "\(keychain.lockedSentence): a daemon has it, and \(passcodeOption) unlocks it for no other program; `llavero unlock --if-locked --for 5m` before it does"
                )
            }
        }
        let lack: BackupLack
        if let folder {
            try options.requireNoOperands(name)
            let secrets = try keychain.backupSecrets()
            try BackupFolder.make(folder, options)
            // What cannot be read, or is another's, is nothing to go on from, and says nothing of this keychain.
            let there = try BackupFolder(folder, of: secrets.keychain)
            let newest = there.newest
            let earlier = newest.flatMap { try? EarlierBackup($0, secrets) }
            let phrase = try BackupPhrase(options, of: keychain)
            let job: BackupJob
            if let newest, let earlier, earlier.mayBeBase, options.has("--incremental"),
                let first = there.first(of: newest), try first.opens(with: phrase, secrets)
            {
                job = try BackupJob(of: keychain, after: earlier)
            } else {
                job = try BackupJob(of: keychain, isOwner: isOwner, phrase, options)
            }
            let path = job.path(in: folder)
            lack = try job.write(to: path, options)
            if let newest, let earlier, let failure = laterChanges(earlier, newest) {
                lack.say()
                throw failure
            }
            // What could not be read now may be in an older one.
            if let keep, !lack.isAny {
                try BackupFolder(folder, of: job.keychainID).remove(keeping: keep, with: path, options)
            }
        } else {
            let path = try options.operand("FILE")
            let phrase = try BackupPhrase(options, of: keychain)
            lack = try BackupJob(of: keychain, isOwner: isOwner, phrase, options).write(to: path, options)
        }
        try lack.refuseBackup()
    }

    /// The option for the keychain's passcode; `--fd` is the passphrase's here.
    static let passcodeOption = "--passcode-fd"

    /// Says that a backup knows of changes which the keychain has no more; then everything is left where it is.
    private static func laterChanges(_ earlier: EarlierBackup, _ path: String) -> CommandError? {
        guard earlier.laterChanges > 0 else { return nil }
        let changes = earlier.laterChanges == 1 ? "one change" : "\(earlier.laterChanges) changes"
        let shown = PlainText.shown(path)
        return .failure(
            "\(shown) knows of \(changes) that this keychain does not have: an older copy of the keychain was put in place. No backup was removed; `llavero restore \(ShellWord.quoted(shown))` brings back what is missing"
        )
    }
}

/// Notes beside a keychain's folder when it was last backed up: the time of a file of its own.
struct BackupMark {
    private let path: String

    /// nil where the folder is not this user's; of a keychain that the system's daemon has, the note is where the user's own one would be.
    init?(_ keychain: ToolKeychain) {
        let place = keychain.location ?? (keychain.isOfSystem ? keychain.host.embedded.folder : nil)
        guard let place else { return nil }
        self.init(beside: place)
    }

    init?(beside folder: String) {
        guard let slash = folder.lastIndex(of: "/") else { return nil }
        path =
            KeychainFolder(
                root: String(folder[..<slash]), name: String(folder[folder.index(after: slash)...])
            ).lastBackup
    }

    /// False where it cannot be noted: a backup that is made all the same is none the worse.
    func note() -> Bool {
        // Who has none but the system's keychains may have no folder for them.
        if let slash = path.lastIndex(of: "/") { try? KeychainFolder.makeFolders(String(path[..<slash])) }
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        return futimens(file, nil) == 0
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
            case .base: "the one it goes on from"
            }
        }
        return "a backup of \(PastItem.time(header.time)), opened by \(locks.joined(separator: " or "))"
    }

    /// Seconds since 2001.
    static var now: Double {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Double(Int64(now.tv_sec) - UTCTime.secondsFrom1970To2001) + Double(now.tv_nsec) / 1e9
    }
}
