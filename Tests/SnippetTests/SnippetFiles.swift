// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A certificate with its key, made by the `openssl` command, in files that go away with it.
final class SnippetFiles: Sendable {
    struct Failure: Error { let arguments: [String] }

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "snippets-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "certificate.pem", "-days",
            "30", "-subj", "/CN=Ada/O=Example", "-set_serial", "0x1A2B", "-addext",
            "subjectAltName=DNS:www.example.org,DNS:example.org,email:ada@example.org")
        try openssl("x509", "-in", "certificate.pem", "-outform", "DER", "-out", "certificate.der")
        try openssl(
            "pkcs12", "-export", "-inkey", "key.pem", "-in", "certificate.pem", "-out", "file.p12", "-passout",
            "pass:secret", "-name", "ada")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func url(_ name: String) -> URL { folder.appending(path: name) }
    func data(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }
    func text(_ name: String) throws -> String { String(decoding: try data(name), as: UTF8.self) }

    func openssl(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(arguments: arguments) }
    }
}
