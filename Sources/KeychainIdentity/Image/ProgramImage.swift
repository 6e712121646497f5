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
        let file = llv_peer_open_image(process.pid)
        if file >= 0 {
            descriptor = OwnedDescriptor(owning: file)
        } else {
            try process.requireAlive()
            guard file == -EACCES || file == -EPERM else { throw PeerError(process: file) }
            return nil
        }
        try process.requireAlive()
        do throws(FileFault) { facts = try FileFacts(of: file) } catch { throw .system(EIO) }
        let named = try ProgramImage.path(of: file)
        isDeleted = facts.links == 0 || named.hasSuffix(ProgramImage.deletionMark)
        path =
            isDeleted && named.hasSuffix(ProgramImage.deletionMark)
            ? String(named.dropLast(ProgramImage.deletionMark.count)) : named
    }

    /// Whether it runs what a file says that anybody may have written: no right may hang on such an image.
    package var isInterpreter: Bool { Interpreters.contains(path) }

    private static func path(of file: Int32) throws(PeerError) -> String {
        var bytes = [CChar](repeating: 0, count: longestPath)
        let room = bytes.count
        let count = unsafe llv_peer_read_path(file, &bytes, room)
        guard count >= 0 else { throw .system(Int32(-count)) }
        return String(decoding: bytes.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static let deletionMark = " (deleted)"
    private static let longestPath = 4096 + 16
}
