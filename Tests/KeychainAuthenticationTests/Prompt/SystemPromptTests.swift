// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthentication
import KeychainSystem
import TestProcesses
import TestPrompts
import Testing

@Suite struct SystemPromptTests {
    private func cause(_ environment: PromptEnvironment) -> String? {
        do throws(PromptError) {
            _ = try SystemPrompt(environment).ask(.test())
            return nil
        } catch {
            guard case .notAvailable(let cause) = error else { return nil }
            return cause.description
        }
    }

    @Test("without display and terminal nobody is asked, and the cause says what to do")
    func nobody() throws {
        let environment = PromptEnvironment(variables: [:], isPrivileged: false, terminal: "/nowhere")
        #expect(cause(environment)?.contains("in a terminal") == true)
    }

    @Test("a display without a program that could ask there is as good as none")
    func noProgram() {
        #expect(cause(.desktop(["PATH": "/nowhere"]))?.contains("install") == true)
    }

    @Test("a file that is no terminal is no terminal")
    func noTerminal() {
        let environment = PromptEnvironment(variables: [:], isPrivileged: false, terminal: "/dev/null")
        #expect(cause(environment)?.contains("in a terminal") == true)
    }

    @Test("without a pinentry the terminal is asked on")
    func terminal() throws {
        let terminal = try PseudoTerminal()
        let asked = Asked.later(SystemPrompt(.on(terminal, ["PATH": "/nowhere"])), .test())
        try terminal.wait(for: "Passcode")
        try terminal.type("plain\n")
        #expect(try asked.result() == .answer("plain"))
    }

    @Test("a pinentry that does not work is replaced by the terminal, in what is left of the time")
    func fallback() throws {
        let (terminal, folder) = (try PseudoTerminal(), try TestFolder())
        let path = try FakePinentry.make("exit 1", in: folder.path)
        let asked = Asked.later(SystemPrompt(.on(terminal, ["PINENTRY": path])), .test())
        try terminal.wait(for: "Passcode")
        try terminal.type("plain\n")
        #expect(try asked.result() == .answer("plain"))
    }

    @Test("a command that has words for its line asks with them on the terminal, whatever pinentry there is")
    func line() throws {
        let (terminal, folder) = (try PseudoTerminal(), try TestFolder())
        let path = try FakePinentry.asking("echo D dialog; echo OK", in: folder.path)
        var question = SecretQuestion.test(description: "What a dialog says.", confirms: true)
        question.line = LineQuestion("secret of mine:", repetition: "once more:", difference: "not the same")
        let asked = Asked.later(SystemPrompt(.on(terminal, ["PINENTRY": path])), question)
        for (first, second) in [("a", "b"), ("c", "c")] {
            try terminal.wait(for: "secret of mine: ")
            #expect(!terminal.echoes)
            try terminal.type(first + "\n")
            try terminal.wait(for: "once more: ")
            try terminal.type(second + "\n")
        }
        #expect(try asked.result() == .answer("c"))
        let shown = "secret of mine: \r\nonce more: \r\n"
        #expect(terminal.shown == shown + "not the same\r\n" + shown)
        // Without a terminal it is a question as any other.
        #expect(try Asked.later(SystemPrompt(.desktop(["PINENTRY": path])), question).result() == .answer("dialog"))
    }

    @Test("a refusal is no reason to ask elsewhere")
    func refusal() throws {
        let (terminal, folder) = (try PseudoTerminal(), try TestFolder())
        let path = try FakePinentry.asking("echo 'ERR 83886179 no'", in: folder.path)
        #expect(try Asked.later(SystemPrompt(.on(terminal, ["PINENTRY": path])), .test()).result() == .cancelled)
        #expect(!terminal.shown.contains("Passcode"))
    }

    @Test("a question taken back before it is asked is not asked")
    func takenBack() throws {
        let (terminal, cancellation) = (try PseudoTerminal(), Cancellation())
        cancellation.trip()
        for path in ["/nowhere", "/usr/bin"] {
            let prompt = SystemPrompt(.on(terminal, ["PATH": path]))
            #expect(try Asked.later(prompt, .test(cancellation)).result() == .cancelled)
        }
        #expect(!terminal.shown.contains("Passcode"))
    }
}
