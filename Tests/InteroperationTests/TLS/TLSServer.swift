// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// `openssl s_server` for one connection: it demands a certificate of the client's, and answers a line turned round.
final class TLSServer {
    private let process = Process()
    private let output = Pipe()
    private var said = Data()

    /// The socket it listens on.
    let path: String

    static let host = "localhost"

    /// Starts one with the certificates in a command's folder; returns when it listens.
    init(_ command: OpenSSLCommand, version: TLSVersion, signatures: String) throws {
        path = command.folder.file("socket")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = [
            "s_server", "-unix", path, "-unlink", "-naccept", "1", "-rev", "-cert", "server.pem", "-key", "server.key",
            "-CAfile", "ca.pem", "-Verify", "1", "-verify_return_error", "-client_sigalgs", signatures, version.option,
        ]
        process.currentDirectoryURL = URL(fileURLWithPath: command.folder.path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        while !text.contains("ACCEPT") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure(output: text) }
            said += more
        }
    }

    struct Failure: Error {
        let output: String
    }

    /// All it has said, after it has ended by itself: when its one connection has, if there was one.
    func lines(after outcome: TLSClient.Outcome) -> [String] {
        if !outcome.isStarted { process.terminate() }
        said += output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return text.split(separator: "\n").map(String.init)
    }

    private var text: String { String(decoding: said, as: UTF8.self) }

    deinit { if process.isRunning { process.terminate() } }
}

/// A version of TLS.
enum TLSVersion: String, Sendable {
    case tls12 = "TLSv1.2"
    case tls13 = "TLSv1.3"

    /// The number on the wire.
    var number: Int32 { self == .tls12 ? 0x0303 : 0x0304 }

    var option: String { self == .tls12 ? "-tls1_2" : "-tls1_3" }
}
