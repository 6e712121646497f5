// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrompts

/// A process that writes entries, and says of each that it is written.
final class AuditWriter {
    private let process = Process()
    private let acknowledgements = Pipe()

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: try AuditWriter.path())
        process.arguments = arguments
        process.standardOutput = acknowledgements
        try process.run()
        // Else the end of its output would never be read.
        try acknowledgements.fileHandleForWriting.close()
    }

    static func path() throws -> String { try SessionProcess.helper("llavero-audit-helper") }

    /// Kills it once it has acknowledged so many entries; returns the number of the last that it did.
    func kill(after count: Int) throws -> Int {
        var text = Data()
        var lines = 0
        while lines < count {
            let more = acknowledgements.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Ended() }
            lines += more.count { $0 == 10 }
            text += more
        }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        while case let more = acknowledgements.fileHandleForReading.availableData, !more.isEmpty { text += more }
        guard let end = text.lastIndex(of: 10) else { throw Ended() }
        let last = text[..<end].split(separator: 10).last ?? Data()
        return Int(String(decoding: last, as: UTF8.self)) ?? 0
    }

    struct Ended: Error {}
}
