// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainConnection
internal import KeychainIdentity
internal import KeychainModel

/// The socket that clients come to.
struct Listener {
    let socket: OwnedDescriptor
    /// The file of a socket that is ours to remove.
    private let path: String?

    /// Takes the socket that systemd hands over, or makes one.
    static func open(_ wanted: String?) throws(KeychainError) -> Listener {
        if wanted == nil, let handed = handedOver() { return Listener(socket: handed, path: nil) }
        guard let path = wanted ?? DaemonSocket.ofUser(.current()) else {
            throw KeychainError(
                .parameter, "there is no XDG_RUNTIME_DIR to put the socket into; say --socket PATH")
        }
        try makeFolder(of: path)
        try removeLeftover(path)
        let socket = unsafe llv_peer_listen(path, 0o600, 128)
        guard socket >= 0 else {
            throw KeychainError(.notAvailable, "this socket cannot be made", subject: path, code: Int64(-socket))
        }
        return Listener(socket: OwnedDescriptor(owning: socket), path: path)
    }

    func remove() {
        if let path { unsafe unlink(path) }
    }

    /// The third descriptor, when the service manager says that it is for this process.
    private static func handedOver() -> OwnedDescriptor? {
        guard let process = unsafe getenv("LISTEN_PID"), unsafe Int32(String(cString: process)) == getpid(),
            let count = unsafe getenv("LISTEN_FDS"), unsafe String(cString: count) == "1"
        else { return nil }
        _ = fcntl(3, F_SETFD, FD_CLOEXEC)
        return OwnedDescriptor(owning: 3)
    }

    private static func makeFolder(of path: String) throws(KeychainError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let folder = String(path[..<slash])
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw KeychainError(
                .notAvailable, "the folder of the socket cannot be made", subject: folder, code: Int64(errno))
        }
    }

    /// Removes a socket at which nobody listens any more.
    private static func removeLeftover(_ path: String) throws(KeychainError) {
        let client = unsafe llv_peer_connect(path)
        if client >= 0 {
            close(client)
            throw KeychainError(.notAvailable, "a daemon listens here already", subject: path)
        }
        if client == -ECONNREFUSED { unsafe unlink(path) }
    }
}
