// SPDX-License-Identifier: Apache-2.0

internal import KeychainBus
internal import KeychainSystem

/// The sessions that clients have opened; each belongs to one connection, and ends with it.
final class SessionTable: Sendable {
    private struct Session: Sendable {
        let owner: String
        let transport: SecretTransport
    }

    private struct State: Sendable {
        var last: UInt64 = 0
        var sessions: [String: Session] = [:]
        var counts: [String: Int] = [:]
    }

    private let state = ForkSafeMutex(State())

    /// The path of a new one.
    func open(_ transport: SecretTransport, for owner: String) throws(BusFault) -> String {
        let path: String? = state.withLock { state in
            guard state.counts[owner, default: 0] < SessionTable.mostOfOne else { return nil }
            state.last += 1
            let id = "s\(state.last)"
            state.sessions[id] = Session(owner: owner, transport: transport)
            state.counts[owner, default: 0] += 1
            return ObjectPath.session(id).text
        }
        guard let path else {
            throw BusFault(BusFault.limitsExceeded, "the connection has too many sessions; close some")
        }
        return path
    }

    /// What a client's session seals with; another's is as good as none.
    func transport(at path: String, of owner: String) throws(BusFault) -> SecretTransport {
        guard case .session(let id)? = ObjectPath(path),
            let session = state.withLock({ $0.sessions[id] }), session.owner == owner
        else { throw .noSession }
        return session.transport
    }

    func close(_ id: String, of owner: String) throws(BusFault) {
        let isThere = state.withLock { state in
            guard state.sessions[id]?.owner == owner else { return false }
            state.sessions[id] = nil
            state.counts[owner, default: 1] -= 1
            return true
        }
        guard isThere else { throw .noSession }
    }

    /// Ends those of a connection that is gone.
    func forget(_ owner: String) {
        state.withLock { state in
            guard state.counts.removeValue(forKey: owner) != nil else { return }
            state.sessions = state.sessions.filter { $0.value.owner != owner }
        }
    }

    private static let mostOfOne = 4096
}
