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
        do throws(ReplacementFailure) {
            file = try FileReplacement(of: place, as: .hidden, removedWhenKilled: true)
        } catch { throw NewFile.failure("no file can be made beside \(place)", error) }
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
        // The owner first: changing it clears those bits.
        if other.owner != geteuid() || other.group != getegid() {
            do throws(ReplacementFailure) { try file.setOwner(other.owner, group: other.group) } catch {
                throw NewFile.failure("\(file.place) cannot get the owner of \(other.path)", error)
            }
        }
        try writing { () throws(ReplacementFailure) in try file.setMode(other.mode) }
    }

    /// Makes it readable for all users.
    func publish() throws(CommandError) {
        try writing { () throws(ReplacementFailure) in try file.setMode(0o644) }
    }

    /// Moves it to its place, and replaces a file there.
    func take() throws(CommandError) {
        try writing { () throws(ReplacementFailure) in try file.commit() }
    }

    /// Moves it to its place; throws if a file exists there.
    func takeEmptyPlace() throws(CommandError) {
        do throws(ReplacementFailure) { try file.commitWithoutReplacing() } catch {
            if case .notDurable = error { throw cannotBeWritten(error) }
            throw NewFile.failure("\(file.place) cannot be made", error)
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

@available(*, unavailable)
extension NewFile: Sendable {}
