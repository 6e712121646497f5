// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel
internal import KeychainSystem

/// The file that a user's or the administrator's trust settings are kept in.
///
/// It is replaced as a whole, by one writer at a time. Who can write it decides what is trusted: it belongs to its user, or
/// to root.
package struct TrustSettingsFile: Hashable, Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The file of the user whose keychains are in that folder.
    package static func user(root: String) -> TrustSettingsFile { TrustSettingsFile(path: root + "/.trust-settings") }

    /// The administrator's, for all users.
    package static let administrator = TrustSettingsFile(path: "/etc/llavero/trust-settings")

    /// What it says; nothing when it is not there.
    ///
    /// Throws when it cannot be read or understood.
    package func read() throws(KeychainError) -> TrustSettings {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno != ENOENT, errno != ENOTDIR else { return TrustSettings() }
            throw KeychainError(.inputOutput, "the trust settings cannot be opened", subject: path, code: Int64(errno))
        }
        defer { close(descriptor) }
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
            facts.st_size <= TrustSettings.largest
        else { throw KeychainError(.inputOutput, "the trust settings are no regular file", subject: path) }
        // Whoever else could write it would decide for the user.
        guard facts.st_uid == geteuid() || facts.st_uid == 0, facts.st_mode & 0o022 == 0 else {
            throw KeychainError(
                .inputOutput, "the trust settings belong to somebody else, or others may write them", subject: path)
        }
        let key = Version(facts, path)
        if let known = Self.cache.withLock({ $0[key] }) { return known }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw KeychainError(
                    .inputOutput, "the trust settings cannot be read", subject: path, code: Int64(errno))
            }
            done += count
        }
        guard let settings = TrustSettings(bytes) else {
            throw KeychainError(
                .undecodable, "the trust settings are damaged; nothing is trusted by them", subject: path)
        }
        Self.cache.withLock { cache in
            if cache.count > 8 { cache.removeAll() }
            cache[key] = settings
        }
        return settings
    }

    /// Changes what it says.
    package func change(_ body: (inout TrustSettings) throws(KeychainError) -> Void) throws(KeychainError) {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
        if unsafe access(folder, F_OK) != 0, unsafe mkdir(folder, self == Self.administrator ? 0o755 : 0o700) != 0,
            errno != EEXIST
        {
            throw cannotChange(errno)
        }
        let lock = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw cannotChange(errno) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw KeychainError(
                    .inputOutput, "the trust settings cannot be locked", subject: path, code: Int64(errno))
            }
        }
        var settings = try read()
        try body(&settings)
        guard let bytes = try? settings.encoded(), bytes.count <= TrustSettings.largest else {
            throw KeychainError(.parameter, "the trust settings are too large")
        }
        do throws(ReplacementFailure) {
            let file = try FileReplacement(of: path, as: .hidden)
            try file.write(bytes)
            // Every user reads what the administrator says.
            if self == Self.administrator { try file.setMode(0o644) }
            try file.commit()
        } catch {
            throw KeychainError(.inputOutput, "the trust settings cannot be written", subject: path)
        }
    }

    private func cannotChange(_ code: Int32) -> KeychainError {
        guard code == EACCES || code == EROFS else {
            return KeychainError(
                .inputOutput, "the trust settings cannot be changed", subject: path, code: Int64(code))
        }
        return self == Self.administrator && code == EACCES
            ? KeychainError(.readOnly, "only root changes what the machine trusts", subject: path)
            : KeychainError(.readOnly, "the trust settings cannot be changed", subject: path, code: Int64(code))
    }

    /// By what a file is recognised as the one that was read.
    private struct Version: Hashable {
        let path: String
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64

        init(_ facts: stat, _ path: String) {
            self.path = path
            device = UInt64(facts.st_dev)
            inode = UInt64(facts.st_ino)
            size = Int64(facts.st_size)
            seconds = Int64(facts.st_ctim.tv_sec)
            nanoseconds = Int64(facts.st_ctim.tv_nsec)
        }
    }

    private static let cache = ForkSafeMutex<[Version: TrustSettings]>([:])
}
