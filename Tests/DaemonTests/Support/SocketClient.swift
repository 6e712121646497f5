// SPDX-License-Identifier: Apache-2.0

import KeychainConnection
import KeychainTransport

/// This process as a client of a daemon.
enum SocketClient {
    /// Runs code whose calls go to the socket.
    static func use<Result>(_ path: String, _ body: () throws -> Result) rethrows -> Result {
        let host = SocketSession(path: path, daemonUser: nil)
        return try CurrentKeychain.$isolated.withValue(host, operation: body)
    }
}
