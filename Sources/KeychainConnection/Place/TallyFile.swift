// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainStore
internal import KeychainSystem

/// The file beside a keychain's folder that notes how many commits there were: two places, written in turn, unsynced.
///
/// Unsynced it is never ahead of what the disk has of the database, so a database behind it has lost something. A power cut may
/// leave it behind, and then less is noticed, and nothing is claimed that is not so.
struct TallyFile: TallyCopy {
    let path: String

    func read() -> [[UInt8]] {
        let bytes = FolderCheck.content(of: path) ?? []
        return [bytes.prefix(TallyFile.placeSize), bytes.dropFirst(TallyFile.placeSize).prefix(TallyFile.placeSize)]
            .filter { $0.count == TallyFile.placeSize }.map(Array.init)
    }

    func write(_ note: [UInt8], toPlace place: Int) {
        guard note.count == TallyFile.placeSize else { return }
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        // Somebody else's file, a pipe or a device is not written to.
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return
        }
        _ = unsafe pwrite(file, note, note.count, off_t(place * TallyFile.placeSize))
    }

    /// `TallyKey.recordSize`.
    private static let placeSize = 64
}

/// The same for a database that is not in its place yet: its note is held, and written when it is there.
final class HeldTally: TallyCopy {
    private let file: TallyFile
    private let held = ForkSafeMutex<[[UInt8]]>([])

    init(_ file: TallyFile) { self.file = file }

    func read() -> [[UInt8]] { file.read() }
    func write(_ note: [UInt8], toPlace place: Int) {
        held.withLock { held in
            if held.isEmpty { held = [note, note] }
            held[place] = note
        }
    }

    /// Replaces what was noted.
    ///
    /// Where nothing is to be noted, as of an earlier format, the file alone stays: it says that there is a keychain.
    func settle() {
        let notes = held.withLock { $0 }
        if notes.isEmpty { _ = unsafe llv_empty_file(file.path) }
        for (place, note) in notes.enumerated() { file.write(note, toPlace: place) }
    }
}
