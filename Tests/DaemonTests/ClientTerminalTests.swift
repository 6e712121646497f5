// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrompts
import Testing

/// A person at a terminal, whom the daemon asks there for a program.
@Suite struct SeatTests {
    /// What the daemon asks with: a pinentry of Debian's, or the terminal itself.
    enum Way: String, CaseIterable, Sendable {
        case curses
        case tty
        case terminal

        var variables: [String: String] {
            self == .terminal ? ["PATH": "/nowhere"] : ["PINENTRY": "/usr/bin/pinentry-\(rawValue)"]
        }
        var enter: String { self == .curses ? "\r" : "\n" }
    }

    @Test("the daemon asks at the program's terminal, and says which program it is", arguments: Way.allCases)
    func asked(_ way: Way) throws {
        let scene = try DaemonScene(way.variables)
        #expect(try scene.run("llavero-test-helper", "access", "put") == 0)
        let daemon = try scene.startDaemon()
        defer { daemon.terminate() }
        let terminal = try PseudoTerminal()
        let helper = try SessionProcess.helper("llavero-test-helper")
        let environment = scene.environment.merging(["TERM": "xterm", "LANG": "C.UTF-8"]) { $1 }
        let process = try terminal.run([helper, "access", "get", "1"], environment: environment)
        try terminal.wait(for: "llavero-test-helper")
        try terminal.wait(for: "For_the_report")
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        try terminal.type("1234" + way.enter)
        try terminal.wait(for: "got 0 kept")
        #expect(try process.wait() == 0)
        #expect(!terminal.shown.contains("1234"))
        #expect(terminal.isOrdinary)
    }

    @Test("a program without terminal and display has nobody who could be asked, and is told so")
    func nobody() throws {
        let scene = try DaemonScene(["PATH": "/nowhere"])
        #expect(try scene.run("llavero-test-helper", "access", "put") == 0)
        let daemon = try scene.startDaemon()
        defer { daemon.terminate() }
        let helper = try SessionProcess.helper("llavero-test-helper")
        let output = scene.file("output")
        let process = try SessionProcess(
            ["/bin/sh", "-c", "exec '\(helper)' access get >'\(output)' 2>&1"], environment: scene.environment,
            terminal: nil)
        #expect(try process.wait() == 0)
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(text.contains("got -25308 nothing"))
        #expect(text.contains("no prompt can be shown"))
    }
}
