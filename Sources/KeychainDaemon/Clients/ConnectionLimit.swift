// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainSystem

/// Who is connected: as many as there is room for, and of one user, and of one process, no more than a part.
final class ConnectionLimit: Sendable {
    /// One client's place.
    struct Ticket: Sendable {
        fileprivate let number: UInt64
        /// The user whose share it is taken from.
        let owner: UInt32
        fileprivate let process: ProcessName
    }

    private struct State: Sendable {
        /// The connections, which stay open at least as long as they are here.
        var sockets: [UInt64: OwnedDescriptor] = [:]
        var ofUser: [UInt32: Int] = [:]
        var ofProcess: [ProcessName: Int] = [:]
        var count: UInt64 = 0
        var isClosed = false
    }

    private let limits: DaemonLimits
    private let state = ForkSafeMutex(State())

    init(_ limits: DaemonLimits) { self.limits = limits }

    /// A place for a new client; nil when there is none.
    func place(for socket: OwnedDescriptor) -> Ticket? {
        var peer = llv_peer_credentials()
        guard unsafe llv_peer_read_credentials(socket.number, &peer) == 0 else { return nil }
        // Who made a namespace of users is as many of them there as the system lets it be, and is one here.
        var user = peer.uid
        let failure = unsafe llv_peer_read_owner(peer.pid, &user)
        // A process that ended wants no answer, and whose it was is not known any more.
        if failure != 0, kill(peer.pid, 0) != 0, errno == ESRCH { return nil }
        let process = ProcessName(connectedTo: socket, pid: peer.pid) ?? ProcessName(pid: peer.pid, start: 0)
        return state.withLock { [user] state in
            guard !state.isClosed, state.sockets.count < limits.clients,
                state.ofUser[user, default: 0] < limits.clientsOfUser,
                // No user has more than what is left for others, so a user without a connection finds a place.
                state.ofUser[user, default: 0] < limits.clients - state.sockets.count,
                state.ofProcess[process, default: 0] < limits.clientsOfProcess
            else { return nil }
            state.count += 1
            state.sockets[state.count] = socket
            state.ofUser[user, default: 0] += 1
            state.ofProcess[process, default: 0] += 1
            return Ticket(number: state.count, owner: user, process: process)
        }
    }

    func leave(_ place: Ticket) {
        state.withLock { state in
            guard state.sockets.removeValue(forKey: place.number) != nil else { return }
            ConnectionLimit.count(down: place.owner, in: &state.ofUser)
            ConnectionLimit.count(down: place.process, in: &state.ofProcess)
        }
    }

    private static func count<Key>(down key: Key, in counts: inout [Key: Int]) {
        let left = counts[key, default: 1] - 1
        counts[key] = left == 0 ? nil : left
    }

    /// Takes no new clients; the present ones read the end of the connection after the call that is under way.
    func close() {
        state.withLock { state in
            state.isClosed = true
            for socket in state.sockets.values { shutdown(socket.number, Int32(SHUT_RD)) }
        }
    }

    /// A client that still waits for a person after five seconds is left alone.
    func waitUntilEmpty() {
        for _ in 0..<100 where state.withLock({ !$0.sockets.isEmpty }) { ConnectionLimit.pause() }
    }

    static func pause() {
        var time = timespec(tv_sec: 0, tv_nsec: 50_000_000)
        unsafe nanosleep(&time, nil)
    }
}

/// How long a new connection waits before it is greeted: not at all as long as its user's are few.
///
/// It keeps its place of the user's share meanwhile, and is waited for in a thread of its own: who opens thousands slows down
/// nobody else.
package struct ConnectionPace {
    private var begin: Int64 = 0
    private var counts: [UInt32: Int] = [:]

    package init() {}

    /// To be called once for each connection that has a place; milliseconds.
    package mutating func delay(of owner: UInt32) -> Int {
        let now = ConnectionPace.milliseconds()
        if now - begin >= ConnectionPace.window { (begin, counts) = (now, [:]) }
        counts[owner, default: 0] += 1
        return min(ConnectionPace.longest, 2 * max(0, counts[owner, default: 0] - ConnectionPace.burst))
    }

    static func wait(milliseconds: Int) {
        guard milliseconds > 0 else { return }
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        unsafe nanosleep(&time, nil)
    }

    private static func milliseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static let window: Int64 = 200
    /// More than the programs of a session that start at once.
    private static let burst = 100
    private static let longest = 1000
}
