// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A program that a test runs to its end.
package enum TestProgram {
    package struct Failure: Error {
        package let words: [String]
        package let output: String
    }

    /// What it printed; throws `Failure` when it did not end with 0.
    @discardableResult
    package static func run(
        _ words: [String], environment: [String: String] = [:], in folder: String
    ) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin"].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let output = String(decoding: data, as: UTF8.self)
        guard process.terminationStatus == 0 else { throw Failure(words: words, output: output) }
        return output
    }
}
