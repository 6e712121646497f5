// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthentication
import TestProcesses
import TestPrompts
import Testing

/// A program with a terminal that controls it, or with none, which asks as any program does.
@Suite struct SessionTests {
    private let folder: TestFolder
    private let helper: String

    init() throws {
        folder = try TestFolder()
        helper = try SessionProcess.helper()
    }

    private func environment(_ more: [String: String]) -> [String: String] {
        [
            "PATH": "/nowhere", "TERM": "xterm", "LANG": "C.UTF-8", "OUTCOME": folder.file("outcome"),
            "TSAN_OPTIONS": "die_after_fork=0",
        ]
        .merging(more) { $1 }
    }

    private func outcome(_ process: SessionProcess) throws -> String {
        #expect(try process.wait() == 0)
        return folder.text("outcome")
    }

    @Test("the terminal that controls the program is asked on")
    func controlling() throws {
        let terminal = try PseudoTerminal()
        let process = try terminal.run([helper, "ask", "typed"], environment: environment([:]))
        try terminal.wait(for: "Passcode:")
        try terminal.type("typed\n")
        #expect(try outcome(process) == "right")
        #expect(!terminal.shown.contains("typed"))
    }

    @Test("without terminal and display the program is refused at once, and told what to do")
    func nowhere() throws {
        let process = try SessionProcess([helper, "ask"], environment: environment([:]), terminal: nil)
        #expect(try outcome(process).hasPrefix("not available: no prompt can be shown"))
    }

    @Test("in the background of a terminal nobody is asked, and nothing stops", arguments: ["/nowhere", "/usr/bin"])
    func background(_ path: String) throws {
        let terminal = try PseudoTerminal()
        // The shell runs it as a job of its own, and stays in the foreground.
        let process = try terminal.run(
            ["/bin/sh", "-mc", "\(helper) ask & wait"], environment: environment(["PATH": path]))
        #expect(try outcome(process).hasPrefix("not available: no prompt can be shown"))
    }

    @Test("a program that comes into the background while it asks is neither stopped nor answered")
    func losesForeground() throws {
        let terminal = try PseudoTerminal()
        let process = try terminal.run([helper, "lose-foreground"], environment: environment([:]))
        try terminal.wait(for: "lost")
        try terminal.type("a")
        #expect(try outcome(process).hasPrefix("failed: the terminal was closed"))
        #expect(terminal.isOrdinary)
    }

    @Test("Ctrl-C at a terminal prompt refuses the question, and does not end the program")
    func interruptedPrompt() throws {
        let terminal = try PseudoTerminal()
        let process = try terminal.run([helper, "ask"], environment: environment([:]))
        try terminal.wait(for: "Passcode:")
        try terminal.type([0x61, 3])
        let outcome = try outcome(process)
        #expect(outcome == "cancelled")
        #expect(terminal.isOrdinary)
    }

    @Test("Ctrl-C at a pinentry refuses the question of a program that goes on", arguments: RealPinentry.all)
    func interruptedPinentry(_ program: RealPinentry) throws {
        let terminal = try PseudoTerminal()
        let process = try terminal.run(
            [helper, "ask"], environment: environment(["PINENTRY": program.path, "SURVIVES": "1"]))
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        // pinentry-tty misses an interruption that comes just before it starts to read.
        let ended = Errand { (try? process.wait()) ?? -1 }
        repeat { try terminal.type([3]) } while (try? ended.result(within: 3)) == nil
        #expect(folder.text("outcome") == "cancelled")
        #expect(terminal.isOrdinary)
    }

    @Test("a pinentry gets the terminal that controls the program", arguments: RealPinentry.all)
    func pinentry(_ program: RealPinentry) throws {
        let terminal = try PseudoTerminal()
        let process = try terminal.run(
            [helper, "ask", "typed"], environment: environment(["PINENTRY": program.path]))
        try program.answer(terminal, "typed")
        #expect(try outcome(process) == "right")
    }

    @Test("after many questions of all endings no descriptor and no process is left")
    func leaks() throws {
        let scripts = [
            ("good", "echo 'D x'; echo OK"), ("refusing", "echo 'ERR 99 no'"), ("silent", "sleep 60"),
            ("bad", "echo what"), ("ending", "exit 3"),
        ]
        let programs = try scripts.map { name, script in
            try FakePinentry.asking(script, in: try folder.makeFolder(name)) + (name == "silent" ? "-silent" : "")
        }
        try FileManager.default.moveItem(
            atPath: folder.file("silent/pinentry"), toPath: folder.file("silent/pinentry-silent"))
        let process = try SessionProcess(
            [helper, "leaks"], environment: environment(["PROGRAMS": programs.joined(separator: ":")]), terminal: nil)
        let outcome = try outcome(process)
        #expect(outcome == "clean")
    }

    @Test("a process forked while a prompt is open asks by itself, and disturbs nobody")
    func fork() throws {
        let process = try SessionProcess([helper, "fork"], environment: environment([:]), terminal: nil)
        let outcome = try outcome(process)
        #expect(outcome == "clean")
    }
}
