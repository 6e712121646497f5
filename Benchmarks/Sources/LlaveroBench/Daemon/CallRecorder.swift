// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The bytes of a call, as a client of ours sends it: seen by somebody who stands between it and the daemon.
enum CallRecorder {
    static func call(of daemon: RunningDaemon, items: Int) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let listener = try RawClient.listen(path)
        let recorded = Recorded()
        let socket = daemon.socket
        Thread.detachNewThread {
            while true {
                let file = accept(listener.socket, nil, nil)
                guard file >= 0 else { return }
                let client = RawClient(taking: file)
                guard let server = RawClient(socket), let nonce = server.receive(), client.send(nonce),
                    let answer = client.receive(), server.send(answer)
                else { continue }
                while let call = client.receive() {
                    recorded.note(call)
                    guard server.send(call), let reply = server.receive(), client.send(reply) else { break }
                }
            }
        }
        _ = try daemon.start("finds", items: items, socket: path)
        shutdown(listener.socket, Int32(SHUT_RDWR))
        guard let call = recorded.last else { throw WrongResult("no call was recorded") }
        return call
    }

    private final class Recorded: @unchecked Sendable {
        private let lock = NSLock()
        private var call: [UInt8]?

        func note(_ call: [UInt8]) { lock.withLock { self.call = call } }
        var last: [UInt8]? { lock.withLock { call } }
    }
}
