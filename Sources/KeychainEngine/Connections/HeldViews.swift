// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore
internal import KeychainSystem

/// Connections whose transaction stays open between calls, so that parts of lists are of one moment, whatever others write.
///
/// Whoever holds one works with the keys of that moment. A lock and a change of keys in this process end them all; another
/// process's changes do not reach them.
final class HeldViews: Sendable {
    /// A connection in a transaction that has read.
    // Sendable: it is used behind the one lock only.
    private struct View: @unchecked Sendable {
        let connection: StoreConnection
        var usedAt: Int
    }

    private struct State: Sendable {
        var views: [ViewID: View] = [:]
        /// Another one each time that keys end.
        var epoch = 0
    }

    private let state = ForkSafeMutex(State())
    /// As long as one is held, the log grows by what others write.
    private static let most = 4
    private static let secondsUnused = 60

    /// Of the keys that are in force now.
    var epoch: Int { state.withLock { $0.epoch } }

    /// Keeps a connection that is in a transaction; nil where the keys it has are no longer in force.
    func keep(_ connection: StoreConnection, of epoch: Int) throws(KeychainError) -> ViewID? {
        closeUnused()
        let id = ViewID.random()
        let fate = state.withLock { state -> Fate in
            guard state.epoch == epoch else { return .expired }
            guard state.views.count < HeldViews.most else { return .surplus }
            state.views[id] = View(connection: connection, usedAt: HeldViews.now)
            return .kept
        }
        switch fate {
        case .kept: return id
        case .expired: return nil
        case .surplus:
            throw KeychainError(.notAvailable, "too many programs read the keychain as of one moment; try again later")
        }
    }

    private enum Fate {
        case kept
        case expired
        case surplus
    }

    /// Reads in a view; nil where there is none of that name, or no longer.
    func read<Result>(
        in id: ViewID, _ body: (StoreConnection) throws(StoreError) -> Result
    ) -> Swift.Result<Result, StoreError>? {
        state.withLock { state -> Outcome<Result>? in
            guard let view = state.views[id] else { return nil }
            defer { state.views[id]?.usedAt = HeldViews.now }
            do throws(StoreError) { return Outcome(.success(try body(view.connection))) } catch {
                return Outcome(.failure(error))
            }
        }?.result
    }

    func letGo(of id: ViewID) { state.withLock { $0.views.removeValue(forKey: id)?.connection.close() } }

    /// Ends those that nobody has read in for a minute: their program may be gone.
    func closeUnused() {
        let now = HeldViews.now
        state.withLock { state in
            for (id, view) in state.views where now - view.usedAt > HeldViews.secondsUnused {
                view.connection.close()
                state.views[id] = nil
            }
        }
    }

    /// Ends all, and those that are about to be kept with the keys that were in force until now.
    func closeAll() {
        state.withLock { state in
            for view in state.views.values { view.connection.close() }
            state = State(epoch: state.epoch + 1)
        }
    }

    private static var now: Int {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
        return now.tv_sec
    }

    /// What comes out of the lock.
    // Sendable: made inside the lock and handed straight to the one caller.
    private struct Outcome<Success>: @unchecked Sendable {
        let result: Result<Success, StoreError>
        init(_ result: Result<Success, StoreError>) { self.result = result }
    }
}
