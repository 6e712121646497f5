// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainSystem

/// A file beside the keychains that its owner alone may read and change; the daemon and the tools change it in turns, and each
/// sees what the other did.
struct OwnersFile: Sendable {
    /// Tells one version of the file from every other.
    struct Version: Sendable, Equatable {
        fileprivate let inode: UInt64
        fileprivate let seconds: Int
        fileprivate let nanoseconds: Int
        fileprivate let size: Int64
    }

    /// What is said when it cannot be used; the file's path stands before it.
    struct Sentences: Sendable {
        let failed: StaticString
        /// Others can read or change it.
        let exposed: StaticString
        let damaged: StaticString
    }

    let path: String
    private let root: String
    private let largest: Int
    private let sentences: Sentences

    init(_ name: String, in root: String, atMost largest: Int, _ sentences: Sentences) {
        self.root = root
        self.largest = largest
        self.sentences = sentences
        path = root + "/" + name
    }

    /// nil where there is no file.
    var version: Version? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return Version(status)
    }

    /// The bytes of the file; nil where there is none.
    func content() throws(KeychainError) -> (bytes: [UInt8], version: Version)? {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else {
            if errno == ENOENT { return nil }
            throw failed(errno)
        }
        let file = OwnedDescriptor(owning: number)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw failed(errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw KeychainError(.notAvailable, sentences.exposed, subject: path)
        }
        guard status.st_size <= largest else { throw damaged }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        let count = unsafe Glibc.read(file.number, &bytes, bytes.count)
        guard count >= 0 else { throw failed(errno) }
        return (Array(bytes.prefix(count)), Version(status))
    }

    /// Does what reads and replaces the file while no other process does.
    func inTurn<Result>(_ body: () throws(KeychainError) -> Result) throws(KeychainError) -> Result {
        try KeychainFolder.makeFolders(root)
        let number = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw failed(errno) }
        let lock = OwnedDescriptor(owning: number)
        defer { withExtendedLifetime(lock) {} }
        while flock(lock.number, LOCK_EX) != 0 { if errno != EINTR { throw failed(errno) } }
        return try body()
    }

    func replace(with bytes: [UInt8]) throws(KeychainError) {
        do throws(ReplacementFailure) { try FileReplacement.replace(path, with: bytes, as: .hidden) } catch {
            throw failed(error.code)
        }
    }

    func failed(_ code: Int32) -> KeychainError {
        KeychainError(.inputOutput, sentences.failed, subject: path, code: Int64(code))
    }

    var damaged: KeychainError { KeychainError(.undecodable, sentences.damaged, subject: path) }
}

extension OwnersFile.Version {
    fileprivate init(_ status: stat) {
        self.init(
            inode: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
            size: Int64(status.st_size))
    }
}
