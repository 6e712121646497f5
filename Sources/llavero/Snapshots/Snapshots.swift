// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBackup
internal import KeychainConnection
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTools

/// Backups of a keychain beside its folder, to go back to when something that was done to it is regretted.
///
/// They open on this device alone, and only while the keychain is unlocked; they end with the device key, and with a rotation of
/// the keychain's keys.
struct Snapshots {
    private let folder: String

    /// nil where the keychain's folder is not this user's.
    init?(of keychain: ToolKeychain) {
        guard let location = keychain.location, let folder = SnapshotFolder.path(beside: location) else { return nil }
        self.folder = folder
    }

    // MARK: What is there

    /// All of them, the newest first, by their names alone.
    ///
    /// Behind them come those of days to come: the clock was ahead when they were made, or is behind now, and nothing tells how
    /// old they are.
    var all: [KeychainSnapshot] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var all: [KeychainSnapshot] = []
        while let entry = unsafe readdir(directory) {
            if let snapshot = KeychainSnapshot(unsafe BackupFolder.name(of: entry), in: folder) { all.append(snapshot) }
        }
        let today = KeychainSnapshot.today
        return all.sorted {
            ($0.day > today ? 0 : 1, $0.digits, $0.commits ?? 0) > ($1.day > today ? 0 : 1, $1.digits, $1.commits ?? 0)
        }
    }

    /// Those that open, the newest first.
    func opening(with secrets: BackupSecrets) -> [KeychainSnapshot] { all.filter { $0.opens(with: secrets) } }

    /// Whether one is made each day; a file among them says that none is.
    var areDaily: Bool { unsafe access(off, F_OK) != 0 }

    func setDaily(_ isOn: Bool) throws(CommandError) {
        if isOn {
            guard unsafe unlink(off) == 0 || errno == ENOENT else { throw OpenFile.failure("\(off) cannot be removed") }
            return
        }
        try makeFolder()
        let file = unsafe open(off, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw OpenFile.failure("\(off) cannot be made") }
        close(file)
    }

    private var off: String { "\(folder)/\(SnapshotFolder.off)" }

    // MARK: Making and removing

    /// Makes one, reads it once more, and removes those that are too many or open no more.
    @discardableResult
    func make(_ reason: KeychainSnapshot.Reason, of keychain: ToolKeychain) throws(CommandError) -> KeychainSnapshot {
        let draft = try draft(reason, of: keychain)
        draft.keep()
        return draft.snapshot
    }

    /// Makes one before something that perhaps changes nothing; it is kept, or dropped again, once that is known.
    func draft(
        _ reason: KeychainSnapshot.Reason, of keychain: ToolKeychain
    ) throws(CommandError) -> SnapshotDraft {
        let secrets = try keychain.backupSecrets()
        let job = try BackupJob(snapshotOf: keychain, secrets)
        try makeFolder()
        let plain = job.fileName
        let second = "\(folder)/\(plain.dropLast(BackupFolder.suffix.count))-"
        if let same = all.first(where: { $0.path.hasPrefix(second) && $0.commits == secrets.commits }),
            secrets.commits > 0, same.opens(with: secrets)
        {
            return SnapshotDraft(snapshot: same)
        }
        let lack = try job.write(to: "\(folder)/\(plain)", nil)
        guard let written = KeychainSnapshot(plain, in: folder) else {
            throw OpenFile.failure("\(folder)/\(plain) is gone")
        }
        let items = try written.contents(with: secrets) { (_) in }.items
        let name = KeychainSnapshot.name(plain, reason, items: items, commits: secrets.commits)
        guard unsafe rename(written.path, "\(folder)/\(name)") == 0, let snapshot = KeychainSnapshot(name, in: folder)
        else {
            throw OpenFile.failure("\(written.path) cannot be renamed")
        }
        return SnapshotDraft(snapshot: snapshot) { isKept in
            guard isKept else {
                unsafe unlink(snapshot.path)
                return
            }
            // One that lacks items is no reason to let go of one that has them.
            if !lack.isAny { removeOld(besides: snapshot, secrets) }
        }
    }

    /// The one that was just made stays whatever its size and its date: it may be the only way back.
    private func removeOld(besides made: KeychainSnapshot, _ secrets: BackupSecrets) {
        var (count, size) = (1, made.size)
        for snapshot in all where snapshot.path != made.path {
            guard let header = snapshot.header, header.keychain == secrets.keychain else { continue }
            let isKept =
                snapshot.opens(with: secrets) && count < Snapshots.most
                && size + snapshot.size <= Snapshots.mostBytes
            if isKept {
                count += 1
                size += snapshot.size
            } else {
                unsafe unlink(snapshot.path)
            }
        }
    }

    /// Removes all of them, and returns how many there were.
    @discardableResult
    func removeAll() -> Int { all.count { unsafe unlink($0.path) == 0 } }

    /// Removes them with all that is noted of them, when there is no keychain any more.
    func remove() {
        removeAll()
        unsafe unlink(off)
        unsafe rmdir(folder)
    }

    /// Has them stay beside a keychain that was moved.
    func follow(to location: String) {
        guard let place = SnapshotFolder.path(beside: location) else { return }
        unsafe rename(folder, place)
    }

    private func makeFolder() throws(CommandError) {
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { throw OpenFile.failure("\(folder) cannot be made") }
    }

    private static let most = 7
    private static let mostBytes: Int64 = 200_000_000
}

/// A snapshot that was just made, before it is known whether it is needed.
///
/// The others stay until then.
struct SnapshotDraft {
    let snapshot: KeychainSnapshot
    private let end: (_ isKept: Bool) -> Void

    /// One that was there already has no end.
    fileprivate init(snapshot: KeychainSnapshot, end: @escaping (_ isKept: Bool) -> Void = { _ in }) {
        (self.snapshot, self.end) = (snapshot, end)
    }

    func keep() { end(true) }

    /// Removes it, since it has what the keychain has.
    func drop() { end(false) }
}

/// One of them; what is told of it stands in its name.
struct KeychainSnapshot {
    /// What it was made before, or for.
    enum Reason: String {
        case daily, restore, upgrade, deletion, demand

        var words: String {
            switch self {
            case .daily: "daily"
            case .restore: "before restore"
            case .upgrade: "before upgrade"
            case .deletion: "before deletions of the circle"
            case .demand: "on demand"
            }
        }
    }

    let path: String
    /// When, as in its name.
    let digits: String
    let reason: Reason
    let items: UInt64?
    /// How many changes the keychain had seen.
    let commits: UInt64?
    let size: Int64

    /// nil of the name of anything else, and where there is no such file.
    init?(_ name: String, in folder: String) {
        guard name.hasSuffix(BackupFolder.suffix) else { return nil }
        let parts = name.dropLast(BackupFolder.suffix.count).split(separator: "-")
        if parts.count >= 5, let reason = Reason(rawValue: String(parts[parts.count - 3])) {
            digits = String(parts[parts.count - 4])
            self.reason = reason
            (items, commits) = (UInt64(parts[parts.count - 2]), UInt64(parts[parts.count - 1]))
        } else {
            // Before a restore; or the last step of its making was never taken.
            guard let last = parts.last else { return nil }
            (digits, reason, items, commits) = (String(last), .restore, nil, nil)
        }
        guard digits.utf8.count == 15, digits.hasSuffix("Z"),
            digits.utf8.dropLast().allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        path = "\(folder)/\(name)"
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int64(facts.st_size)
    }

    static func name(_ plain: String, _ reason: Reason, items: UInt64, commits: UInt64) -> String {
        "\(plain.dropLast(BackupFolder.suffix.count))-\(reason.rawValue)-\(items)-\(commits)\(BackupFolder.suffix)"
    }

    /// When, as other times are shown.
    var time: String {
        let all = Array(digits)
        func part(_ range: Range<Int>) -> String { String(all[range]) }
        return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(8..<10)):\(part(10..<12)):\(part(12..<14))Z"
    }

    /// The day, of UTC.
    var day: Substring { digits.prefix(8) }

    static var today: Substring { UTCTime(secondsSince2001: Int64(BackupText.now)).digits.prefix(8) }

    var header: BackupHeader? { try? BackupFile(path).reader().header }

    /// Looks at its locks alone.
    func opens(with secrets: BackupSecrets) -> Bool {
        guard let header, header.keychain == secrets.keychain else { return false }
        return header.opens(with: secrets)
    }

    /// Reads all of it.
    @discardableResult
    func contents(
        with secrets: BackupSecrets, _ take: (BackupItem) -> Void
    ) throws(CommandError) -> BackupCounts {
        let file = try BackupFile(path)
        let reader = try file.reader()
        return try file.saying { () throws(BackupError) in
            guard try reader.open(with: secrets) else { throw .notOpened }
            while let record = try reader.next() {
                switch record {
                case .item(let item): take(item)
                case .bound, .list: break
                case .counts(let counts): return counts
                }
            }
            throw .cut
        }
    }
}

extension BackupHeader {
    /// Whether what the keychain knows here opens it.
    func opens(with secrets: BackupSecrets) -> Bool {
        [secrets.snapshot, secrets.device].compactMap(\.self).contains { secret in
            stanzas.contains { (try? $0.open(file, device: secret.locked)) != nil }
        }
    }
}

extension BackupReader {
    /// Opens it by what the keychain knows here; false where it is another one's, or locked.
    func open(with secrets: BackupSecrets) throws(BackupError) -> Bool {
        for secret in [secrets.snapshot, secrets.device].compactMap(\.self) where try open(device: secret.locked) {
            use(device: secrets.device.locked)
            return true
        }
        return false
    }
}
