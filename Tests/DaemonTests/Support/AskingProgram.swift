// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program with a keychain question for each line it is given.
final class AskingProgram {
    private let process: Process
    private let questions = Pipe()
    private let answers = Pipe()
    private var rest = Data()

    init(_ process: Process) throws {
        self.process = process
        process.standardInput = questions
        process.standardOutput = answers
        try process.run()
    }

    deinit {
        try? questions.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// What it answers, without the words of the question.
    func ask(_ question: String) throws -> [String] {
        try questions.fileHandleForWriting.write(contentsOf: Data((question + "\n").utf8))
        while true {
            if let end = rest.firstIndex(of: 10) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest = rest[rest.index(after: end)...]
                return line.split(separator: " ", maxSplits: 3).dropFirst(2).map(String.init)
            }
            let more = answers.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Ended() }
            rest += more
        }
    }

    struct Ended: Error {}
}
