// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainCrypto
package import KeychainSystem

/// What the system knows about an open file.
package struct FileFacts: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case regularFile
        case folder
        case symbolicLink
        case other
    }

    /// A moment in nanoseconds since 1970, as the file system keeps it.
    package struct Timestamp: Sendable, Hashable {
        package let seconds: Int64
        package let nanoseconds: Int64
    }

    package let kind: Kind
    package let device: UInt64
    package let inode: UInt64
    package let size: Int64
    /// When its content was last changed, as far as its owner does not say otherwise.
    package let modified: Timestamp
    /// When its content, its owner, its mode or its number of names was last changed; it cannot be set.
    package let changed: Timestamp
    package let owner: UInt32
    package let group: UInt32
    package let permissions: UInt32
    /// How many names it has; 0 when it was deleted.
    package let links: UInt64

    package init(of file: Int32) throws(FileFault) {
        var status = llv_peer_file()
        let failure = unsafe llv_peer_read_file(file, &status)
        guard failure == 0 else { throw .system(-failure) }
        self.init(status)
    }

    /// Those of the file that a process executes, by the process's folder in /proc.
    package init(ofImageIn folder: Int32) throws(FileFault) {
        var status = llv_peer_file()
        let failure = unsafe llv_peer_read_image(folder, &status)
        guard failure == 0 else { throw .system(-failure) }
        self.init(status)
    }

    private init(_ status: llv_peer_file) {
        kind =
            status.is_regular_file
            ? .regularFile : status.is_folder ? .folder : status.is_symbolic_link ? .symbolicLink : .other
        device = status.device
        inode = status.inode
        size = status.size
        modified = Timestamp(seconds: status.modified_seconds, nanoseconds: status.modified_nanoseconds)
        changed = Timestamp(seconds: status.changed_seconds, nanoseconds: status.changed_nanoseconds)
        owner = status.owner
        group = status.group
        permissions = status.permissions
        links = status.links
    }

    /// Whether the kernel gives its group to those who execute it.
    package var givesGroup: Bool { kind == .regularFile && permissions & 0o2010 == 0o2010 }

    package func isSameFile(as other: FileFacts) -> Bool {
        device == other.device && inode == other.inode
    }

    /// Whether it is the same file with the same content, owner and mode; it may have lost its name since.
    package func isUnchanged(since other: FileFacts) -> Bool {
        isSameFile(as: other) && kind == other.kind && size == other.size && modified == other.modified
            && owner == other.owner && group == other.group && permissions == other.permissions
    }
}

/// The whole content of files that are open without a right to read.
package enum FileReading {
    /// The bytes of the file that `facts` tell of, which must not have changed since, nor change meanwhile.
    package static func content(
        of file: OwnedDescriptor, _ facts: FileFacts, limit: Int
    ) throws(FileFault) -> [UInt8] {
        guard facts.kind == .regularFile else { throw .wrongKind }
        guard let size = Int(exactly: facts.size), size <= limit else { throw .tooLarge }
        let number = llv_peer_reopen(file.number, false)
        guard number >= 0 else { throw .system(-number) }
        let readable = OwnedDescriptor(owning: number)
        let bytes = try unsafe [UInt8](count: size) { (buffer) throws(FileFault) in
            try unsafe fill(buffer, from: readable.number)
        }
        // The time of change, which cannot be set back; a deletion meanwhile counts as one, and is rare.
        guard try FileFacts(of: readable.number) == facts else { throw .changed }
        return bytes
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from file: Int32) throws(FileFault) {
        var done = 0
        while done < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = unsafe read(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            guard count > 0 else { throw .changed }
            done += count
        }
    }
}

/// Why a file, or the way to it, cannot be relied on.
package enum FileFault: Error, Sendable, Equatable {
    /// The path does not begin with a slash, or has an empty component, "." or "..".
    case notAPath
    case missing
    /// A component is a symbolic link: name the file that it leads to.
    case symbolicLink
    /// A component belongs to an untrusted user, or others may write to it.
    case exposed
    /// A component is something else than it must be there.
    case wrongKind
    /// The file is larger than such files may be.
    case tooLarge
    /// It was changed while it was read.
    case changed
    /// The system refused a call; an errno.
    case system(Int32)
}
