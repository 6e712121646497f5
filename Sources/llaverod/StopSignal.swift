// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication

/// The signals that end the daemon, which wait for a thread that looks for them.
struct StopSignal {
    /// Keeps them from every thread that is started from now on.
    static func block() -> StopSignal {
        var signals = set()
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
        return StopSignal()
    }

    /// Runs `body` on a thread of its own when one has come.
    func whenOneComes(_ body: @escaping @Sendable () -> Void) {
        _ = PromptThread.start {
            var signals = StopSignal.set()
            var number: Int32 = 0
            unsafe sigwait(&signals, &number)
            body()
        }
    }

    private static func set() -> sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
        return signals
    }
}
