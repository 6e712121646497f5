// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs `body` in a child and answers its exit status, or nil when it died of a signal.
func inChild(_ body: () -> Int32) -> Int32? {
    // Glibc's fork is marked unavailable in Swift; the C interface's callers have it all the same.
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = dlsym(nil, "fork") else { return nil }
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
        // The test runner's threads block signals; the alarm ends a child that hangs.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGALRM)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        signal(SIGALRM, SIG_DFL)
        alarm(900)
        _exit(body())
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7f == 0 ? status >> 8 & 0xff : nil
}
