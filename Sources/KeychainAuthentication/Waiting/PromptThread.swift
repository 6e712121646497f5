// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A thread that nobody waits for, and that gets no signal of the program's.
package enum PromptThread {
    /// Runs `body` in a new one; an errno when there can be none.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        var (signals, before) = (sigset_t(), sigset_t())
        unsafe sigfillset(&signals)
        // Those of errors, which come when they are due.
        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS] {
            unsafe sigdelset(&signals, signal)
        }
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let work = unsafe Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        // Blocked here, so that they are blocked in it from its beginning.
        unsafe pthread_sigmask(SIG_SETMASK, &signals, &before)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        let failure = unsafe pthread_create(
            &thread, &attributes,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
        if failure != 0 { unsafe work.release() }
        return failure
    }

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
