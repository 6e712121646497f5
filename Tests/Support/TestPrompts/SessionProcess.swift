// SPDX-License-Identifier: Apache-2.0

internal import CTestSupport
internal import Foundation
internal import TestProcesses

/// A program in a session of its own: with a terminal that controls it, or with none.
package struct SessionProcess: Sendable {
    package let pid: Int32

    package init(_ words: [String], environment: [String: String], terminal: String?) throws {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        // Without O_NOCTTY: the first terminal that the leader of a session opens controls it.
        posix_spawn_file_actions_addopen(&files, 0, terminal ?? "/dev/null", O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&files, 0, 1)
        posix_spawn_file_actions_adddup2(&files, 0, 2)
        _ = llt_keep_standard_only(&files)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | SessionProcess.setSession)
        var child: pid_t = 0
        let arguments = words.map { strdup($0) } + [nil]
        let variables =
            TestEnvironment.withoutSystemDaemon.merging(environment) { $1 }.map { strdup("\($0.key)=\($0.value)") } + [
                nil
            ]
        defer { for text in arguments + variables { free(text) } }
        let failure = posix_spawn(&child, words.first ?? "", &files, &attributes, arguments, variables)
        guard failure == 0 else { throw Trouble("\(words) does not start: \(failure)") }
        pid = child
    }

    /// Waits for its end: the exit code, or the negative number of a signal.
    package func wait(within seconds: Double = EventLimit.seconds) throws -> Int32 {
        var status: Int32 = 0
        guard llt_wait(pid, Int32(seconds * 1000), &status) else {
            kill(pid, SIGKILL)
            _ = llt_wait(pid, 10_000, &status)
            throw Trouble("process \(pid) does not end")
        }
        return llt_exit_code(status)
    }

    /// Whether it has ended, be it waited for or not.
    package var hasEnded: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) != 0 || information.si_signo != 0
    }

    /// A program that lies beside the bundle of tests.
    package static func helper(_ name: String = "llavero-prompt-helper") throws -> String {
        guard let file = llt_image_path() else { throw Trouble("no path of the tests") }
        let folder = URL(fileURLWithPath: String(cString: file)).deletingLastPathComponent()
        return folder.appendingPathComponent(name).path
    }

    private static let setSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, a GNU extension
}
