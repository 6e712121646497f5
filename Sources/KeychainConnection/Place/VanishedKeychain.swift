// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainEngine
package import KeychainModel
internal import KeychainSystem

/// A keychain that was here, and that something else moved or deleted, or whose disk is not there; an empty keychain in its
/// place would hide that everything in it is missing.
///
/// The note beside its folder of how many commits there were says so: it goes with a keychain that is removed here, or set
/// aside. An empty folder, which an absent disk leaves, says it too.
package struct VanishedKeychain {
    private let folder: KeychainFolder
    private let trace: Trace
    /// What its notes say, by their paths.
    private let notes: [(path: String, content: [UInt8])]

    /// What says that it was here.
    private enum Trace {
        case emptyFolder
        case note
        /// The user's list of keychains, which takes existing ones only: the note went with the folder that both were in.
        case list
    }

    /// nil for one that is there, or that never was, or whose removal was cut off: that was to go.
    package init?(_ folder: KeychainFolder, isListed: Bool = false) throws(KeychainError) {
        guard try !folder.holdsDatabase else { return nil }
        self.folder = folder
        notes = folder.notes.compactMap { path in FolderCheck.content(of: path).map { (path, $0) } }
        if try folder.exists {
            guard folder.isEmpty else { return nil }
            trace = .emptyFolder
        } else {
            guard folder.isNoted || isListed, try !KeychainRemoval.isBegun(of: folder) else { return nil }
            trace = folder.isNoted ? .note : .list
        }
        // Looked at again, for another process may have made or removed it meanwhile: a keychain is there before its
        // note is, and that goes before what is left of one that is removed.
        guard trace != .note || folder.isNoted, try !folder.holdsDatabase else { return nil }
    }

    /// The same of a keychain's place, which may stand in the user's list.
    package init?(at place: Place, isListed: Bool = false) throws(KeychainError) {
        guard case .folder(let root, let name) = place else { return nil }
        try self.init(KeychainFolder(root: root, name: name), isListed: isListed)
    }

    package var path: String { folder.path }

    /// What became of it; goes on behind its name.
    package var text: String {
        switch trace {
        case .emptyFolder: "has nothing in its folder (is the disk mounted?)"
        case .note: "was here, and its folder is gone"
        case .list:
            "is in the list of `llavero keychains search`, and there is none in its place (is the disk mounted?)"
        }
    }

    /// What to do; `quote` stands around each command.
    package static func fix(_ path: String, name: String, option: String, _ quote: String) -> String {
        "put \(path) back, or \(quote)llavero restore FILE\(option)\(quote) makes it of a backup; "
            + "\(quote)llavero keychains create \(name)\(quote) begins an empty one"
    }

    /// What is said to programs.
    package var error: KeychainError { VanishedKeychain.error(path, text) }

    /// The same of one that only this process remembers: the note went with its folder.
    package static func unnoted(at place: Place) -> KeychainError {
        error(place.path ?? "", "was here, and its folder is gone")
    }

    private static func error(_ path: String, _ text: String) -> KeychainError {
        let option = path.hasSuffix("/" + Place.usualName) ? "" : " --keychain NAME"
        return KeychainError(
            relaying: .vanishedKeychain,
            "the keychain \(text): \(VanishedKeychain.fix("it", name: "NAME", option: option, "`"))", subject: path,
            code: nil, retryAfter: nil)
    }

    /// Has nobody miss it any more: whoever asks for that wants no more of it, or a new one in its place.
    package func forget() throws(KeychainError) {
        // What came into the folder meanwhile keeps it.
        if trace == .emptyFolder, unsafe rmdir(path) != 0, errno != ENOENT {
            throw KeychainError(
                ofFile: errno, .notAvailable, "the empty folder cannot be removed", subject: path)
        }
        if try !folder.exists { folder.removeNotes() }
    }

    /// Has it missed again, where the new one in its place could not be finished and is gone.
    package func missAgain() {
        if trace == .emptyFolder { unsafe mkdir(path, 0o700) }
        // Where another process has a new one by now, the notes are that one's.
        guard (try? VanishedKeychain.isFree(folder, orEmpty: trace == .emptyFolder)) ?? false else { return }
        for (path, content) in notes { try? SyncedFile.write(content, to: path) }
    }

    private static func isFree(_ folder: KeychainFolder, orEmpty: Bool) throws(KeychainError) -> Bool {
        if orEmpty { return folder.isEmpty }
        return try !folder.exists
    }

    /// Makes a new keychain in its place, as one that is made because a program stores its first item.
    package func makeAnew() throws(KeychainError) {
        try ForkGate.operation { () throws(KeychainError) in
            _ = try KeychainCreation.make(folder, try ProcessHost.plan(), replacesVanished: true)
        }
    }
}

extension KeychainFolder {
    /// The files beside its folder that are about it.
    fileprivate var notes: [String] { [tally, lastBackup] }

    func removeNotes() { for note in notes { unsafe unlink(note) } }

    fileprivate var isNoted: Bool { FileStatus(of: tally) != nil }

    /// Whether it is a folder with nothing in it; one that cannot be read is not.
    var isEmpty: Bool {
        guard let status = FileStatus(of: path), status.is_folder else { return false }
        let entries = Workplace.entries(of: path)
        return !entries.isEmpty && entries.allSatisfy { [".", ".."].contains($0) }
    }

    /// Refuses a folder without a keychain in it.
    func requireKeychain(orNone: Bool) throws(KeychainError) {
        guard try !holdsDatabase else { return }
        if let vanished = try VanishedKeychain(self) { throw vanished.error }
        guard try exists else {
            if orNone { return }
            throw KeychainError(.noSuchKeychain, "there is no such keychain", subject: path)
        }
        guard let folder = FileStatus(of: path), folder.is_folder, try FileStatus(reaching: database) == nil else {
            return
        }
        throw KeychainError(
            .notAvailable,
            "the keychain's folder has no keychain.db any more: put it back, or `llavero keychains set-aside NAME` moves the folder away, and `llavero restore FILE` makes a new keychain of a backup",
            subject: path)
    }
}
