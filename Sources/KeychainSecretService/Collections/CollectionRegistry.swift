// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCoding
internal import KeychainConnection
package import KeychainModel
internal import KeychainSystem

/// The list of collections as it lies beside the keychains, in a file of its owner's alone.
///
/// It is read when it has changed and written whole at each change, by the daemon and the tools in turns. A file that is damaged, or that others could have changed, is left as it
/// is, and every question and every change ends with an error that says so: a list that was thought empty would have programs
/// make new collections in the place of those that hold their secrets. `beginAnew` puts it aside.
package final class CollectionRegistry: Sendable {
    package let path: String
    private let root: String
    /// Seconds since 1970.
    private let clock: @Sendable () -> UInt64
    /// As the file has it; nil before it was read.
    private let list = ForkSafeMutex<Held?>(nil)

    private struct Held: Sendable {
        var list: CollectionList
        /// Of the file that it was read from; nil where there was none.
        let version: Version?
    }

    /// Tells one version of the file from every other.
    fileprivate struct Version: Sendable, Equatable {
        let inode: UInt64
        let seconds: Int
        let nanoseconds: Int
        let size: Int64
    }

    /// The registry of the keychains in a folder.
    package init(root: String, clock: @escaping @Sendable () -> UInt64) {
        self.root = root
        self.clock = clock
        // No keychain's name begins with a dot.
        path = root + "/.secret-service"
    }

    package func collections() throws(KeychainError) -> CollectionList {
        try list.withLock { (list) throws(KeychainError) in try read(&list) }
    }

    /// Makes a collection of that label; its keychain is not there yet.
    package func add(label: String) throws(KeychainError) -> CollectionList.Collection {
        try changing { (list) throws(KeychainError) in
            try list.add(label: label, at: clock()) { (name) throws(KeychainError) in
                try Place.folder(root: root, name: name).exists
            }
        }
    }

    /// False where there is no such collection, here and below.
    package func setLabel(_ label: String, of id: String) throws(KeychainError) -> Bool {
        try changing { (list) throws(KeychainError) in try list.setLabel(label, of: id, at: clock()) }
    }

    /// Takes a collection out of the list, and leaves its keychain alone.
    package func remove(_ id: String) throws(KeychainError) -> Bool {
        try changing { (list) throws(KeychainError) in list.remove(id) }
    }

    /// Has an alias mean a collection, or with nil what it means when nobody says anything.
    package func setAlias(_ alias: String, to id: String?) throws(KeychainError) -> Bool {
        try changing { (list) throws(KeychainError) in try list.setAlias(alias, to: id) }
    }

    /// Puts a file that cannot be read aside, under a name that comes back, and begins with an empty list; nil where the list
    /// can be read and stays.
    ///
    /// For a person who was told: the keychains of its collections stay, and no collection shows them any more.
    package func beginAnew() throws(KeychainError) -> String? {
        try list.withLock { (list) throws(KeychainError) in
            do throws(KeychainError) {
                _ = try read(&list)
                return nil
            } catch { if error.reason != .undecodable { throw error } }
            for number in 1..<1000 {
                let aside = "\(path).aside-\(number)"
                // As a second name, which never takes the place of a file that is there.
                if unsafe link(path, aside) == 0 {
                    guard unsafe unlink(path) == 0 else { throw failed(errno) }
                    return aside
                }
                guard errno == EEXIST else { throw failed(errno) }
            }
            throw failed(EEXIST)
        }
    }

    private func changing<Result: Sendable>(
        _ body: (inout CollectionList) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try list.withLock { (list) throws(KeychainError) in
            // Held until the change is made: another process waits for it.
            let number = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard number >= 0 else { throw failed(errno) }
            let lock = OwnedDescriptor(owning: number)
            while flock(lock.number, LOCK_EX) != 0 { if errno != EINTR { throw failed(errno) } }
            var changed = try read(&list)
            let result = try body(&changed)
            let bytes: [UInt8]
            do throws(CodingError) { bytes = try changed.encoded() } catch {
                throw KeychainError(.parameter, "the list of collections cannot be written", subject: path)
            }
            // Read again the next time: another process may change it first.
            list = nil
            do throws(ReplacementFailure) {
                try FileReplacement.replace(path, with: bytes, as: .hidden)
            } catch { throw failed(error.code) }
            return result
        }
    }

    private func read(_ list: inout Held?) throws(KeychainError) -> CollectionList {
        if let list, list.version == version { return list.list }
        list = nil
        var read = Held(list: CollectionList(), version: nil)
        if let (bytes, version) = try content() {
            do throws(CodingError) { read = Held(list: try CollectionList(decoding: bytes), version: version) } catch {
                throw damaged
            }
        }
        list = read
        return read.list
    }

    /// nil where there is no file.
    private var version: Version? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return Version(status)
    }

    /// The bytes of the file; nil where there is none.
    private func content() throws(KeychainError) -> (bytes: [UInt8], version: Version)? {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else {
            if errno == ENOENT { return nil }
            throw failed(errno)
        }
        let file = OwnedDescriptor(owning: number)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw failed(errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw KeychainError(
                .notAvailable,
                "other users can read or change the list of collections; make sure that it was not changed, then run chmod 600 FILE",
                subject: path)
        }
        guard status.st_size <= CollectionRegistry.largest else { throw damaged }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        let count = unsafe Glibc.read(file.number, &bytes, bytes.count)
        guard count >= 0 else { throw failed(errno) }
        return (Array(bytes.prefix(count)), Version(status))
    }

    private func failed(_ code: Int32) -> KeychainError {
        KeychainError(
            .inputOutput, "the list of collections cannot be read or written", subject: path, code: Int64(code))
    }

    private var damaged: KeychainError {
        KeychainError(
            .undecodable,
            "the list of collections is damaged and was left as it is; bring it back from a backup, or have llavero put it aside",
            subject: path)
    }

    private static let largest = 1 << 21
}

extension CollectionRegistry.Version {
    fileprivate init(_ status: stat) {
        self.init(
            inode: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
            size: Int64(status.st_size))
    }
}
