// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Programs that touch a keychain's files in place of this process, whose own open and close would drop SQLite's locks.
enum Child {
    /// Runs a script, whose `$1` and so on are the words, and returns what it prints.
    @discardableResult
    static func shell(_ script: String, _ words: String...) throws -> [UInt8] {
        try run(["sh", "-c", script, "sh"] + words)
    }

    @discardableResult
    static func run(_ words: [String]) throws -> [UInt8] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(words: words, code: process.terminationStatus) }
        return [UInt8](output)
    }

    struct Failure: Error {
        let words: [String]
        let code: Int32
    }
}
