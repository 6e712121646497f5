// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainCrypto
internal import KeychainEnclaveSoftware
internal import KeychainEnclaveTPM
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore
internal import KeychainSystem

/// A keychain folder as the engine sees it: the files beside the database.
struct FolderHome: KeychainHome {
    let folder: KeychainFolder
    /// How to reach the TPM.
    let tpm: String

    func enclave(_ kind: EnclaveKind) -> any Enclave { enclave(kind, at: path(of: kind)) }

    private func enclave(_ kind: EnclaveKind, at path: String) -> any Enclave {
        switch kind {
        case .software: SoftwareEnclave(path: path)
        case .tpm: TPMEnclave(path: path, connection: tpm)
        }
    }

    func makeEnclave(
        _ kind: EnclaveKind, for keychain: KeychainUUID, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> any Enclave {
        try setAsideEnclave(kind, turn)
        return try makeEnclave(kind, at: path(of: kind), for: keychain, turn)
    }

    func makePendingEnclave(
        _ kind: EnclaveKind, for keychain: KeychainUUID, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> any Enclave {
        try setAsidePendingEnclave(kind, turn)
        do throws(EnclaveError) {
            return try makeEnclave(kind, at: pendingPath(of: kind), for: keychain, turn)
        } catch {
            // What was there before is aside; this is what was begun here.
            removePendingEnclave(kind, turn)
            throw error
        }
    }

    private func makeEnclave(
        _ kind: EnclaveKind, at path: String, for keychain: KeychainUUID, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> any Enclave {
        switch kind {
        case .software: _ = try SoftwareEnclave(path: path).create(for: keychain)
        case .tpm: _ = try TPMEnclave(path: path, connection: tpm).create(for: keychain, turn)
        }
        return enclave(kind, at: path)
    }

    func pendingEnclave(_ kind: EnclaveKind) -> (any Enclave)? {
        let path = pendingPath(of: kind)
        return FileStatus.isMissing(path) ? nil : enclave(kind, at: path)
    }

    func settlePendingEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) throws(EnclaveError) {
        try setAsideEnclave(kind, turn)
        let failure = unsafe llv_rename_noreplace(pendingPath(of: kind), path(of: kind))
        guard failure == 0 else { throw .unreadable(failure) }
        try syncFolder()
    }

    func setAsidePendingEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) throws(EnclaveError) {
        try setAside(pendingPath(of: kind))
    }

    func removePendingEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) {
        let path = pendingPath(of: kind)
        if let enclave = pendingEnclave(kind) {
            // One that cannot be read has no gates that could be found.
            for gate in (try? enclave.gates()) ?? [] { try? enclave.destroyGate(gate.id, turn) }
        }
        for file in [path, path + ".new"] { unsafe unlink(file) }
        try? syncFolder()
    }

    func copyOfTally() -> (any TallyCopy)? { TallyFile(path: folder.tally) }

    func takeReserve() {
        let size = FileStatus(of: folder.reserve)?.size ?? 0
        // Without room for all of it the disk is nearly full: then what there is, and the next writer tries again.
        for part in 0..<3 where size < FolderHome.reserveSize >> part {
            if unsafe llv_allocate_file(folder.reserve, FolderHome.reserveSize >> part) == 0 { return }
        }
    }

    func giveUpReserve() -> Bool { unsafe llv_empty_file(folder.reserve) >= 0 }

    /// Removing an item takes 29 KB of the log and three times what the item has, and the index of the log that processes share
    /// 32 KB.
    private static let reserveSize: Int64 = 1 << 20

    func removeEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) throws(EnclaveError) {
        let enclave = enclave(kind)
        // A TPM keeps gates of its own, which would be left in it for ever.
        for gate in try enclave.gates() { try enclave.destroyGate(gate.id, turn) }
        guard unsafe unlink(path(of: kind)) == 0 else { throw .unreadable(errno) }
        try syncFolder()
    }

    func setAsideEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) throws(EnclaveError) {
        try setAside(path(of: kind))
    }

    private func setAside(_ path: String) throws(EnclaveError) {
        if FileStatus.isMissing(path) { return }
        for number in 1...1000 {
            let failure = unsafe llv_rename_noreplace(path, "\(path).aside-\(number)")
            if failure == 0 { return try syncFolder() }
            guard failure == EEXIST else { throw .unreadable(failure) }
        }
        throw .unreadable(EEXIST)
    }

    private func syncFolder() throws(EnclaveError) {
        let failure = unsafe llv_sync_path(folder.path)
        guard failure == 0 else { throw .unreadable(failure) }
    }

    /// As `FileReplacement` names them.
    private var unfinishedFiles: [String] {
        let enclaves = EnclaveKind.allCases.flatMap { [path(of: $0), pendingPath(of: $0)] }
        return (enclaves + [folder.keybagCopy]).map { $0 + ".new" }.filter { FileStatus(of: $0) != nil }
    }

    var hasUnfinishedFiles: Bool { !unfinishedFiles.isEmpty }

    func removeUnfinishedFiles(_ turn: borrowing OwnerLock) throws(EnclaveError) {
        let files = unfinishedFiles
        if files.isEmpty { return }
        for file in files where unsafe unlink(file) != 0 { throw .unreadable(errno) }
        try syncFolder()
    }

    func hasEnclave(_ kind: EnclaveKind) -> Bool { !FileStatus.isMissing(path(of: kind)) }

    func withOwnersTurn<Result>(
        _ body: (borrowing OwnerLock) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let lock = try FolderLock(waitingForOwnerOf: folder)
        defer { withExtendedLifetime(lock) {} }
        let isHeld = llv_hold_file_size_signal()
        defer { llv_release_file_size_signal(isHeld) }
        return try body(OwnerLock(uncheckedHoldingOwnerLock: ()))
    }

    func withOwnersTurnIfFree(_ body: (borrowing OwnerLock) -> Void) {
        guard let lock = FolderLock(ifFreeOwnerOf: folder) else { return }
        defer { withExtendedLifetime(lock) {} }
        body(OwnerLock(uncheckedHoldingOwnerLock: ()))
    }

    func settings() throws(KeychainError) -> KeychainSettings { try SettingsFile(folder.settings).read() }

    func keep(_ settings: KeychainSettings) throws(KeychainError) {
        try SettingsFile(folder.settings).write(settings)
    }

    var keepsKeybagCopy: Bool { true }

    var keybagCopy: [UInt8]? { FolderCheck.content(of: folder.keybagCopy) }

    func setAsideKeybagCopy(_ turn: borrowing OwnerLock) { try? setAside(folder.keybagCopy) }

    func keepCopy(ofKeybag bytes: [UInt8], _ turn: borrowing OwnerLock) {
        // The database has it; a copy that cannot be written now is reported by the check and written at the next open.
        try? FileReplacement.replace(folder.keybagCopy, with: bytes, as: .fixed)
    }

    private func pendingPath(of kind: EnclaveKind) -> String { path(of: kind) + ".pending" }

    private func path(of kind: EnclaveKind) -> String {
        switch kind {
        case .software: folder.deviceKey
        case .tpm: folder.tpmFile
        }
    }
}

/// The file beside a keychain that says when it locks by itself: `lock-with-session yes` or `no`, and `timeout SECONDS`.
struct SettingsFile {
    private let path: String

    init(_ path: String) { self.path = path }

    func read() throws(KeychainError) -> KeychainSettings {
        guard try FileStatus(reaching: path) != nil else { return .usual }
        guard let bytes = FolderCheck.content(of: path), let settings = SettingsFile.settings(in: bytes) else {
            throw KeychainError(
                .undecodable, "settings file is malformed; write the settings again", subject: path)
        }
        return settings
    }

    func write(_ settings: KeychainSettings) throws(KeychainError) {
        var text = "lock-with-session \(settings.locksWithSession ? "yes" : "no")\n"
        if let timeout = settings.timeout { text += "timeout \(timeout)\n" }
        do throws(ReplacementFailure) { try FileReplacement.replace(path, with: Array(text.utf8), as: .fixed) } catch {
            throw KeychainError(ofFile: error.code, .inputOutput, "the settings cannot be written", subject: path)
        }
    }

    private static func settings(in bytes: [UInt8]) -> KeychainSettings? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var locks: Bool?
        var timeout: UInt32?
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 2 else { return nil }
            switch (words[0], words[1]) {
            case ("lock-with-session", "yes") where locks == nil: locks = true
            case ("lock-with-session", "no") where locks == nil: locks = false
            case ("timeout", let seconds) where timeout == nil:
                guard let seconds = UInt32(seconds), seconds > 0 else { return nil }
                timeout = seconds
            default: return nil
            }
        }
        guard let locks else { return nil }
        return KeychainSettings(locksWithSession: locks, timeout: timeout)
    }
}

/// What can be wrong with the files round a database.
///
/// It opens none of SQLite's files: a plain open and close in this process would drop the locks SQLite holds on them.
enum FolderCheck {
    /// The bytes of a small file that is no database, or nil.
    static func content(of path: String) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // No larger than the file: this is read whenever a keychain is opened.
        let size = lseek(file, 0, SEEK_END)
        guard size >= 0, size <= largest, lseek(file, 0, SEEK_SET) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        let count = unsafe read(file, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// What the two copies of a record in one of these files may take.
    private static let largest = 2 << 20 + 1 << 10

    static func findings(in home: FolderHome, _ kind: EnclaveKind) -> [Finding] {
        let folder = home.folder
        var findings: [Finding] = []
        let files = [
            folder.database, folder.database + "-wal", folder.database + "-shm", folder.deviceKey, folder.tpmFile,
            folder.keybagCopy, folder.ownerLock, folder.queue, folder.reserve,
        ]
        let enclaveFile = kind == .software ? folder.deviceKey : folder.tpmFile
        let required: Set<String> = [folder.database, enclaveFile, folder.keybagCopy]
        for path in [folder.path] + files {
            let name = String(path.dropFirst(folder.root.utf8.count + 1))
            guard let status = FileStatus(of: path) else {
                if required.contains(path) { findings.append(Finding(name, "is missing")) }
                continue
            }
            if path != folder.path, !status.is_regular_file { findings.append(Finding(name, "is not a regular file")) }
            if status.owner != geteuid() { findings.append(Finding(name, "belongs to another user")) }
            if status.permissions & 0o077 != 0 { findings.append(Finding(name, "other users can access it")) }
        }
        for path in DamagedLog.kept(beside: folder.database) {
            findings.append(
                Finding(
                    String(path.dropFirst(folder.root.utf8.count + 1)),
                    "a log that was damaged in its middle; `llavero repair` looks for changes that are in it alone"))
        }
        let name = String(enclaveFile.dropFirst(folder.root.utf8.count + 1))
        do throws(EnclaveError) {
            if try !home.enclave(kind).isWhole() { findings.append(Finding(name, "one of its two copies is damaged")) }
        } catch { findings.append(Finding(name, "cannot be used: \(error)")) }
        return findings
    }
}
