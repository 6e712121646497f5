// SPDX-License-Identifier: Apache-2.0

/// Where a transcript's commands answered otherwise: the commands, with what was missing and what came instead.
struct TranscriptDifference {
    private let expected: Transcript
    private let found: Transcript

    init(_ expected: Transcript, _ found: Transcript) {
        self.expected = expected
        self.found = found
    }

    var text: String {
        zip(expected.steps, found.steps).filter { $0.lines != $1.lines }.map { expected, found in
            TranscriptDifference.lines(expected.lines, found.lines).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// Both texts in one: `-` is what should have come, `+` what came.
    static func lines(_ expected: [String], _ found: [String]) -> [String] {
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in found.difference(from: expected) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var (lines, old, new): ([String], Int, Int) = ([], 0, 0)
        while old < expected.count || new < found.count {
            if removed.contains(old) {
                lines.append("- " + expected[old])
                old += 1
            } else if inserted.contains(new) {
                lines.append("+ " + found[new])
                new += 1
            } else {
                lines.append("  " + expected[old])
                (old, new) = (old + 1, new + 1)
            }
        }
        return lines
    }
}
