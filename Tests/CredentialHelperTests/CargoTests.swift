// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses
internal import TestPrompts
internal import Testing

/// Cargo's helper where a person is; its protocol is in Transcripts/helpers/cargo.txt, and real cargo in Tests/Programs.
@Suite("cargo's tokens") struct CargoTests {
    private let scene: HelperScene

    init() throws { scene = try HelperScene() }

    private static let registry = #""registry":{"index-url":"sparse+https://crates.example/","name":"mine"}"#

    @Test("a login without a token asks at the terminal, not on the pipes that cargo holds")
    func loginAtTheTerminal() throws {
        let login = #"{"v":1,\#(CargoTests.registry),"kind":"login","login-url":"https://crates.example/me","args":[]}"#
        try scene.write(login + "\n", to: "question")
        let terminal = try PseudoTerminal()
        let script = #"exec cargo-credential-llavero --cargo-plugin <"$1" >"$2""#
        let process = try scene.start(
            ["sh", "-c", script, "sh", scene.file("question"), scene.file("answer")], on: terminal)
        try terminal.wait(for: "The token of mine; it is shown at https://crates.example/me.")
        try terminal.wait(for: "Token:")
        try terminal.wait(forEcho: false)
        try terminal.type("typed\n")
        #expect(try process.wait() == 0, "\(terminal.shown)")
        #expect(scene.folder.text("answer") == "{\"v\":[1]}\n{\"Ok\":{\"kind\":\"login\"}}\n")
        #expect(!terminal.shown.contains("typed"))
        #expect(try scene.need("llavero", "get", "cargo: mine") == "typed\n")
    }
}
