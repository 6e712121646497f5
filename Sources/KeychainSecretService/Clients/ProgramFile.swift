// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCoding
internal import KeychainConnection
package import KeychainModel
internal import KeychainSystem

/// The list of programs as it lies beside the keychains, in a file of its owner's alone; the daemon and the tools change it in
/// turns, and each sees what the other did.
///
/// A list that is damaged is left as it is. Nothing is known of any program then: a person is asked about each.
package final class ProgramFile: Sendable {
    package let path: String
    private let root: String
    private let lockPath: String

    /// Tells one version of the file from every other.
    struct Version: Sendable, Equatable {
        let inode: UInt64
        let seconds: Int
        let nanoseconds: Int
        let size: Int64
    }

    package init(root: String) {
        // No keychain's name begins with a dot.
        self.root = root
        path = root + "/.secret-service-programs"
        lockPath = path + ".lock"
    }

    /// The list; an empty one where there is no file.
    package func list() throws(KeychainError) -> ProgramList { try read().list }

    /// Changes the list, unless `body` says that there is nothing to change.
    package func change(_ body: (inout ProgramList) -> Bool) throws(KeychainError) {
        try KeychainFolder.makeFolders(root)
        let lock = unsafe open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw failed(errno) }
        let file = OwnedDescriptor(owning: lock)
        while flock(file.number, LOCK_EX) != 0 { if errno != EINTR { throw failed(errno) } }
        var list = try read().list
        guard body(&list) else { return }
        let bytes: [UInt8]
        do throws(CodingError) { bytes = try list.encoded() } catch { throw failed(0) }
        do throws(ReplacementFailure) { try FileReplacement.replace(path, with: bytes, as: .hidden) } catch {
            throw failed(error.code)
        }
    }

    /// nil where there is no file.
    var version: Version? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return Version(status)
    }

    func read() throws(KeychainError) -> (list: ProgramList, version: Version?) {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else {
            if errno == ENOENT { return (ProgramList(), nil) }
            throw failed(errno)
        }
        let file = OwnedDescriptor(owning: number)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw failed(errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw KeychainError(
                .notAvailable,
                "other users can read or change the list of programs; make sure that it was not changed, then run chmod 600 FILE",
                subject: path)
        }
        guard status.st_size <= ProgramFile.largest else { throw damaged }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        let count = unsafe Glibc.read(file.number, &bytes, bytes.count)
        guard count >= 0 else { throw failed(errno) }
        do throws(CodingError) {
            return (try ProgramList(decoding: Array(bytes.prefix(count))), Version(status))
        } catch { throw damaged }
    }

    private func failed(_ code: Int32) -> KeychainError {
        KeychainError(.inputOutput, "the list of programs cannot be read or written", subject: path, code: Int64(code))
    }

    private var damaged: KeychainError {
        KeychainError(
            .undecodable, "the list of programs is damaged and was left as it is; move it away to begin a new one",
            subject: path)
    }

    private static let largest = 8 << 20
}

extension ProgramFile.Version {
    fileprivate init(_ status: stat) {
        self.init(
            inode: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
            size: Int64(status.st_size))
    }
}
