// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainCrypto
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
package enum Birth {
    /// Makes the keychain unless it is there already.
    package static func make(_ folder: KeychainFolder) throws(KeychainError) {
        try folder.prepareRoot()
        if folder.exists { return }
        Workplace.clearAbandoned(in: folder.root)
        let workplace = KeychainFolder(root: folder.root, name: Workplace.prefix + (try randomName()))
        guard unsafe mkdir(workplace.path, 0o700) == 0 else {
            throw KeychainError(
                errno == EROFS ? .readOnly : .notAvailable, "a keychain cannot be made in this folder",
                subject: folder.root, code: Int64(errno))
        }
        do throws(KeychainError) {
            // Held until the keychain stands, so that nobody takes the workplace for an abandoned one.
            let lock = try OwnerLock(workplace)
            defer { lock.release() }
            try fill(workplace, journal: FileSystemKind(of: folder.root) == .shared ? "delete" : "wal")
            let failure = unsafe llv_rename_noreplace(workplace.path, folder.path)
            if failure == EEXIST || failure == ENOTEMPTY {
                Workplace.remove(workplace)
                return
            }
            guard failure == 0 else {
                throw KeychainError(
                    .notAvailable, "the new keychain cannot be put in its place", subject: folder.path,
                    code: Int64(failure))
            }
            let unsynced = unsafe llv_sync_path(folder.root)
            guard unsynced == 0 else {
                throw KeychainError(
                    .inputOutput, "the disk failed to write", subject: folder.root, code: Int64(unsynced))
            }
        } catch {
            Workplace.remove(workplace)
            throw error
        }
    }

    /// A new keychain in memory, and the enclave that belongs to it.
    static func inMemory() throws(KeychainError) -> (database: Connection, enclave: MemoryEnclave) {
        let keychain = try newUUID()
        let enclave: MemoryEnclave
        let root: DeviceRoot
        do throws(EnclaveError) {
            enclave = try MemoryEnclave()
            root = try enclave.deviceRoot()
        } catch { throw KeychainError(error) }
        return (try NewDatabase.inMemory(of: keychain, root), enclave)
    }

    private static func fill(_ folder: KeychainFolder, journal: String) throws(KeychainError) {
        let keychain = try newUUID()
        let root: DeviceRoot
        do throws(EnclaveError) {
            root = try SoftwareEnclave(path: folder.deviceKey).create(for: keychain)
        } catch { throw KeychainError(error) }
        let keybag = try NewDatabase.onDisk(at: folder.database, of: keychain, root, journal: journal)
        try NewFile.write(keybag, to: folder.keybagCopy)
        for path in [folder.database, folder.path] {
            let failure = unsafe llv_sync_path(path)
            guard failure == 0 else {
                throw KeychainError(.inputOutput, "the disk failed to write", subject: path, code: Int64(failure))
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
