// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainTools
internal import Testing

/// Words of commands that a person pastes; a shell reads them, and says what it read.
@Suite struct ShellWordTests {
    /// Each sign that a shell knows, with marks before and behind it that make one letter of both.
    static let words: [String] = ["'", "\\", "\"", "$", "`", "\n", "\r\n", ";", "$(touch x)"].flatMap { sign in
        ["\u{301}", "\u{200D}", "\u{D4E}", ""].flatMap { mark in
            ["a\(sign)\(mark)b", "a\(mark)\(sign)b", "\(sign)\(mark)", "\(mark)\(sign)", "\(sign)\(mark); touch x #"]
        }
    }

    @Test("a shell reads the quoted word as it was")
    func read() throws {
        let script = Self.words.map { "printf '%s\\0' \(ShellWord.quoted($0))\n" }.joined()
        let (shell, input, output) = (Process(), Pipe(), Pipe())
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        (shell.standardInput, shell.standardOutput) = (input, output)
        try shell.run()
        try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
        try input.fileHandleForWriting.close()
        let read = try output.fileHandleForReading.readToEnd() ?? Data()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        let answers = read.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
        #expect(answers == Self.words.map { Array($0.utf8) } + [[]])
    }

    @Test("a plain word stays as it is")
    func plain() {
        #expect(ShellWord.quoted("/home/u/a-b.c") == "/home/u/a-b.c")
        #expect(ShellWord.quoted("") == "''")
    }
}
