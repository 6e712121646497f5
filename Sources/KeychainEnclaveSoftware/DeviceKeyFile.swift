// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel

/// The file of a software enclave's root: a mark, then keychain, root and their SHA-256, twice.
struct DeviceKeyFile: ~Copyable {
    let keychain: KeychainUUID
    let root: SecretBytes
    /// Whether one of the two copies is damaged.
    let isHalfDamaged: Bool

    private static let mark = Array("LLAVEKEY".utf8)
    private static let payloadCount = 48
    private static let copyCount = payloadCount + 32
    private static let fileCount = 8 + 2 * copyCount

    static func write(_ root: borrowing SecretBytes, of keychain: KeychainUUID, to path: String) throws(EnclaveError) {
        let content = try unsafe SecretBytes(count: fileCount) { (file) throws(EnclaveError) in
            unsafe file.copyBytes(from: mark)
            for copy in 0..<2 {
                let start = 8 + copy * copyCount
                for (index, byte) in keychain.bytes.enumerated() { unsafe file[start + index] = byte }
                unsafe root.withUnsafeBytes { root in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: file[start + 16..<start + payloadCount])
                        .copyMemory(from: root)
                }
                try unsafe digest(
                    UnsafeRawBufferPointer(rebasing: file[start..<start + payloadCount]),
                    into: UnsafeMutableRawBufferPointer(rebasing: file[start + payloadCount..<start + copyCount]))
            }
        }
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .unreadable(errno) }
        defer { close(file) }
        let written = unsafe content.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
        guard written == fileCount, fsync(file) == 0 else { throw .unreadable(errno) }
    }

    static func read(_ path: String) throws(EnclaveError) -> DeviceKeyFile {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw errno == ENOENT ? .missing : .unreadable(errno) }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .unreadable(errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0,
            status.st_uid == geteuid() || status.st_uid == 0
        else { throw .exposed }
        guard status.st_size == fileCount else { throw .damaged }
        let content = try unsafe SecretBytes(count: fileCount) { (buffer) throws(EnclaveError) in
            guard unsafe Glibc.read(file, buffer.baseAddress, buffer.count) == fileCount else {
                throw .unreadable(errno)
            }
        }
        return try DeviceKeyFile(content)
    }

    private init(_ content: borrowing SecretBytes) throws(EnclaveError) {
        let wholeCopies = try unsafe content.withUnsafeBytes { (file) throws(EnclaveError) -> [Int] in
            var whole: [Int] = []
            for copy in 0..<2 {
                let start = 8 + copy * DeviceKeyFile.copyCount
                let end = start + DeviceKeyFile.payloadCount
                let digest = try unsafe SecretBytes(count: 32) { (digest) throws(EnclaveError) in
                    try unsafe DeviceKeyFile.digest(UnsafeRawBufferPointer(rebasing: file[start..<end]), into: digest)
                }
                let isWhole = unsafe digest.withUnsafeBytes { digest in
                    unsafe digest.elementsEqual(file[end..<end + 32])
                }
                if isWhole { whole.append(start) }
            }
            return whole
        }
        guard let start = wholeCopies.first else { throw .damaged }
        let uuid = unsafe content.withUnsafeBytes { unsafe Array($0[start..<start + 16]) }
        guard let keychain = KeychainUUID(uuid) else { throw .damaged }
        self.keychain = keychain
        root = unsafe content.withUnsafeBytes {
            unsafe SecretBytes(
                copying: UnsafeRawBufferPointer(rebasing: $0[start + 16..<start + DeviceKeyFile.payloadCount]))
        }
        // A digest that holds says more than the mark does.
        let isMarked = unsafe content.withUnsafeBytes { unsafe $0.prefix(8).elementsEqual(DeviceKeyFile.mark) }
        isHalfDamaged = wholeCopies.count < 2 || !isMarked
    }

    private static func digest(
        _ payload: UnsafeRawBufferPointer, into digest: UnsafeMutableRawBufferPointer
    ) throws(EnclaveError) {
        do throws(CryptoError) { try unsafe Digest.sha256(payload, into: digest) } catch { throw .failed(Int64(EIO)) }
    }
}
