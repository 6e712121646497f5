// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The tool that runs: one program has all of them, and is the one that it is called as.
package enum Tool {
    /// The last part of the name that the program was called by.
    package static let name: String = {
        let path = CommandLine.arguments.first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "llavero"
    }()

    package static let version = "unreleased"

    /// A line on standard error.
    package static func say(_ text: String) {
        // What was printed before comes before.
        fflush(nil)
        let line = Array("\(name): \(text)\n".utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }
}
