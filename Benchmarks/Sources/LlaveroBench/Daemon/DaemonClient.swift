// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A process of `llavero-client` that works when it is told to.
final class DaemonClient {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest = Data()

    /// How much it did, and what one call took in microseconds.
    struct Figures {
        let calls: Double
        let median: Double
        let p99: Double
    }

    /// Returns when it has warmed up.
    init(_ program: String, _ arguments: [String], socket: String) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ["LLAVERO_SOCKET": socket]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = try line()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func begin(seconds: Double) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(seconds)\n".utf8))
    }

    func figures() throws -> Figures {
        let numbers = try line().split(separator: " ").compactMap { Double($0) }
        try WrongResult.unless(numbers.count == 3, "llavero-client does not say what it did")
        return Figures(calls: numbers[0], median: numbers[1], p99: numbers[2])
    }

    /// Lets several work at the same time.
    static func work(_ clients: [DaemonClient], seconds: Double) throws -> [Figures] {
        for client in clients { try client.begin(seconds: seconds) }
        return try clients.map { try $0.figures() }
    }

    private func line() throws -> String {
        while true {
            if let end = rest.firstIndex(of: 10) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest = Data(rest[rest.index(after: end)...])
                return line
            }
            let more = output.fileHandleForReading.availableData
            try WrongResult.unless(!more.isEmpty, "llavero-client ended")
            rest += more
        }
    }
}
