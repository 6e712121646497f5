// SPDX-License-Identifier: Apache-2.0

internal import CTestSupport
internal import Foundation

/// A shell that runs one program, passes signals on to it, and ends it when this process ends, however that comes.
package final class Guardian: Sendable {
    private let shell: pid_t
    private let line: Int32

    /// Without an environment it gets ours.
    package init(_ words: [String], environment: [String: String]? = nil, output: String) throws {
        var ends: [Int32] = [-1, -1]
        // CLOEXEC from the beginning: a child of another test that had our end would keep the shell alive.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Trouble("no socket: \(errno)")
        }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // It lives as long as a test: what another one opened for its own child must not stay open in here, or Foundation, which waits
        // for a process until nobody has the other end of a socket, would wait for ever.
        _ = llt_keep_standard_only(&actions)
        // Threads of the test library block SIGCHLD, and a shell that inherits this waits for its child for ever.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var shell: pid_t = 0
        let variables = environment ?? ProcessInfo.processInfo.environment
        let arguments = (["/bin/sh", "-c", Guardian.script, "guardian"] + words).map { strdup($0) } + [nil]
        let environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        let failure = posix_spawn(&shell, "/bin/sh", &actions, &attributes, arguments, environment)
        guard failure == 0 else {
            close(ends[0])
            throw Trouble("no shell: \(failure)")
        }
        self.shell = shell
        line = ends[0]
    }

    /// Sends the program a signal, by its name.
    package func send(_ signal: String) {
        let word = Array((signal + "\n").utf8)
        _ = Glibc.send(line, word, word.count, Int32(MSG_NOSIGNAL))
    }

    /// Kills the program, and returns when it has gone.
    deinit {
        close(line)
        var status: Int32 = 0
        while waitpid(shell, &status, 0) < 0, errno == EINTR {}
    }

    private static let script = """
        exec 3<&0 </dev/null
        "$@" 3<&- &
        while read -r signal <&3; do kill -"$signal" $!; done
        kill -KILL $!
        wait $!
        """
}
