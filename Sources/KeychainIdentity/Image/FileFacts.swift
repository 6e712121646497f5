// SPDX-License-Identifier: Apache-2.0

internal import CPeer

/// What the system knows about an open file.
package struct FileFacts: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case regularFile
        case folder
        case symbolicLink
        case other
    }

    /// A moment in nanoseconds since 1970, as the file system keeps it.
    package struct Moment: Sendable, Hashable {
        package let seconds: Int64
        package let nanoseconds: Int64
    }

    package let kind: Kind
    package let device: UInt64
    package let inode: UInt64
    package let size: Int64
    /// When its content was last changed, as far as its owner does not say otherwise.
    package let modified: Moment
    /// When its content, its owner, its mode or its number of names was last changed; nobody can set it.
    package let changed: Moment
    package let owner: UInt32
    package let group: UInt32
    package let permissions: UInt32
    /// How many names it has; 0 when it was deleted.
    package let links: UInt64

    internal init(of file: Int32) throws(FileFault) {
        var status = llv_peer_file()
        let failure = unsafe llv_peer_read_file(file, &status)
        guard failure == 0 else { throw .system(-failure) }
        self.init(status)
    }

    internal init(_ status: llv_peer_file) {
        kind =
            status.is_regular_file
            ? .regularFile : status.is_folder ? .folder : status.is_symbolic_link ? .symbolicLink : .other
        device = status.device
        inode = status.inode
        size = status.size
        modified = Moment(seconds: status.modified_seconds, nanoseconds: status.modified_nanoseconds)
        changed = Moment(seconds: status.changed_seconds, nanoseconds: status.changed_nanoseconds)
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
