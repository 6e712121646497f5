// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel

/// What is said to the person who runs the program: one line each on standard error, never a value.
package enum Log {
    /// Whether every failure is to be told (`LLAVERO_LOG`).
    private static let tellsFailures = Environment.current()["LLAVERO_LOG"] != nil

    package static func write(_ text: String) {
        let line = Array("llavero: \(text)\n".utf8)
        _ = unsafe Glibc.write(STDERR_FILENO, line, line.count)
    }

    /// Tells of a failed call when that was asked for.
    package static func failure(of call: StaticString, _ error: KeychainError) {
        if tellsFailures { write("\(call): \(error)") }
    }
}
