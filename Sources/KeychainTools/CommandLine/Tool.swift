// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainConnection

/// The tool that runs: one program has all of them, and is the one that it is called as.
package enum Tool {
    /// The last part of the name that the program was called by.
    package static let name: String = {
        let path = arguments.first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "llavero"
    }()

    /// What the tool was called with, its name first.
    package static let arguments = Environment.arguments

    package static let version = "unreleased"

    /// Comes first of all, whatever the tool is called as: nothing secret is in the process yet.
    ///
    /// Programs that it starts to ask, to show or to decrypt handle secrets too, and leave no core either.
    package static func start() {
        guard llv_fill_standard_descriptors() == 0 else { exit(1) }
        Hardening.surviveFileSizeLimit()
        Hardening.forbidCrashReports()
        let failure = llv_disable_core_dumps(false)
        guard failure == 0 else {
            say("core dumps and debuggers cannot be kept out: \(unsafe String(cString: strerror(failure)))")
            exit(1)
        }
    }

    /// What the program that takes this one's place may: no more than who called the tool, and dump core as before.
    package static func giveBackForExecution() throws(CommandError) {
        var failure = llv_drop_effective_ids()
        guard failure == 0 else {
            throw .failure(
                "the rights of this program's file cannot be given up: \(unsafe String(cString: strerror(failure)))")
        }
        failure = llv_restore_core_limit()
        guard failure == 0 else {
            throw .failure("the limit of core dumps cannot be set back: \(unsafe String(cString: strerror(failure)))")
        }
    }

    /// Ends the program, with 1 instead of 0 when what it printed did not arrive.
    package static func end(_ code: Int32) -> Never {
        let failure = llv_flush_output()
        guard failure != 0, code == 0 else { exit(code) }
        say("what was printed did not arrive: \(unsafe String(cString: strerror(failure)))")
        exit(1)
    }

    /// A line on standard error; it says nothing to a terminal but its letters, whosever words are in it.
    package static func say(_ text: String) {
        // What was printed before comes before.
        fflush(nil)
        let line = Array((PlainText.lines("\(name): \(text)") + "\n").utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }

    /// The first word of the command line that is no text, of the `count` first; it would be another word if it were taken
    /// for text.
    package static func unreadableWord(before count: Int = .max) -> Int? {
        for index in 1..<max(1, min(count, Int(llv_argument_count()))) {
            guard let word = unsafe llv_argument(Int32(index)) else { continue }
            if unsafe String(validatingCString: word) == nil { return index }
        }
        return nil
    }
}
