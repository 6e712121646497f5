// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization
package import TestProcesses

/// A Unix socket before a server's, whose connections are cut behind a byte.
package final class CuttingProxy: Sendable {
    package enum Direction: Sendable, CaseIterable { case toServer, toClient }

    package let folder: TestFolder
    private let listener: Int32
    private let state = Mutex(State())

    private struct State {
        var counts: [Direction: Int] = [:]
        var cut: (direction: Direction, bytes: Int)?
    }

    /// The folder to connect to; the port is the server's.
    package init(before server: PostgresServer) throws {
        folder = try TestFolder()
        let name = "/.s.PGSQL.\(server.port)"
        let listener = try CuttingProxy.socket(folder.path + name) { bind($0, $1, $2) == 0 && listen($0, 8) == 0 }
        self.listener = listener
        let upstream = server.socket + name
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                guard let self, let server = try? CuttingProxy.socket(upstream, { connect($0, $1, $2) == 0 }) else {
                    close(client)
                    continue
                }
                self.serve(client, server)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Counts from now on.
    package func reset() {
        state.withLock { $0 = State() }
    }

    /// Bytes that passed since.
    package func count(_ direction: Direction) -> Int { state.withLock { $0.counts[direction] ?? 0 } }

    /// Lets so many bytes pass in one direction, and ends the connection then.
    package func cut(_ direction: Direction, behind bytes: Int) {
        state.withLock { $0 = State(cut: (direction, bytes)) }
    }

    private func serve(_ client: Int32, _ server: Int32) {
        let ends = DispatchGroup()
        for (from, to, direction) in [(client, server, Direction.toServer), (server, client, .toClient)] {
            ends.enter()
            Thread.detachNewThread { [weak self] in
                self?.pump(from, to, direction)
                shutdown(from, Int32(SHUT_RDWR))
                shutdown(to, Int32(SHUT_RDWR))
                ends.leave()
            }
        }
        Thread.detachNewThread {
            ends.wait()
            close(client)
            close(server)
        }
    }

    private func pump(_ from: Int32, _ to: Int32, _ direction: Direction) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let found = recv(from, &buffer, buffer.count, 0)
            guard found > 0 else { return }
            let (pass, isCut) = state.withLock { state in
                let before = state.counts[direction] ?? 0
                state.counts[direction] = before + found
                guard let cut = state.cut, cut.direction == direction, before + found >= cut.bytes else {
                    return (found, false)
                }
                return (max(0, cut.bytes - before), true)
            }
            // Where all of a request passes, the answer to it does not.
            if isCut { shutdown(from, Int32(SHUT_RDWR)) }
            var sent = 0
            while sent < pass {
                let count = buffer[sent..<pass].withUnsafeBytes {
                    send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                sent += count
            }
            if isCut { return }
        }
    }

    /// Whether somebody takes connections at a Unix socket: its file is there a moment earlier.
    package static func isThere(_ path: String) -> Bool {
        guard let connected = try? socket(path, { connect($0, $1, $2) == 0 }) else { return false }
        close(connected)
        return true
    }

    private static func socket(
        _ path: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) throws -> Int32 {
        let made = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let isUsed = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard isUsed else {
            close(made)
            throw Trouble("no socket at \(path): \(errno)")
        }
        return made
    }
}
