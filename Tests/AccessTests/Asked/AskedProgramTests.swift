// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestPrompts
import Testing

/// A program that reads an item which demands the passcode, and a person at its terminal, or nobody.
@Suite struct AskedProgramTests {
    private let folder: TestFolder
    private let helper: String

    init() throws {
        folder = try TestFolder()
        helper = try SessionProcess.helper("llavero-test-helper")
        let process = try SessionProcess([helper, "access", "put"], environment: environment(), terminal: nil)
        #expect(try process.wait() == 0)
    }

    private func environment(_ more: [String: String] = [:]) -> [String: String] {
        ["HOME": folder.path, "PATH": "/nowhere", "TERM": "xterm", "LANG": "C.UTF-8", "LLAVERO_ENCLAVE": "software"]
            .merging(more) { $1 }
    }

    private func reader(_ terminal: PseudoTerminal, _ more: [String: String], times: Int = 1) throws -> SessionProcess {
        try terminal.run([helper, "access", "get", "\(times)"], environment: environment(more))
    }

    /// What it is asked with: a pinentry of Debian's, or the terminal itself.
    enum Way: String, CaseIterable, Sendable {
        case curses
        case tty
        case terminal

        var variables: [String: String] {
            self == .terminal ? [:] : ["PINENTRY": "/usr/bin/pinentry-\(rawValue)"]
        }
        var enter: String { self == .curses ? "\r" : "\n" }
    }

    private func answer(_ terminal: PseudoTerminal, _ way: Way, _ text: String) throws {
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        try terminal.type(text + way.enter)
    }

    @Test("the right passcode gives the item; the person reads who asks, and what for", arguments: Way.allCases)
    func right(_ way: Way) throws {
        let terminal = try PseudoTerminal()
        let process = try reader(terminal, way.variables)
        try terminal.wait(for: "llavero-test-helper")
        try terminal.wait(for: "For_the_report")
        try answer(terminal, way, "1234")
        try terminal.wait(for: "got 0 kept")
        #expect(try process.wait() == 0)
        #expect(!terminal.shown.contains("1234"))
    }

    @Test("after a wrong passcode the person is told, and may type again", arguments: Way.allCases)
    func wrong(_ way: Way) throws {
        let terminal = try PseudoTerminal()
        let process = try reader(terminal, way.variables)
        try answer(terminal, way, "4321")
        try terminal.wait(for: "Wrong passcode")
        try answer(terminal, way, "1234")
        try terminal.wait(for: "got 0 kept")
        #expect(try process.wait() == 0)
    }

    @Test("a refusal is the end of the question, and not of the program", arguments: Way.allCases)
    func refused(_ way: Way) throws {
        let terminal = try PseudoTerminal()
        let process = try reader(terminal, way.variables, times: 2)
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        // The button of the one; for the others the key that interrupts.
        switch way {
        case .curses: try terminal.type("\t\t\r")
        case .tty: try interruptUntilRefused(terminal)
        case .terminal: try terminal.type([3])
        }
        if way != .tty { try terminal.wait(for: "got") }
        try terminal.wait(for: "-128 nothing")
        try answer(terminal, way, "1234")
        try terminal.wait(for: "got 0 kept")
        #expect(try process.wait() == 0)
        #expect(terminal.isOrdinary)
    }

    /// pinentry-tty misses an interruption that comes just before it starts to read.
    private func interruptUntilRefused(_ terminal: PseudoTerminal) throws {
        for _ in 0..<50 {
            try terminal.type([3])
            if (try? terminal.wait(for: "got", within: 3)) != nil { return }
        }
        throw Trouble("an interruption refuses nothing: \(terminal.shown)")
    }

    @Test("with no terminal and no display it fails at once, and says what to do")
    func nobody() throws {
        let output = folder.file("output")
        let process = try SessionProcess(
            ["/bin/sh", "-c", "exec '\(helper)' access get >'\(output)' 2>&1"], environment: environment(),
            terminal: nil)
        #expect(try process.wait() == 0)
        #expect(folder.text("output").contains("got -25308 nothing"))
        #expect(folder.text("output").contains("no prompt can be shown"))
    }
}
