// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc

/// The file that a process executes.
///
/// It stays open, so device and inode remain this file's, even when its path leads elsewhere by now.
package struct ProgramImage: Sendable {
    package let descriptor: OwnedDescriptor
    /// Where the kernel last saw it; in another mount namespace this says nothing.
    package let path: String
    package let facts: FileFacts
    /// Whether it was deleted, or replaced by another file as an upgrade does it.
    package let isDeleted: Bool

    /// The image of a process that was alive afterwards; nil when we may not look at it.
    internal init?(of process: PeerProcess) throws(PeerError) {
        guard let descriptor = try ProgramImage.open(process) else { return nil }
        self.descriptor = descriptor
        facts = try ProgramImage.facts(of: descriptor)
        let named = try ProgramImage.path(of: descriptor.number)
        let isMarked = named.hasSuffix(ProgramImage.deletionMark)
        isDeleted = facts.links == 0 || isMarked
        path = isMarked ? String(named.dropLast(ProgramImage.deletionMark.count)) : named
    }

    /// Only the facts of what `init` would give, which is enough to see whether it is still the same.
    internal static func facts(of process: PeerProcess) throws(PeerError) -> FileFacts? {
        var status = llv_peer_file()
        let failure = unsafe llv_peer_read_image(process.folder.number, &status)
        // Only who runs has such a file.
        if failure == 0 { return FileFacts(status) }
        try process.requireAlive()
        guard failure == -EACCES || failure == -EPERM else { throw PeerError(process: failure) }
        return nil
    }

    private static func open(_ process: PeerProcess) throws(PeerError) -> OwnedDescriptor? {
        let file = llv_peer_open_image(process.pid)
        let descriptor = file >= 0 ? OwnedDescriptor(owning: file) : nil
        // Had it ended before, the number might have been another's.
        try process.requireAlive()
        if descriptor == nil, file != -EACCES, file != -EPERM { throw PeerError(process: file) }
        return descriptor
    }

    private static func facts(of descriptor: OwnedDescriptor) throws(PeerError) -> FileFacts {
        do throws(FileFault) { return try FileFacts(of: descriptor.number) } catch { throw .system(EIO) }
    }

    /// Whether it runs what a file says that anybody may have written: no right may hang on such an image.
    package var isInterpreter: Bool { Interpreters.contains(path) }

    private static func path(of file: Int32) throws(PeerError) -> String {
        var bytes = [UInt8](repeating: 0, count: longestPath)
        var count: Int64 = 0
        unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            count = unsafe llv_peer_read_path(file, start, buffer.count)
        }
        guard count >= 0 else { throw .system(Int32(-count)) }
        return String(decoding: bytes.prefix(Int(count)), as: UTF8.self)
    }

    private static let deletionMark = " (deleted)"
    private static let longestPath = 4096 + 16
}
