// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainAuthentication
internal import KeychainConnection
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainSystem

/// The socket that clients connect to.
struct Listener {
    let socket: OwnedDescriptor
    /// The socket file that this process made.
    let file: SocketFile?
    /// Whether it stays behind, as systemd's does: who finds it knows that keychains are with the system's daemon, and makes none.
    let leavesFile: Bool

    /// Uses the socket that systemd passes, or makes one.
    static func open(_ wanted: String?, isOfSystem: Bool, isWithoutSession: Bool) throws(KeychainError) -> Listener {
        if wanted == nil, let handed = try handedOver() { return Listener(socket: handed, file: nil, leavesFile: true) }
        let ofUser = isWithoutSession ? DaemonSocket.besideKeychains : DaemonSocket.ofUser
        let usual = isOfSystem ? DaemonSocket.system : ofUser(.current())
        guard let path = wanted ?? usual else {
            throw KeychainError(
                .parameter, "no path for the socket is known; give one with --socket PATH")
        }
        try makeFolder(of: path, isOpen: isOfSystem)
        // Of two daemons started at once, the second would take the first one's new socket for a leftover.
        let turn = folderTurn(of: path)
        defer { if turn >= 0 { close(turn) } }
        try removeLeftover(path)
        let socket = unsafe llv_peer_listen(path, isOfSystem ? 0o666 : 0o600, 128)
        guard socket >= 0 else {
            throw KeychainError(.notAvailable, "the socket cannot be made", subject: path, code: Int64(-socket))
        }
        return Listener(socket: OwnedDescriptor(owning: socket), file: SocketFile(path), leavesFile: isOfSystem)
    }

    /// A socket that another daemon made in its place stays.
    func remove() {
        if let file, !leavesFile, file.isThere { unsafe unlink(file.path) }
    }

    /// The first descriptor after the standard ones, when the service manager says that it is for this process.
    private static func handedOver() throws(KeychainError) -> OwnedDescriptor? {
        guard let process = unsafe getenv("LISTEN_PID"), unsafe Int32(String(cString: process)) == getpid(),
            let count = unsafe getenv("LISTEN_FDS")
        else { return nil }
        guard unsafe strcmp(count, "1") == 0, isListener(first) else {
            throw KeychainError(
                .parameter,
                "the service manager's socket cannot be used; it has to be ListenSequentialPacket= with a path")
        }
        _ = fcntl(first, F_SETFD, FD_CLOEXEC)
        let failure = llv_peer_ask_for_senders(first)
        guard failure == 0 else {
            throw KeychainError(
                .notAvailable, "the service manager's socket does not identify senders", code: Int64(-failure))
        }
        return OwnedDescriptor(owning: first)
    }

    private static func isListener(_ file: Int32) -> Bool {
        option(SO_DOMAIN, of: file) == AF_UNIX && option(SO_TYPE, of: file) == Int32(SOCK_SEQPACKET.rawValue)
            && option(SO_ACCEPTCONN, of: file) == 1
    }

    private static func option(_ name: Int32, of file: Int32) -> Int32? {
        var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return unsafe getsockopt(file, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    private static let first: Int32 = 3

    private static func makeFolder(of path: String, isOpen: Bool) throws(KeychainError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let folder = String(path[..<slash])
        var isMade = unsafe mkdir(folder, 0o700) == 0
        // In a new home directory the parent folders may be missing.
        if !isMade, errno == ENOENT {
            try makeFolder(of: folder, isOpen: false)
            isMade = unsafe mkdir(folder, 0o700) == 0
        }
        guard isMade else {
            // An existing folder stays as it is.
            if errno == EEXIST { return }
            throw KeychainError(
                .notAvailable, "the folder for the socket cannot be made", subject: folder, code: Int64(errno))
        }
        if isOpen { unsafe chmod(folder, 0o755) }
    }

    /// A lock on the socket's folder, as long as the descriptor is open; -1 where the folder is not ours, or cannot be opened.
    private static func folderTurn(of path: String) -> Int32 {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return -1 }
        let folder = unsafe Glibc.open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return -1 }
        var facts = stat()
        // In another user's folder, that user could hold the lock for ever.
        guard unsafe fstat(folder, &facts) == 0, facts.st_uid == geteuid(), flock(folder, LOCK_EX) == 0 else {
            close(folder)
            return -1
        }
        return folder
    }

    /// Removes a socket that has no listener any more.
    private static func removeLeftover(_ path: String) throws(KeychainError) {
        let client = unsafe llv_peer_connect(path)
        if client >= 0 {
            close(client)
            throw KeychainError(.notAvailable, "another daemon already listens on this socket", subject: path)
        }
        if client == -ECONNREFUSED { unsafe unlink(path) }
    }
}

/// The file of a socket, as it was when it was made.
///
/// A login session that ends removes its runtime folder, and the next session has another one with another socket or without
/// any. A daemon that programs cannot reach any more would still hold its keychains.
struct SocketFile {
    let path: String
    private let device: dev_t
    private let number: ino_t

    /// nil where there is none.
    init?(_ path: String) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return nil }
        self.path = path
        (device, number) = (facts.st_dev, facts.st_ino)
    }

    /// Whether the file still exists and is the same one.
    var isThere: Bool {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 && facts.st_dev == device && facts.st_ino == number
    }

    /// Runs `body` on its own thread once the file is gone, without polling.
    func whenGone(_ body: @escaping @Sendable () -> Void) {
        let notes = inotify_init1(Int32(IN_CLOEXEC))
        let events = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
        let isWatched = unsafe notes >= 0 && inotify_add_watch(notes, path, events) >= 0
        let file = self
        _ = NamedThread.start("socket-file") {
            defer { if notes >= 0 { close(notes) } }
            // Checked first: the file may be gone before the watch began.
            while file.isThere {
                // Where the kernel cannot watch files, the daemon stays.
                guard isWatched else { return }
                let count = unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
                    unsafe read(notes, bytes.baseAddress, bytes.count)
                }
                if count < 0, errno != EINTR { return }
            }
            body()
        }
    }
}
