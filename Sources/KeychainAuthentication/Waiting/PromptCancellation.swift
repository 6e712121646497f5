// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What takes a question back: one thread waits for a person, and another trips this.
///
/// It stays tripped. One may serve any number of questions, one after another or at once.
package final class PromptCancellation: Sendable {
    private struct State {
        var isTripped = false
        var bells: [Bell] = []
    }

    private let state = ForkSafeMutex(State())

    package init() {}

    package var isTripped: Bool { state.withLock { $0.isTripped } }

    package func trip() {
        state.withLock { state in
            state.isTripped = true
            for bell in state.bells { bell.ring() }
        }
    }

    /// From now on the bell rings when this is tripped, or at once if it is already.
    func attach(_ bell: Bell) {
        state.withLock { state in
            state.bells.append(bell)
            if state.isTripped { bell.ring() }
        }
    }

    func detach(_ bell: Bell) {
        state.withLock { state in state.bells.removeAll { $0 === bell } }
    }
}
