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
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
        write("\nEnter goes back to the browser.")
        var byte: UInt8 = 0
        while unsafe read(STDIN_FILENO, &byte, 1) == 1, byte != 0x0A {}
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        return code == 0 ? "`\(command)` is done" : "`\(command)` ended with \(code)"
    }

    private static func write(_ text: String) {
        let bytes = Array(PlainText.lines(text).utf8)
        _ = unsafe Glibc.write(STDOUT_FILENO, bytes, bytes.count)
    }
}
