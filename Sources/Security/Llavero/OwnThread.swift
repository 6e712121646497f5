// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
package import KeychainModel

/// Work that may wait for a person: on a thread of its own, never on the caller's, nor on one of a pool that others need.
package enum OwnThread {
    /// Runs `body` there, or calls `refused` here when the system has no thread left.
    package static func run(
        _ body: @escaping @Sendable () -> Void, orElse refused: (KeychainError) -> Void
    ) {
        let failure = PromptThread.start(body)
        guard failure != 0 else { return }
        refused(KeychainError(.outOfMemory, "the system has no thread left to wait on", code: Int64(failure)))
    }

    /// How `body` ended there.
    static nonisolated(nonsending) func outcome<Success: Sendable>(
        _ body: @escaping @Sendable () throws(KeychainError) -> Success
    ) async -> Result<Success, KeychainError> {
        await withCheckedContinuation { continuation in
            run {
                do throws(KeychainError) {
                    let success = try body()
                    continuation.resume(returning: .success(success))
                } catch { continuation.resume(returning: .failure(error)) }
            } orElse: { error in
                continuation.resume(returning: .failure(error))
            }
        }
    }
}
