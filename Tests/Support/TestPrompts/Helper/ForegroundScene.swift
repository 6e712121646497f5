// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation

/// A shell's part: gives a job its terminal, and takes it back while the job asks.
enum ForegroundScene {
    static func run() -> Int32 {
        signal(SIGTTOU, SIG_IGN)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var ordinary = sigset_t()
        sigemptyset(&ordinary)
        sigaddset(&ordinary, SIGTTOU)
        posix_spawnattr_setsigdefault(&attributes, &ordinary)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
        let words: [UnsafeMutablePointer<CChar>?] = [strdup(CommandLine.arguments[0]), strdup("ask"), nil]
        let variables: [UnsafeMutablePointer<CChar>?] =
            ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [strdup("WAITS=1"), nil]
        var job: pid_t = 0
        guard posix_spawn(&job, CommandLine.arguments[0], nil, &attributes, words, variables) == 0,
            tcsetpgrp(0, job) == 0
        else { return 1 }
        while showsTyping() { usleep(1000) }
        guard tcsetpgrp(0, getpgrp()) == 0 else { return 2 }
        _ = write(1, "lost\n", 5)
        var status: Int32 = 0
        guard llt_wait(job, 900_000, &status) else {
            kill(job, SIGKILL)
            return 3
        }
        return llt_exit_code(status)
    }

    /// The job's part.
    static func waitForForeground() {
        while tcgetpgrp(0) != getpgrp() { usleep(1000) }
    }

    private static func showsTyping() -> Bool {
        var settings = termios()
        tcgetattr(0, &settings)
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }
}
