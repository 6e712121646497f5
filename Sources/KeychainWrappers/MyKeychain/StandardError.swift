// SPDX-License-Identifier: Apache-2.0

internal import Security

/// Where a call that has no way to throw says what went wrong.
enum StandardError {
    static func write(_ line: String) {
        // The plain `write(_:)` traps when standard error is closed, as it is in some daemons.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
