// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainModel
internal import KeychainRequest

/// Brings what one program changed to those who asked to be told, as far as they may see it.
final class ChangeHub: Sendable {
    private struct State: Sendable {
        var count: UInt64 = 0
        var subscriptions: [UInt64: ChangeSubscription] = [:]
    }

    private let state = ForkSafeMutex(State())

    /// Whether anybody listens: else nobody needs to say anything.
    var isHeard: Bool { state.withLock { !$0.subscriptions.isEmpty } }

    func subscribe(_ caller: Caller) throws(BrokenWait) -> ChangeSubscription {
        let bell = try Bell()
        return state.withLock { state in
            state.count += 1
            let subscription = ChangeSubscription(state.count, caller, bell)
            state.subscriptions[state.count] = subscription
            return subscription
        }
    }

    func end(_ subscription: ChangeSubscription) {
        state.withLock { _ = $0.subscriptions.removeValue(forKey: subscription.number) }
    }

    /// Never waits for anybody who listens.
    func tell(_ deeds: [ItemDeed]) {
        let changes = deeds.filter(\.isChange)
        guard !changes.isEmpty else { return }
        for subscription in state.withLock({ Array($0.subscriptions.values) }) { subscription.take(changes) }
    }
}
