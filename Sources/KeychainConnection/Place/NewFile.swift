// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEngine
internal import KeychainModel

/// A small file that is written whole, synced, and readable by its owner alone.
enum NewFile {
    static func write(_ bytes: [UInt8], to path: String) throws(KeychainError) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            throw KeychainError(ofFile: errno, .notAvailable, "the file cannot be made", subject: path)
        }
        defer { close(file) }
        guard unsafe Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw KeychainError(ofFile: errno, .inputOutput, "the disk failed to write", subject: path)
        }
    }
}
