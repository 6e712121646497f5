// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The signals by which a terminal stops a program that has come into its background meanwhile.
enum StopSignals {
    /// Runs `body` while this thread gets none of them: what it does to the terminal then succeeds or fails.
    static func blocked<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var (signals, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTTIN)
        unsafe sigaddset(&signals, SIGTTOU)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try body()
    }
}
