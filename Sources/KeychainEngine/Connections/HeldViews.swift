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

    private let views = ForkSafeMutex<[ViewID: View]>([:])
    /// As long as one is held, the log grows by what others write.
    private static let most = 4
    private static let secondsUnused = 60

    /// Keeps a connection that is in a transaction, under the name it is given.
    func keep(_ connection: StoreConnection, as id: ViewID) throws(KeychainError) {
        closeUnused()
        let isKept = views.withLock { views in
            guard views.count < HeldViews.most else { return false }
            views[id] = View(connection: connection, usedAt: HeldViews.now)
            return true
        }
        guard !isKept else { return }
        throw KeychainError(.notAvailable, "too many programs read the keychain as of one moment; try again later")
    }

    /// Reads in a view; nil where there is none of that name, or no longer.
    func read<Result>(
        in id: ViewID, _ body: (StoreConnection) throws(StoreError) -> Result
    ) -> Swift.Result<Result, StoreError>? {
        views.withLock { views -> Outcome<Result>? in
            guard let view = views[id] else { return nil }
            defer { views[id]?.usedAt = HeldViews.now }
            do throws(StoreError) { return Outcome(.success(try body(view.connection))) } catch {
                return Outcome(.failure(error))
            }
        }?.result
    }

    func letGo(of id: ViewID) { views.withLock { $0.removeValue(forKey: id)?.connection.close() } }

    /// Ends those that nobody has read in for a minute: their program may be gone.
    func closeUnused() {
        let now = HeldViews.now
        views.withLock { views in
            for (id, view) in views where now - view.usedAt > HeldViews.secondsUnused {
                view.connection.close()
                views[id] = nil
            }
        }
    }

    func closeAll() {
        views.withLock { views in
            for view in views.values { view.connection.close() }
            views = [:]
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
