// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
package import KeychainCrypto
internal import KeychainEnclave
internal import KeychainEnclaveSoftware
internal import KeychainEngine
package import KeychainModel
internal import KeychainSQLite
internal import KeychainStore

/// The making of a keychain: built whole in a folder beside its place, synced, then renamed into it.
///
/// A reader sees the finished keychain or none. Of two processes that make one at once, one wins, and the other takes
/// the winner's.
package enum KeychainCreation {
    /// What came of the making of a keychain.
    package enum Outcome: Sendable {
        /// It is made, with this recovery key if one was wanted.
        case made(RecoveryKey?)
        /// It was there, or somebody else was faster.
        case wasThere
    }

    /// Makes the keychain unless it is there already.
    @discardableResult
    package static func make(_ folder: KeychainFolder, _ plan: CreationPlan) throws(KeychainError) -> Outcome {
        let isHeld = llv_hold_file_size_signal()
        defer { llv_release_file_size_signal(isHeld) }
        try folder.prepareRoot()
        if try folder.exists { return .wasThere }
        try folder.refuseLongPath()
        Workplace.clearAbandoned(in: folder.root)
        let workplace = KeychainFolder(root: folder.root, name: Workplace.prefix + (try randomName()))
        guard unsafe mkdir(workplace.path, 0o700) == 0 else {
            throw KeychainError(
                ofFile: errno, .notAvailable, "a keychain cannot be made in this folder", subject: folder.root)
        }
        do throws(KeychainError) {
            // Held until the keychain stands, so that nobody takes the workplace for an abandoned one.
            let lock = try FolderLock.owner(workplace)
            defer { withExtendedLifetime(lock) {} }
            let recovery = try fill(
                workplace, plan, journal: FileSystemKind(of: folder.root) == .shared ? "delete" : "wal")
            let failure = unsafe llv_rename_noreplace(workplace.path, folder.path)
            if failure == EEXIST || failure == ENOTEMPTY {
                Workplace.remove(workplace)
                return .wasThere
            }
            guard failure == 0 else {
                throw KeychainError(
                    .notAvailable, "the new keychain cannot be put in its place", subject: folder.path,
                    code: Int64(failure))
            }
            let unsynced = unsafe llv_sync_path(folder.root)
            guard unsynced == 0 else {
                // Nobody would ever see its recovery key, so it must not stay.
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
        let enclave: MemoryEnclave
        let root: DeviceRoot
        do throws(EnclaveError) {
            enclave = try MemoryEnclave()
            root = try enclave.deviceRoot()
        } catch { throw KeychainError(error, of: .software) }
        let keybag = try firstKeybag(of: keychain, .software, root, nil)
        return (try NewDatabase.inMemory(of: keychain, keybag), MemoryHome(enclave))
    }

    private static func fill(
        _ folder: KeychainFolder, _ plan: CreationPlan, journal: String
    ) throws(KeychainError) -> RecoveryKey? {
        let keychain = try newUUID()
        let root: DeviceRoot
        var recovery: RecoveryKey?
        let home = FolderHome(folder: folder, tpm: plan.tpm)
        do throws(EnclaveError) {
            // The workplace's owner lock is held by the caller, and nobody else knows the folder.
            let turn = OwnerLock(uncheckedHoldingOwnerLock: ())
            root = try home.makeEnclave(plan.enclave, for: keychain, turn).deviceRoot()
        } catch { throw KeychainError(error, of: plan.enclave) }
        do throws(CryptoError) { recovery = plan.makesRecoveryKey ? try RecoveryKey() : nil } catch {
            throw KeychainError(error)
        }
        let keybag = try firstKeybag(of: keychain, plan.enclave, root, recovery?.publicKey)
        try NewDatabase.onDisk(at: folder.database, of: keychain, keybag, journal: journal)
        try NewFile.write(keybag, to: folder.keybagCopy)
        if journal == "wal" { try NewFile.write([], to: folder.queue) }
        home.takeReserve()
        try sync(folder)
        return recovery
    }

    private static func firstKeybag(
        of keychain: KeychainUUID, _ kind: EnclaveKind, _ root: borrowing DeviceRoot, _ recovery: RecoveryPublicKey?
    ) throws(KeychainError) -> [UInt8] {
        let keys: UnlockedKeybag
        do throws(CryptoError) {
            keys = try .fresh(keychain: keychain, enclave: kind, binding: root.binding, recovery: recovery)
        } catch { throw KeychainError(error) }
        do throws(KeybagError) { return try keys.sealed(with: root).encoded() } catch { throw KeychainError(error) }
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
            throw KeychainError(.internalError, "the system gave no randomness")
        }
        return uuid
    }

    private static func randomName() throws(KeychainError) -> String {
        let digits = Array("0123456789abcdef")
        return String(try randomBytes(8).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    private static func randomBytes(_ count: Int) throws(KeychainError) -> [UInt8] {
        do throws(CryptoError) {
            return try unsafe [UInt8](count: count) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
        } catch { throw KeychainError(.internalError, "the system gave no randomness") }
    }
}
