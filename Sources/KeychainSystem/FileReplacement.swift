// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A file that is written beside its place and moves there when it is whole: a reader sees the old file or the new one, and
/// a power cut leaves one of them.
///
/// Given up before that, or after an error, it is gone, and the old file stays. Not thread-safe.
package final class FileReplacement {
    /// What the file is called until it has its place.
    package enum TemporaryName: Sendable {
        /// The place's name with ".new" behind it: for one writer at a time. What a crash leaves is found under that name, and
        /// the next replacement removes it.
        case fixed
        /// No name, where the file system and /proc allow that, else a random hidden one in the same folder: for any number
        /// of writers at a time.
        case hidden
    }

    package let place: String
    package let descriptor: OwnedDescriptor
    /// Its name before it has its place, while it has one.
    private var temporary: String?
    private let isRemovedWhenKilled: Bool

    /// Makes an empty file that its owner alone can read and write.
    ///
    /// With `removedWhenKilled` signals that end the process remove the name that the file has until then. That installs
    /// handlers for the whole process, so it is for programs of our own.
    package init(
        of place: String, as name: TemporaryName, removedWhenKilled: Bool = false
    ) throws(ReplacementFailure) {
        self.place = place
        isRemovedWhenKilled = removedWhenKilled
        switch name {
        case .fixed:
            let fresh = place + ".new"
            // What a crash left under this name was never in force.
            guard unsafe unlink(fresh) == 0 || errno == ENOENT else { throw .failed(errno) }
            let number = unsafe open(fresh, FileReplacement.creating, 0o600)
            guard number >= 0 else { throw .failed(errno) }
            descriptor = OwnedDescriptor(owning: number)
            temporary = fresh
        case .hidden:
            let folder = FileReplacement.folder(of: place)
            // The file is given a name by way of /proc, which is not there in every change of root.
            if unsafe access("/proc/self/fd", X_OK) == 0 {
                let unnamed = unsafe open(folder, FileReplacement.withoutName | O_WRONLY | O_CLOEXEC, 0o600)
                if unnamed >= 0 {
                    descriptor = OwnedDescriptor(owning: unnamed)
                    return
                }
            }
            let (number, hidden) = try FileReplacement.makeHidden(in: folder)
            descriptor = OwnedDescriptor(owning: number)
            keep(hidden)
        }
    }

    deinit { removeName() }

    package func write(_ bytes: [UInt8]) throws(ReplacementFailure) {
        let span = bytes.span
        try unsafe span.bytes.withUnsafeBytes { (bytes) throws(ReplacementFailure) in try unsafe write(bytes) }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(ReplacementFailure) {
        try unsafe descriptor.write(bytes)
    }

    /// Gives it a mode, setuid bits included.
    package func setMode(_ mode: UInt32) throws(ReplacementFailure) {
        guard fchmod(descriptor.number, mode) == 0 else { throw .failed(errno) }
    }

    /// Gives it an owner; that takes setuid bits away, so the mode comes after it.
    package func setOwner(_ owner: UInt32, group: UInt32) throws(ReplacementFailure) {
        guard fchown(descriptor.number, owner, group) == 0 else { throw .failed(errno) }
    }

    /// Moves it to its place, instead of a file that is there.
    package func commit() throws(ReplacementFailure) {
        guard fsync(descriptor.number) == 0 else { throw .failed(errno) }
        let name = try requireName()
        guard unsafe rename(name, place) == 0 else { throw .failed(errno) }
        forgetName()
        try syncFolder()
    }

    /// Moves it to its place, or where the place's name has a suffix; fails with EEXIST when a file is there.
    package func commitWithoutReplacing(suffix: String = "") throws(ReplacementFailure) {
        guard fsync(descriptor.number) == 0 else { throw .failed(errno) }
        let place = place + suffix
        if let temporary {
            // File systems of sticks and cards have no second names, and can rename without replacing.
            let failure = unsafe link(temporary, place) == 0 ? 0 : llv_rename_noreplace(temporary, place)
            guard failure == 0 else { throw .failed(failure) }
            removeName()
        } else {
            guard giveName(place) else { throw .failed(errno) }
        }
        try syncFolder()
    }

    /// Puts a file of exactly these bytes, for its owner alone, in the place of the one there, or of none.
    package static func replace(
        _ place: String, with bytes: UnsafeRawBufferPointer, as name: TemporaryName
    ) throws(ReplacementFailure) {
        let file = try FileReplacement(of: place, as: name)
        try unsafe file.write(bytes)
        try file.commit()
    }

    package static func replace(
        _ place: String, with bytes: [UInt8], as name: TemporaryName
    ) throws(ReplacementFailure) {
        let file = try FileReplacement(of: place, as: name)
        try file.write(bytes)
        try file.commit()
    }

    /// Its name, which an unnamed file gets now: only a file with a name can replace another one.
    private func requireName() throws(ReplacementFailure) -> String {
        if let temporary { return temporary }
        for _ in 0..<FileReplacement.mostTries {
            let name = FileReplacement.hiddenName(in: FileReplacement.folder(of: place))
            if giveName(name) {
                keep(name)
                return name
            }
            guard errno == EEXIST else { throw .failed(errno) }
        }
        throw .failed(EEXIST)
    }

    private func giveName(_ name: String) -> Bool {
        unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor.number)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
    }

    private func keep(_ name: String) {
        if isRemovedWhenKilled { unsafe llv_remove_when_killed(name) }
        temporary = name
    }

    private func removeName() {
        guard let temporary else { return }
        unsafe unlink(temporary)
        forgetName()
    }

    private func forgetName() {
        if isRemovedWhenKilled { llv_remove_when_killed(nil) }
        temporary = nil
    }

    private func syncFolder() throws(ReplacementFailure) {
        let failure = unsafe llv_sync_path(FileReplacement.folder(of: place))
        guard failure == 0 else { throw .notDurable(failure) }
    }

    private static func makeHidden(in folder: String) throws(ReplacementFailure) -> (Int32, String) {
        for _ in 0..<mostTries {
            let name = hiddenName(in: folder)
            let number = unsafe open(name, creating, 0o600)
            if number >= 0 { return (number, name) }
            guard errno == EEXIST else { throw .failed(errno) }
        }
        throw .failed(EEXIST)
    }

    private static func hiddenName(in folder: String) -> String {
        "\(folder)/.llavero-\(UInt32.random(in: 0 ... .max))"
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static let creating = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    /// O_TMPFILE, a macro that Swift does not see.
    private static let withoutName = 0o20_000_000 | O_DIRECTORY
    private static let mostTries = 100
}

@available(*, unavailable)
extension FileReplacement: Sendable {}

extension OwnedDescriptor {
    /// Writes all of it.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(ReplacementFailure) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe Glibc.write(number, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .failed(count == 0 ? EIO : errno) }
            done += count
        }
    }
}

/// Why a file did not take its place.
package enum ReplacementFailure: Error, Sendable, Equatable {
    /// The old file is there as it was; an errno.
    case failed(Int32)
    /// The new file has its place, but the folder could not be synced, so a power cut may bring the old file back; an errno.
    case notDurable(Int32)

    package var code: Int32 {
        switch self {
        case .failed(let code), .notDurable(let code): code
        }
    }
}
