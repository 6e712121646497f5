// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainModel
import Testing

/// The rows of `Tests/Vectors/certificates/text.json`.
@Suite("Texts are compared as the vectors say")
struct TextVectorTests {
    struct Row: Decodable {
        let id: String
        let pattern: String
        let text: String
        let at: String
        /// For each way to compare that says yes: "", "c", "d", "w", "cd", …; all others say no.
        let matches: [String]
    }

    @Test func rows() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Vectors/certificates/text.json")
        let rows = try JSONDecoder().decode([Row].self, from: Data(contentsOf: file))
        #expect(rows.count >= 40)
        #expect(Set(rows.map(\.id)).count == rows.count)
        for row in rows {
            let position = try #require(Self.positions[row.at], "\(row.id)")
            for (letters, ignored) in Self.ways {
                let pattern = TextPattern(row.pattern, at: position, matching: TextMatching(ignoring: ignored))
                #expect(pattern.matches(row.text) == row.matches.contains(letters), "\(row.id), ignoring '\(letters)'")
            }
            #expect(Set(row.matches).isSubset(of: Self.ways.map(\.0)), "\(row.id)")
        }
    }

    private static let positions: [String: TextMatching.Position] = [
        "anywhere": .anywhere, "start": .start, "end": .end, "whole": .whole,
    ]
    private static let ways: [(String, TextMatching.Ignored)] = [
        ("", []), ("c", .letterCase), ("d", .diacritics), ("w", .width), ("cd", [.letterCase, .diacritics]),
        ("cw", [.letterCase, .width]), ("dw", [.diacritics, .width]), ("cdw", [.letterCase, .diacritics, .width]),
    ]
}
