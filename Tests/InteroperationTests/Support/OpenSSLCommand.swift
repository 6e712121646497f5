// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// The `openssl` command in a folder of its own.
struct OpenSSLCommand {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    struct Failure: Error {
        let arguments: [String]
        let message: String
    }

    /// Its standard output; throws `Failure` when it does not end with 0.
    @discardableResult
    func run(_ arguments: [String]) throws -> Data {
        let (status, output, message) = try result(arguments)
        guard status == 0 else { throw Failure(arguments: arguments, message: message) }
        return output
    }

    @discardableResult
    func callAsFunction(_ arguments: String...) throws -> Data { try run(arguments) }

    /// Whether it ended with 0.
    func succeeds(_ arguments: [String]) throws -> Bool { try result(arguments).status == 0 }

    func write(_ data: Data, _ name: String) throws { try data.write(to: URL(fileURLWithPath: folder.file(name))) }

    func read(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.file(name))) }

    private func result(_ arguments: [String]) throws -> (status: Int32, output: Data, message: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let messages = folder.file("messages")
        try Data().write(to: URL(fileURLWithPath: messages))
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: messages)
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, bytes, (try? String(contentsOfFile: messages, encoding: .utf8)) ?? "")
    }
}
