// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import TestProcesses

/// The `openssl` command, run in a folder.
package struct OpenSSLCommand: Sendable {
    package struct Failure: Error {
        let arguments: [String]
        let message: String
    }

    package let folder: TestFolder

    /// What it writes on its standard output.
    @discardableResult
    package func callAsFunction(_ arguments: String...) throws -> [UInt8] {
        try run(arguments)
    }

    @discardableResult
    package func run(_ arguments: [String]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let messages = folder.file("messages-\(UUID().uuidString)")
        try Data().write(to: URL(fileURLWithPath: messages))
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: messages)
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let message = try String(contentsOfFile: messages, encoding: .utf8)
            throw Failure(arguments: arguments, message: message)
        }
        return [UInt8](bytes)
    }

    package func text(_ arguments: String...) throws -> String {
        String(decoding: try run(arguments), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    package func write(_ text: String, to name: String) throws {
        try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    }

    package func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    package func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
    }
}
