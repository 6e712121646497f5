// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Tells whoever sits at the terminal that a finger is awaited, which no dialog does.
package enum TerminalNotice {
    /// Says it where we are in the foreground, and nowhere else; never waits.
    package static func tell(_ notice: FingerprintNotice, on path: String = "/dev/tty") {
        guard let terminal = try? Terminal(path), terminal.isInForeground else { return }
        let line = Array((words(notice) + "\n").utf8)
        // A terminal that takes nothing now has nobody in front of it who reads.
        _ = unsafe line.withUnsafeBytes { bytes in unsafe write(terminal.file, bytes.baseAddress, bytes.count) }
    }

    static func words(_ notice: FingerprintNotice) -> String {
        switch notice {
        case .waiting(let reason): reason.shown(bytes: 1000, lines: 5) + "\nPut your finger on the reader."
        case .readBadly: "The finger was not read well; once more."
        case .notRecognized(left: 0): "The finger is not recognized."
        case .notRecognized(let left): "The finger is not recognized; \(left) more \(left == 1 ? "try" : "tries")."
        }
    }
}
