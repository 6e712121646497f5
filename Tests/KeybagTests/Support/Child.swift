// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Programs that touch a keychain's files in place of this process, whose own open and close would drop SQLite's locks.
enum Child {
    /// Runs a script, whose `$1` and so on are the words, and returns what it prints.
    @discardableResult
    static func shell(_ script: String, _ words: String...) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, "sh"] + words
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(script: script, code: process.terminationStatus) }
        return String(decoding: output, as: UTF8.self)
    }

    struct Failure: Error {
        let script: String
        let code: Int32
    }
}
