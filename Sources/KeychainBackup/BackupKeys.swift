// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel

/// The random key of one backup, and what is derived from it.
package final class BackupKey: Sendable {
    let file: [UInt8]
    private let secret: SecretBytes

    /// The key of a new backup.
    package convenience init() throws(BackupError) {
        let file = try ciphering { () throws(CryptoError) in
            try unsafe [UInt8](count: BackupKey.fileSize) { (buffer) throws(CryptoError) in
                try unsafe fillRandom(buffer)
            }
        }
        self.init(
            of: file,
            secret: try ciphering { () throws(CryptoError) in
                try unsafe SecretBytes(count: BackupKey.size) { (buffer) throws(CryptoError) in
                    try unsafe fillRandom(buffer)
                }
            })
    }

    package init(of file: [UInt8], secret: consuming SecretBytes) {
        self.file = file
        self.secret = secret
    }

    /// Authenticates the header.
    func header() throws(BackupError) -> SecretBytes { try derived("llavero backup header", []) }

    /// Wraps the key of a backup that goes on from this one.
    func next(_ file: [UInt8]) throws(BackupError) -> SecretBytes {
        try BackupKey.derived(secret, salt: file, "llavero backup base")
    }

    /// The key of one chunk: it is used once, and opens at no other place and with no other end.
    func chunk(_ number: UInt64, isLast: Bool) throws(BackupError) -> SecretBytes {
        try derived("llavero backup chunk", bytes(of: number) + [isLast ? 1 : 0])
    }

    /// The key of an item that only the device opens that stored it; an item is once in a file.
    func bound(
        _ itemClass: ItemClass, _ id: PersistentID, to device: borrowing SecretBytes
    ) throws(BackupError) -> SecretBytes {
        let both = try unsafe SecretBytes(count: secret.count + device.count) { (buffer) throws(BackupError) in
            unsafe secret.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
            unsafe device.withUnsafeBytes { device in
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[secret.count...]).copyMemory(from: device)
            }
        }
        return try BackupKey.derived(both, salt: file, "llavero backup bound", [itemClass.rawValue] + id.bytes)
    }

    private func derived(_ info: String, _ more: [UInt8]) throws(BackupError) -> SecretBytes {
        try BackupKey.derived(secret, salt: file, info, more)
    }

    static func derived(
        _ secret: borrowing SecretBytes, salt: [UInt8], _ info: String, _ more: [UInt8] = []
    ) throws(BackupError) -> SecretBytes {
        do throws(CryptoError) {
            return try unsafe SecretBytes(count: size) { (buffer) throws(CryptoError) in
                try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                    try unsafe KeyDerivation.hkdf(
                        secret: secret, salt: salt, info: Array(info.utf8) + more, into: buffer)
                }
            }
        } catch { throw .crypto(error) }
    }

    // MARK: Wrapping

    func wrapped(under key: borrowing SecretBytes) throws(BackupError) -> [UInt8] {
        do throws(CryptoError) {
            return try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                let wrap = try unsafe KeyWrap(key: key)
                return try unsafe [UInt8](count: BackupKey.wrappedSize) { (output) throws(CryptoError) in
                    try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                        try unsafe wrap.wrap(secret, into: output)
                    }
                }
            }
        } catch { throw .crypto(error) }
    }

    /// nil when the key is another one.
    convenience init?(_ wrapped: [UInt8], of file: [UInt8], under key: borrowing SecretBytes) throws(BackupError) {
        let secret: SecretBytes
        do throws(CryptoError) {
            secret = try unsafe SecretBytes(count: BackupKey.size) { (buffer) throws(CryptoError) in
                try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                    let wrap = try unsafe KeyWrap(key: key)
                    try unsafe wrapped.lendingBytes { (wrapped) throws(CryptoError) in
                        try unsafe wrap.unwrap(wrapped, into: buffer)
                    }
                }
            }
        } catch {
            if error == .authenticationFailed { return nil }
            throw .crypto(error)
        }
        self.init(of: file, secret: secret)
    }

    static let size = 32
    static let wrappedSize = 40
    static let fileSize = 16
}

/// Eight bytes, big-endian.
func bytes(of number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }

/// Four bytes, big-endian.
func bytes(of number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
