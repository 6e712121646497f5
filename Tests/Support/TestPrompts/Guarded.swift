// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A program that ends when this process does, however that comes: a shell keeps watch over it.
final class Guarded: Sendable {
    private let shell: pid_t
    private let line: Int32

    init(_ words: [String], environment: [String: String], output: String) throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Trouble("no socket: \(errno)")
        }
        defer { close(ends[1]) }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, ends[1], 0)
        posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&files, 1, 2)
        // Threads of the test library block signals, and a shell that inherits this waits for its child for ever.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var shell: pid_t = 0
        let arguments = (["/bin/sh", "-c", Guarded.script, "guarded"] + words).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        let failure = posix_spawn(&shell, "/bin/sh", &files, &attributes, arguments, variables)
        guard failure == 0 else {
            close(ends[0])
            throw Trouble("no shell: \(failure)")
        }
        self.shell = shell
        line = ends[0]
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
        read -r _ <&3
        kill -KILL $!
        wait $!
        """
}
