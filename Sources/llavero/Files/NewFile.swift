// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainSystem
internal import KeychainTools

/// A file that a verb writes beside its place (`FileReplacement`), with the tool's messages for failures.
///
/// However the tool ends, no partial file is left; only where the file needs a name, SIGKILL and a power cut leave it.
struct NewFile {
    private let file: FileReplacement

    /// Readable by its owner only, at first.
    init(for place: String) throws(CommandError) {
        try NewFile.requirePlace(place)
        do throws(ReplacementFailure) {
            file = try FileReplacement(of: place, as: .hidden, removedWhenKilled: true)
        } catch { throw NewFile.failure("no file can be made beside \(place)", error) }
    }

    /// Refuses a device, a pipe, a descriptor or a folder, whose place no new file may take; `advice` says what goes instead.
    static func requirePlace(_ place: String, otherwise advice: String? = nil) throws(CommandError) {
        guard let there = StandingOutput(at: place) else { return }
        let shown = PlainText.shown(place)
        guard !there.isFolder else { throw .failure("\(shown) is a folder") }
        throw .failure("\(shown) is no place for a new file\(advice.map { "; \($0)" } ?? "")")
    }

    var descriptor: OwnedDescriptor { file.descriptor }

    func write(_ bytes: [UInt8]) throws(CommandError) {
        try writing { () throws(ReplacementFailure) in try file.write(bytes) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(CommandError) {
        try writing { () throws(ReplacementFailure) in try unsafe file.write(bytes) }
    }

    /// Gives it the owner and the mode of another, setuid bits included.
    func resemble(_ other: OpenFile) throws(CommandError) {
        try resemble(owner: other.owner, group: other.group, mode: other.mode, of: other.path)
    }

    /// The same of the file whose place it takes.
    func resemble(_ other: ReplacedFile) throws(CommandError) {
        try resemble(owner: other.owner, group: other.group, mode: other.mode, of: "the file that is there")
    }

    private func resemble(owner: UInt32, group: UInt32, mode: UInt32, of path: String) throws(CommandError) {
        // The owner first: changing it clears those bits.
        if owner != geteuid() || group != getegid() {
            do throws(ReplacementFailure) { try file.setOwner(owner, group: group) } catch {
                throw NewFile.failure("\(file.place) cannot get the owner of \(path)", error)
            }
        }
        try setMode(mode)
    }

    func setMode(_ mode: UInt32) throws(CommandError) {
        try writing { () throws(ReplacementFailure) in try file.setMode(mode) }
    }

    /// Makes it readable for all users.
    func publish() throws(CommandError) {
        try writing { () throws(ReplacementFailure) in try file.setMode(0o644) }
    }

    /// Moves it to its place, and replaces a file there.
    func take() throws(CommandError) {
        try writing { () throws(ReplacementFailure) in try file.commit() }
    }

    /// Moves it to its place, or where the place's name has a suffix; throws if a file exists there.
    func takeEmptyPlace(suffix: String = "") throws(CommandError) {
        do throws(ReplacementFailure) { try file.commitWithoutReplacing(suffix: suffix) } catch {
            if case .notDurable = error { throw cannotBeWritten(error) }
            throw NewFile.failure("\(file.place)\(suffix) cannot be made", error)
        }
    }

    /// Runs what fails when the file cannot be written.
    private func writing(_ body: () throws(ReplacementFailure) -> Void) throws(CommandError) {
        do throws(ReplacementFailure) { try body() } catch { throw cannotBeWritten(error) }
    }

    private func cannotBeWritten(_ failure: ReplacementFailure) -> CommandError {
        switch failure {
        case .failed: NewFile.failure("\(file.place) cannot be written", failure)
        case .notDurable:
            NewFile.failure("\(file.place) may be lost in a power failure, since its folder cannot be synced", failure)
        }
    }

    private static func failure(_ text: String, _ failure: ReplacementFailure) -> CommandError {
        .failure("\(text): \(unsafe String(cString: strerror(failure.code)))")
    }
}

/// What stands where a new file is to be; it is not opened.
struct ReplacedFile {
    let owner: UInt32
    let group: UInt32
    let mode: UInt32
    private let place: String
    private let kind: mode_t

    /// nil where there is nothing.
    init?(_ place: String) {
        var facts = stat()
        guard unsafe lstat(place, &facts) == 0 else { return nil }
        (owner, group, mode) = (facts.st_uid, facts.st_gid, facts.st_mode & 0o777)
        (self.place, kind) = (place, facts.st_mode & S_IFMT)
    }

    /// A link would be replaced by a file, and what it names would stay as it is: whoever wants that names the file.
    func requireRegular() throws(CommandError) {
        let shown = PlainText.shown(place)
        if kind == S_IFLNK {
            let target = unsafe realpath(place, nil)
            defer { unsafe free(target) }
            let words = unsafe target.map { unsafe PlainText.shown(String(cString: $0)) }
            throw .failure(
                "\(shown) is a symbolic link; name the file itself\(words.map { ", \($0)" } ?? ", which is not there")")
        }
        guard kind == S_IFREG else { throw .failure("\(shown) is not a regular file") }
    }
}

@available(*, unavailable)
extension NewFile: Sendable {}
