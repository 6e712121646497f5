// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainEnclave
internal import KeychainModel

/// The file of a software enclave. All its bytes are secret, so they are in `SecretBytes` from the first to the last.
// Up to four gates such a buffer fits the locked arena; a file with more is in ordinary memory for a moment, and wiped.
enum DeviceKeyFile {
    static func read(_ path: String) throws(EnclaveError) -> DeviceKey {
        // Not waiting for whoever writes to a pipe of that name.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { throw errno == ENOENT ? .missing : .unreadable(errno) }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .unreadable(errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0,
            status.st_uid == geteuid() || status.st_uid == 0
        else { throw .exposed }
        guard let size = Int(exactly: status.st_size), let layout = DeviceKeyLayout.ofFile(size: size) else {
            throw .damaged
        }
        let content = try unsafe SecretBytes(count: layout.fileSize) { (buffer) throws(EnclaveError) in
            try unsafe fill(buffer, from: file)
        }
        return try DeviceKey.decode(content)
    }

    /// Makes the file, which must not exist; it is on the disk, whole and under its name, when this returns.
    static func create(_ key: borrowing DeviceKey, at path: String) throws(EnclaveError) {
        var status = llv_file_status()
        guard unsafe llv_read_file_status(path, &status) == ENOENT else { throw .unreadable(EEXIST) }
        try replace(key, with: key.gates, at: path)
    }

    /// Puts these gates, and whatever else `key` says, in the place of the file; for whoever has the owner's turn.
    static func replace(
        _ key: borrowing DeviceKey, with gates: GateTable, at path: String
    ) throws(EnclaveError) {
        let content = try key.encoded(with: gates)
        let middle = DeviceKeyLayout.current(gateCount: gates.entries.count).payload(1).lowerBound
        let isSecondDamaged = key.isSecondDamaged
        let failure = unsafe content.withUnsafeBytes { content in
            // Only the buffer of an abandoned secret starts nowhere.
            guard let start = content.baseAddress else { return EINVAL }
            let failure = unsafe llv_replace_file(path, start, content.count)
            guard failure == ENOSPC || failure == EDQUOT else { return failure }
            // A passcode must be counted on a full disk too, and there is no room for another file. Each of the two copies
            // is on the disk before the other one is touched, a damaged one first, so that one of them is always whole.
            let inPlace = unsafe llv_overwrite_halves(path, start, content.count, middle, isSecondDamaged)
            // Of another size is the file of another number of gates: that change has to wait for room.
            return inPlace == EINVAL ? failure : inPlace
        }
        guard failure == 0 else { throw .unreadable(failure) }
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from file: Int32) throws(EnclaveError) {
        var done = 0
        while done < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = unsafe Glibc.read(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(errno) }
            // Somebody cut it since.
            guard count > 0 else { throw .damaged }
            done += count
        }
    }
}
