// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A client that behaves badly until it is stopped.
final class Disturbance: Sendable {
    private let isStopped = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    /// `body` is run again and again; false when there is nothing more to do.
    private init(_ body: @escaping @Sendable () -> Bool) {
        Thread.detachNewThread { [self] in
            while !isStopped.load(ordering: .relaxed), body() {}
            ended.signal()
        }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        ended.wait()
    }

    /// Asks for everything as often as it finds room, and never reads an answer.
    static func stopReading(_ socket: String, _ call: [UInt8]) throws -> Disturbance {
        let client = try greeted(socket)
        return Disturbance {
            while client.sendNow(call) {}
            usleep(1000)
            return true
        }
    }

    /// Announces two packets and sends the first.
    static func halfCall(_ socket: String, _ call: [UInt8]) throws -> Disturbance {
        let client = try greeted(socket)
        var packet = Array(call.prefix(20)) + [UInt8](repeating: 0, count: 65_536 - 20)
        packet[3] = 1
        packet.replaceSubrange(4..<8, with: [0, 2, 0, 0])
        try WrongResult.unless(client.send(packet), "half a call cannot be sent")
        return Disturbance {
            usleep(10_000)
            return client.socket >= 0
        }
    }

    /// Opens connections one after another, and keeps those that the daemon keeps.
    static func manyConnections(_ socket: String, _ count: Int) throws -> Disturbance {
        let kept = Kept()
        return Disturbance {
            // As often as the daemon takes them; more than it keeps of one user are closed at once.
            if let client = RawClient(socket) { kept.keep(client) }
            return kept.opened < count
        }
    }

    private static func greeted(_ socket: String) throws -> RawClient {
        guard let client = RawClient(socket), client.greet() else { throw WrongResult("the daemon does not greet") }
        return client
    }

    /// Used by the one thread of a disturbance.
    private final class Kept: @unchecked Sendable {
        private var clients: [RawClient] = []
        private(set) var opened = 0

        func keep(_ client: RawClient) {
            opened += 1
            clients.append(client)
            if clients.count > 1000 { clients.removeFirst(500) }
        }
    }
}
