// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc

/// The process that connected to us, with its effective ids of that moment.
///
/// Its number stays its own for as long as `isAlive` holds; whoever looks something up by number asks that afterwards.
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
