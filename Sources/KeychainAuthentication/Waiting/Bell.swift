// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel

/// Something one thread can wait for together with files, and any other thread can ring.
///
/// It can ring before it is waited for, and more than once. In a forked child the parent's bells are mute: their
/// descriptors are the parent's too, and would wake its threads.
package final class Bell: Sendable {
    /// Readable when the bell has rung.
    package let file: Int32
    private let clapper: Int32
    private let epoch: UInt32

    package init() throws(BrokenWait) {
        llv_fork_watch()
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .failed(errno) }
        file = ends[0]
        clapper = ends[1]
        epoch = llv_fork_epoch()
    }

    deinit {
        close(file)
        close(clapper)
    }

    package func ring() {
        guard epoch == llv_fork_epoch() else { return }
        var byte: UInt8 = 1
        // When it is full it has rung often enough.
        _ = unsafe send(clapper, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    /// Makes it ready for the next ring.
    package func still() {
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
