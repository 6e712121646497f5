// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication

/// Sees to the daemon's keychains when it is time: some are to be locked, and some to be closed.
///
/// Its thread sleeps as long as there is neither.
final class KeychainTimer: Sendable {
    private let bell: Bell
    private let stopping: PromptCancellation

    init(_ stopping: PromptCancellation) throws(BrokenWait) {
        bell = try Bell()
        self.stopping = stopping
    }

    /// Something was opened, unlocked, left, or has other settings.
    func lookAgain() { bell.ring() }

    func watch(_ keychains: UserKeychains) {
        _ = PromptThread.start { [self] in
            do throws(BrokenWait) {
                while true {
                    let next = keychains.attend()
                    do throws(BrokenWait) {
                        try Patience(seconds: next, stopping).wait(for: bell.file)
                        bell.still()
                    } catch { guard case .timedOut = error else { throw error } }
                }
            } catch {}
        }
    }
}
