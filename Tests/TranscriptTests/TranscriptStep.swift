// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// One command of a transcript.
struct TranscriptStep {
    let command: String
    let isOnTerminal: Bool
    var input: [String] = []
    var answer: [String] = []
    var code: Int32 = 0
    private var hasCode = false

    init(_ line: String) {
        isOnTerminal = line.hasPrefix("@tty ")
        command = isOnTerminal ? String(line.dropFirst(5)) : line
    }

    /// Takes a line of the file; false when it belongs to the step no more.
    mutating func read(_ line: String) -> Bool {
        if hasCode { return false }
        if line.hasPrefix("<"), answer.isEmpty {
            input.append(String(line.dropFirst(line.hasPrefix("< ") ? 2 : 1)))
        } else if line.hasPrefix("? "), let number = Int32(line.dropFirst(2)) {
            (code, hasCode) = (number, true)
        } else {
            answer.append(line)
        }
        return true
    }

    /// Empty lines at the end are there for the eye.
    mutating func settle() {
        while answer.last?.isEmpty == true { answer.removeLast() }
    }

    var lines: [String] {
        ["$ " + (isOnTerminal ? "@tty " : "") + command] + input.map { $0.isEmpty ? "<" : "< " + $0 } + answer
            + (code == 0 ? [] : ["? \(code)"])
    }

    /// The step with the lines that came, but for those that its own describe.
    func having(_ lines: [String], _ code: Int32) -> TranscriptStep {
        var step = self
        step.code = code
        var left = answer[...]
        step.answer = lines.map { line in
            guard let place = left.firstIndex(where: { TranscriptStep.matches(line, $0) }) else { return line }
            let pattern = left[place]
            left = left[(place + 1)...]
            return pattern
        }
        return step
    }

    static func matches(_ line: String, _ expected: String) -> Bool {
        guard expected.hasPrefix("«re:"), expected.hasSuffix("»"),
            let pattern = try? NSRegularExpression(pattern: "^(?:" + expected.dropFirst(4).dropLast() + ")$")
        else { return line.utf8.elementsEqual(expected.utf8) }
        let whole = NSRange(line.startIndex..., in: line)
        return pattern.firstMatch(in: line, range: whole)?.range == whole
    }
}
