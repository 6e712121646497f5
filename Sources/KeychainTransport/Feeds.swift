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

    /// Ends it, and with it every wait for it.
    package func end() { connection.shutDown() }
}

/// A connection over which the system's daemon sends the questions for its user's programs, one after another.
// Not shared: one thread has it.
package final class QuestionFeed {
    private let connection: ClientConnection

    package enum Event: Sendable {
        case question(PersonQuestion)
        /// The answer is no longer wanted; one has to be given all the same.
        case withdrawn
    }

    fileprivate init(_ connection: ClientConnection) { self.connection = connection }

    /// Readable when there is an event.
    package var file: Int32 { connection.file }

    /// Waits for the next event; nil when the connection has ended.
    package func next() -> Event? {
        switch try? connection.nextReply() {
        case .question(let question): .question(question)
        case .withdrawn: .withdrawn
        default: nil
        }
    }

    /// Says what became of the last question; false when the connection has ended.
    package func answer(_ answer: PersonAnswer) -> Bool { (try? connection.add(.answer(answer))) != nil }
}

@available(*, unavailable)
extension QuestionFeed: Sendable {}

extension SocketSession {
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

    /// The questions from now on, for the one process of the user that the daemon takes for an agent.
    package func questions() throws(KeychainError) -> QuestionFeed {
        let (connection, reply): (ClientConnection, WireReply)
        do throws(ClientFailure) {
            connection = try freshConnection()
            reply = try connection.exchange(.attend)
        } catch { throw KeychainError(error, path) }
        switch reply {
        case .nothing: return QuestionFeed(connection)
        case .failure(let error): throw error
        default: throw KeychainError(.internalError, "the keychain daemon sent the answer to another request")
        }
    }
}
