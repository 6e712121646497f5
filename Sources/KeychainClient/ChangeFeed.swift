// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainIdentity
package import KeychainModel
package import KeychainRequest
internal import KeychainWire

/// A connection over which a daemon tells of changes.
// Sendable: one thread reads; others end it, which is a call of the system.
package final class ChangeFeed: @unchecked Sendable {
    private let connection: ClientConnection

    fileprivate init(_ connection: ClientConnection) { self.connection = connection }

    /// Waits for the next changes; nil when the connection has ended.
    package func next() -> KeychainChanges? {
        guard case .changes(let changes)? = try? connection.nextReply() else { return nil }
        return changes
    }

    /// Ends it, and with it the waiting of whoever waits.
    package func end() { connection.shutDown() }
}

extension SocketService {
    /// A feed of everything that is done from now on.
    package func changes() throws(KeychainError) -> ChangeFeed {
        do throws(ClientFailure) {
            let connection = try freshConnection()
            guard case .nothing = try connection.exchange(.subscribe) else {
                throw ClientFailure.broken(mayHaveArrived: true)
            }
            return ChangeFeed(connection)
        } catch { throw KeychainError(error, path) }
    }
}
