// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
package import KeychainCrypto
internal import KeychainEnclaveSoftware
internal import KeychainEngine
package import KeychainModel
internal import KeychainSQLite
internal import KeychainStore
internal import KeychainSystem

/// The making of a keychain: built whole in a folder beside its place, synced, then renamed into it.
///
/// A reader sees the finished keychain or none. Of two processes that make one at once, one wins, and the other takes
/// the winner's.
package enum KeychainCreation {
    /// What came of the making of a keychain.
    package enum Outcome: Sendable {
        /// It is made, with this recovery key if one was wanted.
        case made(RecoveryKey?)
        /// It was there, or another process was faster.
        case wasThere
    }

    /// Makes the keychain unless it is there already; with `replacesVanished` also where one vanished, which then nobody misses
    /// any more.
    @discardableResult
    package static func make(
        _ folder: KeychainFolder, _ plan: CreationPlan, replacesVanished: Bool = false
    ) throws(KeychainError) -> Outcome {
        let isHeld = llv_hold_file_size_signal()
        defer { llv_release_file_size_signal(isHeld) }
        try folder.prepareRoot()
        if try folder.exists, !(replacesVanished && folder.isEmpty) { return .wasThere }
        try folder.refuseLongPath()
        Workplace.clearAbandoned(in: folder.root)
        try KeychainRemoval.finish(.folder(root: folder.root, name: folder.name))
        let workplace = KeychainFolder(root: folder.root, name: Workplace.prefix + (try randomName()))
        guard unsafe mkdir(workplace.path, 0o700) == 0 else {
            throw KeychainError(
                ofFile: errno, .notAvailable, "the folder for the new keychain cannot be made here",
                subject: folder.root)
        }
        do throws(KeychainError) {
            // Held until the keychain stands, so that no process takes the workplace for an abandoned one.
            let lock = try FolderLock.owner(workplace)
            defer { withExtendedLifetime(lock) {} }
            let recovery = try fill(
                workplace, plan, journal: FileSystemKind(of: folder.root) == .shared ? "delete" : "wal")
            // As late as can be: where the making fails, it is still known that one vanished.
            if replacesVanished { try VanishedKeychain(folder)?.forget() }
            let failure = unsafe llv_rename_noreplace(workplace.path, folder.path)
            if failure == EEXIST || failure == ENOTEMPTY {
                Workplace.remove(workplace)
                return .wasThere
            }
            guard failure == 0 else {
                throw KeychainError(
                    .notAvailable, "the new keychain cannot be moved into place", subject: folder.path,
                    code: Int64(failure))
            }
            let unsynced = unsafe llv_sync_path(folder.root)
            guard unsynced == 0 else {
                // Its recovery key would never be shown, so it must not stay.
                if recovery != nil { _ = unsafe llv_rename_noreplace(folder.path, workplace.path) }
                throw KeychainError(
                    ofFile: unsynced, .inputOutput, "the disk failed to write", subject: folder.root)
            }
            return .made(recovery)
        } catch {
            Workplace.remove(workplace)
            throw error
        }
    }

    /// A new keychain in memory, and what belongs to it.
    static func inMemory() throws(KeychainError) -> (database: SQLiteConnection, home: MemoryHome) {
        let keychain = try newUUID()
        let enclave = try EnclaveKind.software.explaining { () throws(EnclaveError) in try MemoryEnclave() }
        let root = try EnclaveKind.software.explaining { () throws(EnclaveError) in try enclave.deviceRoot() }
        let keybag = try firstKeybag(of: keychain, .software, root, nil)
        return (try NewDatabase.inMemory(of: keychain, keybag), MemoryHome(enclave))
    }

    private static func fill(
        _ folder: KeychainFolder, _ plan: CreationPlan, journal: String
    ) throws(KeychainError) -> RecoveryKey? {
        let keychain = try newUUID()
        let home = FolderHome(folder: folder, tpm: plan.tpm)
        let root = try plan.enclave.explaining { () throws(EnclaveError) in
            // The workplace's owner lock is held by the caller, and no other process knows the folder.
            let turn = OwnerLock(uncheckedHoldingOwnerLock: ())
            return try home.makeEnclave(plan.enclave, for: keychain, turn).deviceRoot()
        }
        let recovery = try translating { () throws(CryptoError) in plan.makesRecoveryKey ? try RecoveryKey() : nil }
        let keybag = try firstKeybag(of: keychain, plan.enclave, root, recovery?.publicKey)
        try NewDatabase.onDisk(at: folder.database, of: keychain, keybag, journal: journal)
        try SyncedFile.write(keybag, to: folder.keybagCopy)
        if journal == "wal" { try SyncedFile.write([], to: folder.queue) }
        home.takeReserve()
        try sync(folder)
        return recovery
    }

    private static func firstKeybag(
        of keychain: KeychainUUID, _ kind: EnclaveKind, _ root: borrowing DeviceRoot, _ recovery: RecoveryPublicKey?
    ) throws(KeychainError) -> [UInt8] {
        let keys = try translating { () throws(CryptoError) in
            try UnlockedKeybag.fresh(keychain: keychain, enclave: kind, binding: root.binding, recovery: recovery)
        }
        return try translating { () throws(KeybagError) in try keys.sealed(with: root).encoded() }
    }

    private static func sync(_ folder: KeychainFolder) throws(KeychainError) {
        for path in [folder.database, folder.path] {
            let failure = unsafe llv_sync_path(path)
            guard failure == 0 else {
                throw KeychainError(ofFile: failure, .inputOutput, "the disk failed to write", subject: path)
            }
        }
    }

    private static func newUUID() throws(KeychainError) -> KeychainUUID {
        guard let uuid = KeychainUUID(try randomBytes(16)) else {
            throw KeychainError(.internalError, "the system provided no random bytes")
        }
        return uuid
    }

    private static func randomName() throws(KeychainError) -> String {
        Hexadecimal.digits(of: try randomBytes(8))
    }

    private static func randomBytes(_ count: Int) throws(KeychainError) -> [UInt8] {
        do throws(CryptoError) {
            return try unsafe [UInt8](count: count) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
        } catch { throw KeychainError(.internalError, "the system provided no random bytes") }
    }
}

/// What a keychain is to be made with.
package struct CreationPlan: Sendable, Equatable {
    package let enclave: EnclaveKind
    package let makesRecoveryKey: Bool
    /// How to reach the TPM, as tpm2-tss names its ways.
    package let tpm: String

    package init(enclave: EnclaveKind = .software, makesRecoveryKey: Bool = false, tpm: String = systemTPM) {
        self.enclave = enclave
        self.makesRecoveryKey = makesRecoveryKey
        self.tpm = tpm
    }

    package static let systemTPM = "device:/dev/tpmrm0"

    /// What the environment asks for, for a keychain that is made because a program stores its first item.
    ///
    /// A recovery key would not be shown then, so a TPM is refused unless the owner said that none is wanted.
    static func implied(by environment: Environment) throws(KeychainError) -> CreationPlan {
        let tpm = try tpm(named: environment)
        switch environment["LLAVERO_ENCLAVE"] ?? "software" {
        case "software": return CreationPlan(tpm: tpm)
        case "tpm":
            guard environment["LLAVERO_RECOVERY"] == "none" else {
                throw KeychainError(
                    .notAvailable,
                    """
                    a keychain in a TPM is lost with the TPM, so it requires a recovery key: make it with \
                    Llavero.createKeychain and write the key down, or set LLAVERO_RECOVERY=none to go without one
                    """,
                    subject: "LLAVERO_ENCLAVE")
            }
            return CreationPlan(enclave: .tpm, tpm: tpm)
        default:
            throw KeychainError(.notAvailable, "unknown enclave; use software or tpm", subject: "LLAVERO_ENCLAVE")
        }
    }

    /// The way to the TPM.
    ///
    /// Two kinds alone: tpm2-tss takes the name of any library here, and would load it.
    package static func tpm(named environment: Environment) throws(KeychainError) -> String {
        guard let name = environment["LLAVERO_TPM"] else { return systemTPM }
        guard name.hasPrefix("device:/") || name.hasPrefix("swtpm:") else {
            throw KeychainError(
                .notAvailable, "unknown form of TPM; use device:/dev/… or swtpm:…", subject: "LLAVERO_TPM")
        }
        return name
    }
}

/// The database of a keychain that is being made: tables, identity and the first keybag in one transaction.
enum NewDatabase {
    /// Makes the file and closes it.
    static func onDisk(
        at path: String, of keychain: KeychainUUID, _ keybag: [UInt8], journal: String
    ) throws(KeychainError) {
        // SQLite would make the file readable by others; the log beside it takes its mode.
        try SyncedFile.write([], to: path)
        try translating { () throws(SQLiteError) in
            let connection = try SQLiteConnection(path: path, mode: .fill)
            try connection.execute("pragma journal_mode=\(journal)")
            try connection.execute("pragma synchronous=full")
            try DatabaseSchema.create(in: connection, keychain: keychain, keybag: keybag)
            connection.close()
        }
    }

    static func inMemory(of keychain: KeychainUUID, _ keybag: [UInt8]) throws(KeychainError) -> SQLiteConnection {
        try translating { () throws(SQLiteError) in
            let connection = try SQLiteConnection(path: "", mode: .memory)
            try DatabaseSchema.create(in: connection, keychain: keychain, keybag: keybag)
            return connection
        }
    }
}
