// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainModel

/// Gives memory back when nobody has called for a while: what was kept for speed is not worth it then.
///
/// Its thread sleeps as long as nobody calls, and looks every few seconds while somebody does.
final class QuietTime: Sendable {
    private struct State: Sendable {
        var calls: UInt64 = 0
        var isResting = true
    }

    private let state = ForkSafeMutex(State())
    private let bell: Bell
    private let stopping: PromptCancellation

    init(_ stopping: PromptCancellation) throws(BrokenWait) {
        bell = try Bell()
        self.stopping = stopping
    }

    /// Somebody calls.
    func end() {
        let isFirst = state.withLock { state in
            state.calls &+= 1
            defer { state.isResting = false }
            return state.isResting
        }
        if isFirst { bell.ring() }
    }

    /// Calls `rest` when it has become quiet, again and again, until the daemon stops.
    func watch(_ rest: @escaping @Sendable () -> Void) {
        _ = PromptThread.start { [self] in
            do throws(BrokenWait) {
                let patience = try Patience(seconds: nil, stopping)
                while true {
                    try patience.wait(for: bell.file)
                    bell.still()
                    var before = state.withLock { $0.calls }
                    while true {
                        try patience.pause(milliseconds: QuietTime.milliseconds)
                        let calls = state.withLock { state in
                            state.isResting = state.calls == before
                            return state.calls
                        }
                        if calls == before { break }
                        before = calls
                    }
                    rest()
                }
            } catch {}
        }
    }

    private static let milliseconds: Int32 = 3000
}
