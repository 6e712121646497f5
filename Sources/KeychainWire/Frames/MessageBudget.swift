// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSystem

/// How many bytes of large messages are kept at a time, over all connections together and of one user.
///
/// Only received bytes count, not announced ones. Small messages are always accepted: each connection has one of them.
/// A user who fills their share with large ones leaves the rest to others.
package final class MessageBudget: Sendable {
    private struct State: Sendable {
        var free: Int
        var ofUser: [UInt32: Int] = [:]
        /// The users of whom somebody has the turn.
        var inTurn: Set<UInt32> = []
    }

    private let state: ForkSafeMutex<State>
    private let mostOfUser: Int
    private let isShared: Bool

    package init(bytes: Int, ofUser: Int) {
        state = ForkSafeMutex(State(free: bytes))
        mostOfUser = ofUser
        isShared = ofUser < bytes
    }

    /// What one user's connections take of it.
    package struct Share: Sendable {
        fileprivate let budget: MessageBudget
        fileprivate let user: UInt32

        /// A place for a message of which nothing is here yet.
        package func place() -> Reservation { Reservation(self) }

        /// A share of the budget for a message of so many bytes; nil when it is used up.
        package func place(for bytes: Int) -> Reservation? {
            let place = place()
            return place.grow(to: bytes) ? place : nil
        }

        /// nil while another message of the user's has it.
        package func turn() -> Turn? { Turn(self) }
    }

    /// The right to try again, for the lifetime of this object: of each user's messages that found no room one has it at a time, so
    /// that it meets others only that end by themselves.
    package final class Turn: Sendable {
        private let share: Share

        fileprivate init?(_ share: Share) {
            guard share.budget.state.withLock({ $0.inTurn.insert(share.user).inserted }) else { return nil }
            self.share = share
        }

        deinit { share.budget.state.withLock { state in _ = state.inTurn.remove(share.user) } }
    }

    package func share(of user: UInt32) -> Share { Share(budget: self, user: user) }

    /// One message's, for the lifetime of this object.
    package final class Reservation: Sendable {
        private let share: Share
        private let bytes = ForkSafeMutex(0)
        private let refusal = ForkSafeMutex(false)

        fileprivate init(_ share: Share) { self.share = share }

        deinit {
            let bytes = bytes.withLock { $0 }
            if bytes > 0 { share.budget.give(back: bytes, of: share.user) }
        }

        /// Whether it once could not grow, for the budget was used up.
        package var wasRefused: Bool { refusal.withLock { $0 } }

        /// Grows the share to the first so many bytes; false, and nothing changes, when the budget is used up.
        package func grow(to total: Int) -> Bool {
            guard total > MessageBudget.small else { return true }
            return bytes.withLock { bytes in
                guard total > bytes else { return true }
                guard share.budget.take(total - bytes, of: share.user) else {
                    refusal.withLock { $0 = true }
                    return false
                }
                bytes = total
                return true
            }
        }
    }

    private func take(_ bytes: Int, of user: UInt32) -> Bool {
        state.withLock { state in
            let before = state.ofUser[user, default: 0]
            guard bytes <= state.free, bytes <= mostOfUser - before else { return false }
            // Where it is shared, who has some already leaves as much to those who have none.
            guard !isShared || before == 0 || before + bytes <= state.free - bytes else { return false }
            state.free -= bytes
            state.ofUser[user, default: 0] += bytes
            return true
        }
    }

    private func give(back bytes: Int, of user: UInt32) {
        state.withLock { state in
            state.free += bytes
            let left = state.ofUser[user, default: bytes] - bytes
            state.ofUser[user] = left == 0 ? nil : left
        }
    }

    /// More than nearly every message has.
    private static let small = 1 << 20
}
