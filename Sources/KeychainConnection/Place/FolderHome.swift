// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainEnclave
internal import KeychainEnclaveSoftware
internal import KeychainEnclaveTPM
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest

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

    func takeReserve() {
        let size = FileStatus(of: folder.reserve)?.size ?? 0
        // Without room for all of it the disk is nearly full: then what there is, and the next writer tries again.
        for part in 0..<3 where size < FolderHome.reserveSize >> part {
            if unsafe llv_allocate_file(folder.reserve, FolderHome.reserveSize >> part) == 0 { return }
        }
    }

    func giveUpReserve() -> Bool { unsafe llv_empty_file(folder.reserve) >= 0 }

    /// Removing an item takes 29 KB of the log, and the index of the log that processes share 32 KB.
    private static let reserveSize: Int64 = 256 << 10

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

    /// As `llv_replace_file` names them.
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
        _ = unsafe llv_replace_file(folder.keybagCopy, bytes, bytes.count)
    }

    /// Whether both copies in the enclave's file are whole.
    func isEnclaveWhole(_ kind: EnclaveKind) throws(EnclaveError) -> Bool {
        switch kind {
        case .software: try SoftwareEnclave(path: folder.deviceKey).isWhole()
        case .tpm: try TPMEnclave(path: folder.tpmFile, connection: tpm).isWhole()
        }
    }

    private func pendingPath(of kind: EnclaveKind) -> String { path(of: kind) + ".pending" }

    private func path(of kind: EnclaveKind) -> String {
        switch kind {
        case .software: folder.deviceKey
        case .tpm: folder.tpmFile
        }
    }
}
