// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel

/// What one thread waits for together with files, and any other thread signals.
///
/// It can be signalled before a thread waits, and more than once. In a forked child the parent's do nothing: their
/// descriptors are the parent's too, and would wake its threads.
package final class WakeUp: Sendable {
    /// Readable when it was signalled.
    package let file: Int32
    private let sender: Int32
    private let epoch: UInt32

    package init() throws(WaitFailure) {
        llv_fork_watch()
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .failed(errno) }
        file = ends[0]
        sender = ends[1]
        epoch = llv_fork_epoch()
    }

    deinit {
        close(file)
        close(sender)
    }

    package func signal() {
        guard epoch == llv_fork_epoch() else { return }
        var byte: UInt8 = 1
        // When it is full it was signalled often enough.
        _ = unsafe send(sender, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    /// Makes it ready for the next signal.
    package func reset() {
        var bytes: UInt64 = 0
        while unsafe read(file, &bytes, 8) > 0 {}
    }
}

/// What takes a question back: one thread waits for a person, and another trips this.
///
/// It stays tripped. One may serve any number of questions, one after another or at once.
package final class PromptCancellation: Sendable {
    private struct State {
        var isTripped = false
        var wakeUps: [WakeUp] = []
    }

    private let state = ForkSafeMutex(State())

    package init() {}

    package var isTripped: Bool { state.withLock { $0.isTripped } }

    package func trip() {
        state.withLock { state in
            state.isTripped = true
            for wakeUp in state.wakeUps { wakeUp.signal() }
        }
    }

    /// Signals `wakeUp` when this is tripped, or at once if it is already.
    func attach(_ wakeUp: WakeUp) {
        state.withLock { state in
            state.wakeUps.append(wakeUp)
            if state.isTripped { wakeUp.signal() }
        }
    }

    func detach(_ wakeUp: WakeUp) {
        state.withLock { state in state.wakeUps.removeAll { $0 === wakeUp } }
    }
}
