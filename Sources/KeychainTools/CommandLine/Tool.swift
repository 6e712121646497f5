// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainConnection

/// The tool that runs: one program contains all tools, and the name that it is called by selects one.
package enum Tool {
    /// The last part of the name that the program was called by.
    package static let name: String = {
        let path = arguments.first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "llavero"
    }()

    /// The command line, the tool's name first.
    package static let arguments = Environment.arguments

    /// Called first in every tool, before any secret is in the process.
    ///
    /// Programs that the tool starts to prompt, display or decrypt handle secrets too, and leave no core dump either.
    package static func start() {
        guard llv_fill_standard_descriptors() == 0 else { exit(1) }
        Hardening.surviveFileSizeLimit()
        Hardening.forbidCrashReports()
        let failure = llv_disable_core_dumps(false)
        guard failure == 0 else {
            say("core dumps and debuggers cannot be forbidden: \(unsafe String(cString: strerror(failure)))")
            exit(1)
        }
    }

    /// Drops the rights that the program which replaces this one must not have, and allows core dumps as before.
    package static func giveBackForExecution() throws(CommandError) {
        var failure = llv_drop_effective_ids()
        guard failure == 0 else {
            throw .failure(
                "the rights of this program's file cannot be dropped: \(unsafe String(cString: strerror(failure)))")
        }
        failure = llv_restore_core_limit()
        guard failure == 0 else {
            throw .failure("the limit for core dumps cannot be restored: \(unsafe String(cString: strerror(failure)))")
        }
    }

    /// Ends the program, with 1 instead of 0 when its output could not be written.
    package static func end(_ code: Int32) -> Never {
        let failure = llv_flush_output()
        guard failure != 0, code == 0 else { exit(code) }
        say("standard output cannot be written: \(unsafe String(cString: strerror(failure)))")
        exit(1)
    }

    /// Writes a line to standard error, with control characters of the text replaced.
    package static func say(_ text: String) {
        // Output that was printed before comes first.
        _ = llv_flush_output()
        let line = Array((PlainText.lines("\(name): \(text)") + "\n").utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }

    /// The position of the first argument that is not UTF-8, among the first `count`; as a string it would be another
    /// argument.
    package static func unreadableWord(before count: Int = .max) -> Int? {
        for index in 1..<max(1, min(count, Int(llv_argument_count()))) {
            guard let word = unsafe llv_argument(Int32(index)) else { continue }
            if unsafe String(validatingCString: word) == nil { return index }
        }
        return nil
    }
}
