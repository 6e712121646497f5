// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses

/// The `openssl` command in a folder of its own.
struct OpenSSLCommand {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Whether it ended with 0.
    func succeeds(_ arguments: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    func run(_ arguments: String...) throws {
        guard try succeeds(arguments) else { throw Failure(arguments: arguments) }
    }

    struct Failure: Error {
        let arguments: [String]
    }

    func write(_ data: Data, _ name: String) throws { try data.write(to: URL(fileURLWithPath: folder.file(name))) }

    func read(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.file(name))) }

    /// Writes a P-256 key's public half as a file that the command reads.
    func write(publicKeyOf key: SecKey, _ name: String) throws {
        // A SubjectPublicKeyInfo up to the point (RFC 5480).
        let head: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
            0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
        ]
        let info = Data(head) + (try Keys.bytes(Keys.publicHalf(key)))
        let text = "-----BEGIN PUBLIC KEY-----\n\(info.base64EncodedString())\n-----END PUBLIC KEY-----\n"
        try write(Data(text.utf8), name)
    }
}
