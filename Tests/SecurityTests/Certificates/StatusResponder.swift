// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// `openssl ocsp` as a server on the loopback, until this goes away.
final class StatusResponder: Sendable {
    struct Failure: Error {}

    let port: Int
    /// The addresses that were asked for through `transport`.
    var asked: [URL] { requests.withLock { $0 } }
    private let requests = Mutex<[URL]>([])
    private let process: Process

    init(_ arguments: [String], in folder: URL) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        // What it says holds for five minutes.
        process.arguments = ["ocsp", "-port", "0", "-nmin", "5"] + arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // It says where it listens once it does: ACCEPT [::]:PORT PID=…
        var said = ""
        while !said.contains("\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure() }
            said += String(decoding: more, as: UTF8.self)
        }
        let place = said.split(separator: " ").dropFirst().first ?? ""
        guard let number = Int(place.split(separator: ":").last ?? "") else { throw Failure() }
        port = number
    }

    deinit {
        // Threads that tests run on block every signal that can be blocked, and what they start inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Gets what is asked for from this server, whatever host the address names.
    func transport(_ url: URL) -> Data? {
        requests.withLock { $0.append(url) }
        let program = """
            import sys, urllib.request
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            sys.stdout.buffer.write(opener.open(sys.argv[1]).read())
            """
        guard let path = URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedPath else { return nil }
        let client = Process()
        client.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        client.arguments = ["-c", program, "http://127.0.0.1:\(port)\(path)"]
        let output = Pipe()
        client.standardOutput = output
        guard (try? client.run()) != nil else { return nil }
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        client.waitUntilExit()
        return client.terminationStatus == 0 ? answer : nil
    }
}
