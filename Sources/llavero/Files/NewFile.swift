// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainCrypto
internal import KeychainIdentity
internal import KeychainTools

/// A file that comes into being beside its place, and takes that when it is whole; else it goes away.
///
/// It has no name until then, so however the tool ends, nothing of what was to be in it is left. Where the file system knows
/// no such files, or /proc is not there, it has a hidden name, which signals that end the tool take away; only SIGKILL and a
/// power cut leave it.
final class NewFile {
    private let place: String
    /// Its name where it has one.
    private var temporary: String?
    let descriptor: OwnedDescriptor

    /// For its owner alone at first.
    init(for place: String) throws(CommandError) {
        let folder = NewFile.folder(of: place)
        self.place = place
        // A name is given to it by way of /proc, which is not there in every change of root.
        if unsafe access("/proc/self/fd", X_OK) == 0 {
            let unnamed = unsafe open(folder, NewFile.withoutName | O_WRONLY | O_CLOEXEC, 0o600)
            if unnamed >= 0 {
                descriptor = OwnedDescriptor(owning: unnamed)
                return
            }
        }
        var template = Array("\(folder)/.llavero-XXXXXX".utf8CString)
        let number = unsafe mkstemp(&template)
        guard number >= 0 else { throw OpenFile.failure("nothing can be written beside \(place)") }
        let name = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        unsafe llv_remove_when_killed(name)
        temporary = name
        descriptor = OwnedDescriptor(owning: number)
    }

    deinit { forgetName() }

    private func forgetName() {
        guard let temporary else { return }
        unsafe unlink(temporary)
        llv_remove_when_killed(nil)
        self.temporary = nil
    }

    /// O_TMPFILE, a macro that Swift does not see.
    private static let withoutName = 0o20_000_000 | O_DIRECTORY

    func write(_ bytes: [UInt8]) throws(CommandError) {
        try unsafe bytes.lendingBytes { (bytes) throws(CommandError) in try unsafe write(bytes) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(CommandError) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe Glibc.write(descriptor.number, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw OpenFile.failure("\(place) cannot be written") }
            done += count
        }
    }

    /// Gives it the owner and the mode of another, setuid bits included.
    func resemble(_ file: OpenFile) throws(CommandError) {
        // The owner first: a change of it takes those bits away.
        if file.owner != geteuid() || file.group != getegid() {
            guard fchown(descriptor.number, file.owner, file.group) == 0 else {
                throw OpenFile.failure("\(place) cannot keep the owner that \(file.path) has")
            }
        }
        guard fchmod(descriptor.number, file.mode) == 0 else { throw OpenFile.failure("\(place) cannot be written") }
    }

    /// Lets everybody read it.
    func publish() throws(CommandError) {
        guard fchmod(descriptor.number, 0o644) == 0 else { throw OpenFile.failure("\(place) cannot be written") }
    }

    /// Moves it to its place, in that of a file which is there.
    func take() throws(CommandError) {
        guard fsync(descriptor.number) == 0, unsafe rename(try name(), place) == 0 else {
            throw OpenFile.failure("\(place) cannot be written")
        }
        temporary = nil
        llv_remove_when_killed(nil)
        try syncFolder()
    }

    /// Moves it to its place; throws when a file is there.
    func takeEmptyPlace() throws(CommandError) {
        guard fsync(descriptor.number) == 0 else { throw OpenFile.failure("\(place) cannot be made") }
        if let temporary {
            // File systems of sticks and cards know no second name, and rename without replacing.
            let failure = unsafe link(temporary, place) == 0 ? 0 : llv_rename_noreplace(temporary, place)
            errno = failure
            guard failure == 0 else { throw OpenFile.failure("\(place) cannot be made") }
            forgetName()
        } else {
            guard give(place) else { throw OpenFile.failure("\(place) cannot be made") }
        }
        try syncFolder()
    }

    /// Its hidden name, which it gets if it has none.
    private func name() throws(CommandError) -> String {
        if let temporary { return temporary }
        for _ in 0..<100 {
            let name = "\(NewFile.folder(of: place))/.llavero-\(UInt32.random(in: 0 ... .max))"
            if give(name) {
                unsafe llv_remove_when_killed(name)
                temporary = name
                return name
            }
            guard errno == EEXIST else { break }
        }
        throw OpenFile.failure("\(place) cannot be written")
    }

    private func give(_ name: String) -> Bool {
        unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor.number)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
    }

    private func syncFolder() throws(CommandError) {
        let folder = unsafe open(NewFile.folder(of: place), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw OpenFile.failure("\(place) may be lost when the power fails now") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw OpenFile.failure("\(place) may be lost when the power fails now") }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
