// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

/// The page with a recovery key, read as a person's telephone reads it.
@Suite("recovery key on paper") struct PaperTests {
    private let scene: ToolScene

    init() throws {
        scene = try ToolScene()
        try scene.write("one", to: "one")
    }

    @discardableResult
    private func shell(_ line: String, code: Int32 = 0) throws -> ToolScene.Answer {
        let tool = try ToolScene.built("llavero")
        let answer = try scene.run("/bin/bash", ["-c", "llavero() { \(tool) \"$@\"; }\n\(line)"])
        #expect(answer.code == code, "\(line): \(answer.output)\(answer.complaint)")
        return answer
    }

    /// The picture of a page's half blocks, with four points for a module.
    private func draw(_ page: String, to name: String) throws {
        let lines = page.split(separator: "\n").filter { $0.contains { "▀▄█".contains($0) } }
        let width = (lines.map(\.count).max() ?? 0) + 8
        var rows: [[Bool]] = Array(repeating: Array(repeating: false, count: width), count: 8)
        for line in lines {
            let cells = Array(line) + Array(repeating: " ", count: width - line.count)
            rows += [cells.map { "▀█".contains($0) }, cells.map { "▄█".contains($0) }]
        }
        rows += Array(repeating: Array(repeating: false, count: width), count: 8)
        var picture = Data("P5\n\(4 * width) \(4 * rows.count)\n255\n".utf8)
        for row in rows {
            let line = row.flatMap { Array(repeating: UInt8($0 ? 0 : 255), count: 4) }
            for _ in 0..<4 { picture.append(contentsOf: line) }
        }
        try picture.write(to: URL(fileURLWithPath: scene.file(name)))
    }

    /// The words with their numbers, as the page lists them.
    private func words(on page: String) -> [String] {
        page.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ")
            guard parts.count == 2, line.hasPrefix("    "), Int(parts[0]) != nil else { return nil }
            return String(parts[1])
        }
    }

    @Test("the code on the page reads as its words, which open the keychain", arguments: 0..<4)
    func code(_ round: Int) throws {
        try shell("llavero add site --stdin --quiet < one")
        let page = try shell("llavero recovery make --paper --quiet").output
        #expect(page.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let words = words(on: page)
        #expect(words.count == 14)
        try draw(page, to: "page.pgm")
        let read = try shell("zbarimg --quiet --raw page.pgm 2>/dev/null > read; cat read").output
        #expect(read == words.joined(separator: " ").uppercased() + "\n")
        #expect(try shell("llavero recovery check --stdin < read").complaint.contains("open the keychain login"))
        let before = try scene.bytes("keychains/login/keychain.db")
        try scene.write(words.reversed().joined(separator: " "), to: "wrong")
        try shell("llavero recovery check --stdin < wrong", code: 1)
        #expect(try scene.bytes("keychains/login/keychain.db") == before)
    }

    @Test("a page in a file is for its owner alone; where it cannot be written the earlier words stay valid")
    func file() throws {
        try shell("llavero add site --stdin --quiet < one && llavero recovery make --quiet > words")
        try shell("llavero recovery make --paper --output nowhere/page", code: 1)
        try shell("llavero recovery make --paper --output one", code: 1)
        #expect(try shell("llavero recovery check --fd 3 3< words").output.isEmpty)
        try shell("llavero recovery make --paper --output page --quiet")
        #expect(try scene.mode("page") == 0o600)
        let page = try #require(String(bytes: try scene.bytes("page"), encoding: .utf8))
        #expect(!page.contains("\u{1B}"))
        try draw(page, to: "page.pgm")
        try shell("zbarimg --quiet --raw page.pgm 2>/dev/null | llavero recovery check --stdin --quiet")
        // Those of before are none of this keychain's any more.
        let said = try shell("llavero recovery check --fd 3 3< words", code: 1).complaint
        #expect(said.contains("earlier recovery key"), "\(said)")
        for line in ["make --output x", "check --paper", "remove --paper", "use --paper"] {
            try shell("llavero recovery \(line)", code: 2)
        }
    }
}
