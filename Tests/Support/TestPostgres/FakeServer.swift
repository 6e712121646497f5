// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses

/// A listener on the loopback address: each connection is served by `body`, in a thread of its own, and then closed.
package final class FakeServer: Sendable {
    package let port: UInt16
    private let accepted = DispatchSemaphore(value: 0)
    private let listener: Int32

    /// Waits until there is one more.
    package func waitForConnection() { accepted.wait() }

    package struct Connection: Sendable {
        package let socket: Int32

        /// At most so many bytes; none at the end.
        package func read(_ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let found = recv(socket, &bytes, count, 0)
            return Array(bytes.prefix(max(0, found)))
        }

        /// All of them; false when the other side is gone.
        @discardableResult
        package func write(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        package func close() { _ = shutdown(socket, Int32(SHUT_RDWR)) }
    }

    package init(_ body: @escaping @Sendable (Connection) -> Void) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && getsockname(listener, address, &size) == 0
            }
        }
        guard isBound, listen(listener, 64) == 0 else { throw Trouble("no listener: \(errno)") }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        let accepted = accepted
        Thread.detachNewThread {
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { return }
                accepted.signal()
                Thread.detachNewThread {
                    body(Connection(socket: socket))
                    Glibc.close(socket)
                }
            }
        }
    }

    deinit {
        // Ends the accept that its thread waits in; close alone does not.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}
