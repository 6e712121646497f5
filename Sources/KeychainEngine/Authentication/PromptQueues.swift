// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainModel

/// A queue of questions for each screen that people look at.
final class PromptQueues<Key: Hashable & Sendable, Answer: Sendable, Failure: BreakableWait>: Sendable {
    private let queues = ForkSafeMutex<[String: PromptQueue<Key, Answer, Failure>]>([:])

    /// The queue of a screen; of the screens that come and go without end, the last share one.
    func queue(of screen: String) -> PromptQueue<Key, Answer, Failure> {
        queues.withLock { queues in
            if let queue = queues[screen] { return queue }
            let screen = queues.count < PromptQueues.mostScreens ? screen : ""
            if let queue = queues[screen] { return queue }
            let queue = PromptQueue<Key, Answer, Failure>()
            queues[screen] = queue
            return queue
        }
    }

    private static var mostScreens: Int { 1000 }
}
