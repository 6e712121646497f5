// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainEnclave
internal import KeychainEnclaveSoftware
internal import KeychainEnclaveTPM
internal import KeychainEngine
internal import KeychainModel

/// A keychain folder as the engine sees it: the files beside the database.
struct FolderHome: KeychainHome {
    let folder: KeychainFolder
    /// How to reach the TPM.
    let tpm: String

    func enclave(_ kind: EnclaveKind) throws(EnclaveError) -> any Enclave {
        switch kind {
        case .software: SoftwareEnclave(path: folder.deviceKey)
        case .tpm: TPMEnclave(path: folder.tpmFile, connection: tpm)
        }
    }

    func makeEnclave(
        _ kind: EnclaveKind, for keychain: KeychainUUID, _ turn: borrowing OwnersTurn
    ) throws(EnclaveError) -> any Enclave {
        if hasEnclave(kind) { try removeEnclave(kind, turn) }
        switch kind {
        case .software:
            let enclave = SoftwareEnclave(path: folder.deviceKey)
            _ = try enclave.create(for: keychain)
            return enclave
        case .tpm:
            let enclave = TPMEnclave(path: folder.tpmFile, connection: tpm)
            _ = try enclave.create(for: keychain, turn)
            return enclave
        }
    }

    func removeEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnersTurn) throws(EnclaveError) {
        let enclave = try enclave(kind)
        // A TPM keeps gates of its own, which would be left in it for ever.
        for gate in try enclave.gates() { try enclave.destroyGate(gate.id, turn) }
        guard unsafe unlink(path(of: kind)) == 0 else { throw .unreadable(errno) }
        _ = unsafe llv_sync_path(folder.path)
    }

    func setAsideEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnersTurn) throws(EnclaveError) {
        let path = path(of: kind)
        for number in 1...1000 {
            let failure = unsafe llv_rename_noreplace(path, "\(path).aside-\(number)")
            if failure == 0 { return }
            guard failure == EEXIST else { throw .unreadable(failure) }
        }
        throw .unreadable(EEXIST)
    }

    func hasEnclave(_ kind: EnclaveKind) -> Bool { FileStatus(of: path(of: kind)) != nil }

    func withOwnersTurn<Result>(
        _ body: (borrowing OwnersTurn) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let lock = try OwnerLock(waitingFor: folder)
        defer { lock.release() }
        return try body(OwnersTurn(uncheckedHoldingOwnerLock: ()))
    }

    func withOwnersTurnIfFree(_ body: (borrowing OwnersTurn) -> Void) {
        guard let lock = OwnerLock(ifFree: folder) else { return }
        defer { lock.release() }
        body(OwnersTurn(uncheckedHoldingOwnerLock: ()))
    }

    func hasCopy(ofKeybag bytes: [UInt8]) -> Bool { FolderCheck.content(of: folder.keybagCopy) == bytes }

    func keepCopy(ofKeybag bytes: [UInt8], _ turn: borrowing OwnersTurn) {
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

    private func path(of kind: EnclaveKind) -> String {
        switch kind {
        case .software: folder.deviceKey
        case .tpm: folder.tpmFile
        }
    }
}
