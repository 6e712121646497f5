// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A thread that gets none of the program's signals, and has a name that debuggers and `ps -L` show.
package enum NamedThread {
    /// Runs `body` in a new thread that is never joined; returns 0, or an errno when there can be none.
    ///
    /// The kernel keeps the first 15 bytes of the name.
    package static func start(_ name: StaticString, _ body: @escaping @Sendable () -> Void) -> Int32 {
        create(name, isDetached: true, body).failure
    }

    /// A thread that has to be joined; nil when there can be none.
    internal static func joinable(_ name: StaticString, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
        let (thread, failure) = create(name, isDetached: false, body)
        return failure == 0 ? thread : nil
    }

    private static func create(
        _ name: StaticString, isDetached: Bool, _ body: @escaping @Sendable () -> Void
    ) -> (thread: pthread_t, failure: Int32) {
        var (signals, before) = (sigset_t(), sigset_t())
        unsafe sigfillset(&signals)
        // Signals of errors go to the thread that made the error, and must not be held back.
        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS] {
            unsafe sigdelset(&signals, signal)
        }
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        if isDetached { unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) }
        let work = unsafe Unmanaged.passRetained(Work("\(name)", body))
        var thread = pthread_t()
        // Blocked here, so that they are blocked in the new thread from its first instruction on.
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
        return (thread, failure)
    }

    private final class Work: Sendable {
        private let name: String
        private let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            unsafe llv_name_thread(name)
            body()
        }
    }
}
