// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthentication
import KeychainSystem
import TestPrompts
import Testing

@Suite struct TerminalPromptTests {
    /// Asks, waits until the question is there, types, and says what came of it.
    private func type(
        _ keys: [UInt8], _ question: SecretQuestion = .test(), on terminal: PseudoTerminal
    ) throws -> Asked {
        let asked = Asked.later(TerminalPrompt(path: terminal.path), question)
        try terminal.wait(for: question.prompt)
        try terminal.type(keys)
        return try asked.result()
    }

    @Test("the typed secret is the answer, and is never shown")
    func secrecy() throws {
        let terminal = try PseudoTerminal()
        #expect(terminal.echoes)
        let asked = Asked.later(TerminalPrompt(path: terminal.path), .test(description: "One\nTwo", error: "Wrong"))
        try terminal.wait(for: "One\r\nTwo")
        try terminal.wait(for: "Wrong")
        try terminal.wait(for: "Passcode:")
        #expect(!terminal.echoes)
        try terminal.type("s\u{e9}cret phrase\n")
        #expect(try asked.result() == .answer("s\u{e9}cret phrase"))
        #expect(!terminal.shown.contains("cret"))
        #expect(terminal.isOrdinary)
    }

    @Test(
        "keys that correct the line do so",
        arguments: [
            ("ab\u{7F}c", "ac"), ("a\u{8}\u{8}\u{8}b", "b"), ("aä€\u{1F308}\u{7F}\u{7F}z", "aäz"),
            ("wrong\u{15}x", "x"),
            ("a\u{1B}[Ab\u{1B}OPc\u{1B}[1;5Dd\u{1B}xe", "abcde"), ("a\u{1}\u{1A}\u{13}\tb", "ab"), ("", ""),
        ])
    func editing(_ keys: String, _ expected: String) throws {
        let terminal = try PseudoTerminal()
        #expect(try type(Array((keys + "\n").utf8), on: terminal) == .answer(expected))
    }

    @Test("Ctrl-D ends a line, and refuses an empty one; Ctrl-C and Ctrl-\\ refuse any")
    func ending() throws {
        let terminal = try PseudoTerminal()
        #expect(try type([0x61, 4], on: terminal) == .answer("a"))
        for keys in [[4], [0x61, 3], [0x61, 0x62, 0x1C]] as [[UInt8]] {
            #expect(try type(keys, on: terminal) == .cancelled)
            #expect(terminal.isOrdinary)
        }
    }

    @Test("a new secret has to be typed twice, and the same")
    func confirmation() throws {
        let terminal = try PseudoTerminal()
        let asked = Asked.later(TerminalPrompt(path: terminal.path), .test(confirms: true))
        for (first, second) in [("a", "b"), ("c", "c")] {
            try terminal.wait(for: "Passcode:")
            try terminal.type(first + "\n")
            try terminal.wait(for: "Repeat:")
            try terminal.type(second + "\n")
        }
        #expect(try asked.result() == .answer("c"))
        #expect(terminal.shown.contains("entries differ"))
    }

    @Test("a new secret that will be refused is not asked for twice")
    func tooShort() throws {
        let terminal = try PseudoTerminal()
        var question = SecretQuestion.test(confirms: true)
        question.leastCharacters = 4
        let asked = Asked.later(TerminalPrompt(path: terminal.path), question)
        try terminal.wait(for: "Passcode:")
        try terminal.type("ñññ\n")
        #expect(try asked.result() == .answer("ñññ"))
        #expect(!terminal.shown.contains("Repeat:"))
    }

    @Test("a thousand bytes are an answer, one more is refused, and none is left for the shell")
    func size() throws {
        let terminal = try PseudoTerminal()
        let longest = String(repeating: "x", count: 1000)
        #expect(try type(Array((longest + "\n").utf8), on: terminal) == .answer(longest))
        #expect(try type(Array((longest + "x\nthe rest\n").utf8), on: terminal) == .failed)
        #expect(!terminal.hasInput)
        #expect(terminal.isOrdinary)
    }

    @Test("what was typed before the question is no part of the answer")
    func typedAhead() throws {
        let terminal = try PseudoTerminal()
        try terminal.type("early")
        #expect(try type(Array("late\n".utf8), on: terminal) == .answer("late"))
    }

    @Test("the terminal is put back when the question is taken back, or its time is over")
    func interruption() throws {
        let (terminal, cancellation) = (try PseudoTerminal(), Cancellation())
        let asked = Asked.later(TerminalPrompt(path: terminal.path), .test(cancellation))
        try terminal.wait(for: "Passcode:")
        try terminal.type("half")
        cancellation.trip()
        #expect(try asked.result() == .cancelled)
        #expect(terminal.isOrdinary)
        #expect(Asked(TerminalPrompt(path: terminal.path), .test(timeout: 1)) == .timedOut)
        #expect(terminal.isOrdinary)
        #expect(!terminal.shown.contains("half"))
    }

    @Test("a terminal that somebody makes show what is typed is hushed again")
    func hushedAgain() throws {
        let terminal = try PseudoTerminal()
        let asked = Asked.later(TerminalPrompt(path: terminal.path), .test())
        try terminal.wait(for: "Passcode:")
        terminal.setEcho(true)
        try terminal.wait(forEcho: false)
        try terminal.type("secret\n")
        #expect(try asked.result() == .answer("secret"))
        #expect(!terminal.shown.contains("secret"))
    }

    @Test("a terminal that goes away ends the question")
    func goneTerminal() throws {
        let terminal = try PseudoTerminal()
        let asked = Asked.later(TerminalPrompt(path: terminal.path), .test())
        try terminal.wait(for: "Passcode:")
        terminal.close()
        let result = try asked.result()
        #expect(result == .failed || result == .failedWith(code: EIO))
    }

    @Test("a terminal that nobody reads keeps the question no longer than its time")
    func unreadTerminal() throws {
        let terminal = try PseudoTerminal()
        let text = (0..<12).map { _ in String(repeating: "x", count: 160) }.joined(separator: "\n")
        // Each shows two thousand bytes, and the kernel keeps some thousands for who reads them later.
        let last = (0..<12).map { _ in
            Asked(TerminalPrompt(path: terminal.path), .test(description: text, timeout: 0))
        }.last
        #expect(last == .timedOut)
        let asked = Asked.later(TerminalPrompt(path: terminal.path), .test(description: text, timeout: 1))
        #expect(try asked.result() == .timedOut)
        #expect(terminal.isOrdinary)
    }

    @Test("the words of a question cannot write anywhere else on the screen")
    func control() throws {
        let terminal = try PseudoTerminal()
        let asked = Asked.later(
            TerminalPrompt(path: terminal.path),
            .test(description: "a\u{1B}]0;t\u{7}\u{9B}2Jb", prompt: "\rPass\u{8}code:", error: "\u{1B}[8m"))
        try terminal.wait(for: "code:")
        try terminal.type("x\n")
        #expect(try asked.result() == .answer("x"))
        #expect(!terminal.shown.contains { "\u{1B}\u{7}\u{8}\u{9B}".contains($0) })
    }
}
