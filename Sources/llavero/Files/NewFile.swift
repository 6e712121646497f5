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
        do throws(ReplacementFailure) { try file.write(bytes) } catch { throw cannotBeWritten(error) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(CommandError) {
        do throws(ReplacementFailure) { try unsafe file.write(bytes) } catch { throw cannotBeWritten(error) }
    }

    /// Gives it the owner and the mode of another, setuid bits included.
    func resemble(_ other: OpenFile) throws(CommandError) {
        // The owner first: changing it clears those bits.
        if other.owner != geteuid() || other.group != getegid() {
            do throws(ReplacementFailure) { try file.setOwner(other.owner, group: other.group) } catch {
                throw NewFile.failure("\(file.place) cannot get the owner of \(other.path)", error)
            }
        }
        do throws(ReplacementFailure) { try file.setMode(other.mode) } catch { throw cannotBeWritten(error) }
    }

    /// Makes it readable for all users.
    func publish() throws(CommandError) {
        do throws(ReplacementFailure) { try file.setMode(0o644) } catch { throw cannotBeWritten(error) }
    }

    /// Moves it to its place, and replaces a file there.
    func take() throws(CommandError) {
        do throws(ReplacementFailure) { try file.commit() } catch { throw cannotBeWritten(error) }
    }

    /// Moves it to its place; throws if a file exists there.
    func takeEmptyPlace() throws(CommandError) {
        do throws(ReplacementFailure) { try file.commitWithoutReplacing() } catch {
            if case .notDurable = error { throw cannotBeWritten(error) }
            throw NewFile.failure("\(file.place) cannot be made", error)
        }
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
