// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainTools

/// A command of this program on the terminal, while the browser is away from it.
enum TerminalCommand {
    /// Runs it, and waits until the person has seen what it said; a sentence about how it ended.
    static func run(_ words: [String]) throws(CommandError) -> String {
        let command = "llavero \(words.joined(separator: " "))"
        write("$ \(command)\n")
        var arguments = unsafe (["llavero"] + words).map { unsafe strdup($0) }
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        unsafe arguments.append(nil)
        var number: pid_t = 0
        let failure = unsafe posix_spawn(&number, "/proc/self/exe", nil, nil, arguments, environ)
        guard failure == 0 else {
            throw .failure("\(command) cannot be started: \(unsafe String(cString: strerror(failure)))")
        }
        let status = wait(for: number)
        write("\nEnter goes back to the browser.")
        var byte: UInt8 = 0
        while unsafe read(STDIN_FILENO, &byte, 1) == 1, byte != 0x0A {}
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        return code == 0 ? "`\(command)` is done" : "`\(command)` ended with \(code)"
    }

    /// How it ended.
    ///
    /// While it is stopped, this program is too, so that the shell has the terminal.
    private static func wait(for number: pid_t) -> Int32 {
        var status: Int32 = 0
        while true {
            let ended = unsafe waitpid(number, &status, WUNTRACED)
            if ended < 0, errno == EINTR { continue }
            guard ended == number, status & 0xFF == 0x7F else { return status }
            _ = kill(getpid(), SIGSTOP)
            _ = kill(number, SIGCONT)
        }
    }

    private static func write(_ text: String) {
        let bytes = Array(PlainText.lines(text).utf8)
        _ = unsafe Glibc.write(STDOUT_FILENO, bytes, bytes.count)
    }
}
