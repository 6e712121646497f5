// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainSystem

/// The file of an enclave, open to be read: a regular file, which belongs to the user or to root, and which no other user can
/// access.
package struct EnclaveFile {
    package let size: Int
    private let descriptor: OwnedDescriptor

    package init(_ path: String) throws(EnclaveError) {
        // Not waiting for the writer of a pipe of that name.
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { throw errno == ENOENT ? .missing : .unreadable(errno) }
        descriptor = OwnedDescriptor(owning: number)
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw .unreadable(errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0,
            status.st_uid == geteuid() || status.st_uid == 0
        else { throw .exposed }
        size = status.st_size
    }

    /// Reads the whole file into a buffer of its size.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(EnclaveError) {
        var done = 0
        while done < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = unsafe Glibc.read(descriptor.number, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(errno) }
            // It was truncated since.
            guard count > 0 else { throw .damaged }
            done += count
        }
    }
}
