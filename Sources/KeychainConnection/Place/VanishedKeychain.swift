// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel

/// A keychain that was here, and whose folder something else moved or deleted, or whose disk is not there.
///
/// The note beside its folder of how many commits there were says so: it goes with a keychain that is removed here.
extension KeychainFolder {
    /// Whether it is gone so; an empty keychain in its place would hide that everything in it is missing.
    ///
    /// One that was set aside lies beside its place, and one whose removal was cut off was to go.
    package var hasVanished: Bool {
        get throws(KeychainError) {
            guard try !holdsDatabase, isNoted else { return false }
            let starts = ["\(name).aside-", "\(KeychainRemoval.prefix)\(name)-"]
            for entry in Workplace.entries(of: root) {
                for start in starts where entry.begins(with: start) { return false }
            }
            // Looked at again, for another process may have made or removed it meanwhile: a keychain is there before its
            // note is, and that goes before what is left of one that is removed.
            return try isNoted ? !holdsDatabase : false
        }
    }

    /// Takes its notes away if it is gone: whoever asks for that wants no more of it, or a new one in its place.
    ///
    /// Returns whether it had vanished.
    @discardableResult
    package func forgetIfVanished() throws(KeychainError) -> Bool {
        guard try !exists, try hasVanished else { return false }
        removeNotes()
        return true
    }

    func removeNotes() { for note in [tally, lastBackup] { unsafe unlink(note) } }

    /// Why a keychain is not there that has to be.
    func absence() throws(KeychainError) -> KeychainError {
        guard try hasVanished else {
            return KeychainError(.noSuchKeychain, "there is no such keychain", subject: path)
        }
        return KeychainError(
            .noSuchKeychain,
            "the keychain was here, and its folder is gone: put it back, or make it of a backup with `llavero restore FILE`; `llavero keychains create NAME` begins an empty one",
            subject: path)
    }

    private var isNoted: Bool { FileStatus(of: tally) != nil }
}

extension Place {
    /// The same of a keychain's place.
    @discardableResult
    package func forgetIfVanished() throws(KeychainError) -> Bool {
        guard case .folder(let root, let name) = self else { return false }
        return try KeychainFolder(root: root, name: name).forgetIfVanished()
    }

    /// What is to be said of a keychain that was here and is gone; nil of others.
    package func loss() throws(KeychainError) -> KeychainError? {
        guard case .folder(let root, let name) = self else { return nil }
        let folder = KeychainFolder(root: root, name: name)
        return try folder.hasVanished ? folder.absence() : nil
    }
}
