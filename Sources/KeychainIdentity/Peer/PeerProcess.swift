// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
package import KeychainSystem

/// The process that connected to us, with its effective ids of that moment.
///
/// Its number stays its own for as long as `isAlive` holds; after a look-up by number, ask that again.
package struct PeerProcess: Sendable {
    package let pid: Int32
    /// What no other process is ever called.
    package let name: ProcessName
    package let user: UInt32
    package let group: UInt32
    /// A pidfd.
    package let handle: OwnedDescriptor
    /// Its folder in /proc, which no later process gets.
    internal let folder: OwnedDescriptor
    /// Whether the kernel kept the handle since the connection was made (Linux 6.5).
    ///
    /// Else it was found by number after that, and only a packet which that process sends shows that it has our socket.
    package let isExact: Bool

    package init(connectedTo socket: Int32) throws(PeerError) {
        var credentials = llv_peer_credentials()
        var failure = unsafe llv_peer_read_credentials(socket, &credentials)
        guard failure == 0 else { throw .system(-failure) }
        guard credentials.pid > 0 else { throw .unnumbered }
        var isExact = false
        failure = unsafe llv_peer_open_process(socket, credentials.pid, &isExact)
        guard failure >= 0 else {
            // What kernels that do not keep a handle of who ended answer instead of one.
            let isGone = failure == -ESRCH || failure == -EINVAL || failure == -ENODATA
            throw isGone ? .gone : .system(-failure)
        }
        handle = OwnedDescriptor(owning: failure)
        failure = llv_peer_open_process_folder(credentials.pid)
        guard failure >= 0 else { throw PeerError(process: failure) }
        folder = OwnedDescriptor(owning: failure)
        pid = credentials.pid
        user = credentials.uid
        group = credentials.gid
        self.isExact = isExact
        name = try ProcessName(of: pid)
        try requireAlive()
    }

    /// Whether it still runs.
    package var isAlive: Bool { llv_peer_is_alive(handle.number) == 1 }

    package func requireAlive() throws(PeerError) {
        guard isAlive else { throw .gone }
    }

    /// The text of its file `name` in /proc, or nil when it cannot be read or is longer than any such file.
    package func text(of name: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: PeerProcess.longestText)
        let room = bytes.count
        let count = unsafe llv_peer_read_process_file(pid, name, &bytes, room)
        guard count >= 0, count < room, isAlive else { return nil }
        return String(validating: bytes.prefix(Int(count)), as: UTF8.self)
    }

    private static let longestText = 16 << 10
}

/// What tells a process from every other, also from a later one that gets its number: the number, and when it began.
package struct ProcessName: Sendable, Hashable {
    package let pid: Int32
    /// In ticks since the machine was started; 0 of a process that had ended before it could be read.
    package let start: UInt64

    package init(pid: Int32, start: UInt64) {
        self.pid = pid
        self.start = start
    }

    /// Of the process that has this number now.
    init(of pid: Int32) throws(PeerError) {
        var text = [UInt8](repeating: 0, count: ProcessName.longestLine)
        let room = text.count
        let count = unsafe llv_peer_read_process_file(pid, "stat", &text, room)
        guard count >= 0 else { throw PeerError(process: Int32(count)) }
        guard let start = ProcessName.start(in: text.prefix(Int(count))) else { throw .system(0) }
        self.init(pid: pid, start: start)
    }

    /// Of the process that connected; nil when it has ended, or another process has its number by now.
    package init?(connectedTo socket: OwnedDescriptor, pid: Int32) {
        var isExact = false
        let handle = unsafe llv_peer_open_process(socket.number, pid, &isExact)
        guard handle >= 0 else { return nil }
        let process = OwnedDescriptor(owning: handle)
        guard let name = try? ProcessName(of: pid), llv_peer_is_alive(process.number) == 1 else { return nil }
        self = name
    }

    /// The 22nd field of a line of /proc; the second is a name, which may have blanks and parentheses in it.
    private static func start(in line: ArraySlice<UInt8>) -> UInt64? {
        guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = line[(end + 1)...].split(separator: UInt8(ascii: " "))
        guard fields.count > 19 else { return nil }
        return UInt64(String(decoding: fields[19], as: UTF8.self))
    }

    /// Fifty-two numbers and a name of at most 64 bytes.
    private static let longestLine = 2048
}

/// Which file systems and which users a process sees.
///
/// A path means something to us only when it comes from our own namespaces: any user can mount another file over it in
/// namespaces of theirs. There they are root too, and may put any process of those namespaces before us as the sender
/// of a packet, so that a handshake alone proves nothing about who is in others.
package enum ProcessNamespaces: Sendable, Equatable {
    case same
    case other
    /// We may not look: a process of another user, or one that forbids debuggers.
    case hidden

    /// Those of a process, compared with ours.
    internal init(of process: PeerProcess) throws(PeerError) {
        guard !ProcessNamespaces.ours.isEmpty else { throw .system(EIO) }
        var theirs = llv_peer_namespaces()
        let failure = unsafe llv_peer_read_namespaces(process.pid, &theirs)
        try process.requireAlive()
        switch failure {
        case 0:
            let isSame = ProcessNamespaces.ours.contains { $0.mount == theirs.mount && $0.user == theirs.user }
            self = isSame ? .same : .other
        case -EACCES, -EPERM: self = .hidden
        default: throw PeerError(process: failure)
        }
    }

    /// Those whose paths mean to us what they mean there: a server stays where it is.
    ///
    /// A service manager may give us file systems of our own, which are the system's with less of them in sight. So the
    /// system's own are as good as ours, if we may know them. A path is looked up in ours all the same, and has to lead to
    /// the very file that the program executes.
    private static let ours: [llv_peer_namespaces] = {
        var (ours, first) = (llv_peer_namespaces(), llv_peer_namespaces())
        guard unsafe llv_peer_read_namespaces(0, &ours) == 0 else { return [] }
        guard unsafe llv_peer_read_namespaces(1, &first) == 0, first.user == ours.user else { return [ours] }
        return [ours, first]
    }()
}
