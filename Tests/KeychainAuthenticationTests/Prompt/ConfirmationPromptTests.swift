// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthentication
import KeychainSystem
import TestProcesses
import TestPrompts
import Testing

/// Yes or no, by the real pinentries, by a program in their place, and on a terminal alone.
@Suite struct ConfirmationPromptTests {
    private func ask(
        _ environment: PromptEnvironment, _ question: SecretQuestion
    ) -> Errand<Asked> {
        Errand {
            do throws(PromptError) { return .answer(try ConfirmationPrompt(environment).ask(question)) } catch {
                return Asked(error)
            }
        }
    }

    private func show(_ environment: PromptEnvironment, _ question: SecretQuestion) -> Errand<Asked> {
        Errand {
            do throws(PromptError) {
                try ConfirmationPrompt(environment).show(question)
                return .answer("shown")
            } catch { return Asked(error) }
        }
    }

    @Test(
        "a pinentry at the terminal has a key for yes and one for no",
        arguments: [
            (RealPinentry.tty, "y", Asked.answer("yes")), (.tty, "n", .cancelled), (.curses, "\r", .answer("yes")),
            (.curses, "\t\r", .cancelled),
        ])
    func realPinentry(program: RealPinentry, keys: String, expected: Asked) throws {
        let terminal = try PseudoTerminal()
        var question = SecretQuestion.test(description: "Is 100 % right?")
        (question.okTitle, question.cancelTitle) = ("Yes", "No")
        let asked = ask(.on(terminal, ["PINENTRY": program.path]), question)
        try terminal.wait(for: "right?")
        try terminal.wait(forEcho: false)
        try terminal.type(keys)
        #expect(try asked.result() == expected, "\(terminal.shown)")
        #expect(terminal.isOrdinary)
    }

    @Test(
        "a dialog's answer is what it says, and nothing else is a yes",
        arguments: [
            ("echo OK", Asked.answer("yes")), ("echo 'ERR 83886194 no'", .cancelled),
            ("echo 'ERR 83886179 no'", .cancelled), ("echo 'ERR 83886142 late'", .timedOut),
            ("echo 'ERR 83886081 x'", .failedWith(code: 1)), ("exit 0", .failed), ("echo yes", .failed),
            ("echo 'D yes'; echo OK", .failed), ("echo", .failed), ("kill -9 $$", .failedWith(code: 9)),
        ])
    func dialog(script: String, expected: Asked) throws {
        let folder = try TestFolder()
        let path = try FakePinentry.make(
            """
            echo OK
            while read -r command rest; do
                case $command in
                CONFIRM) \(script) ;;
                BYE) echo OK; exit 0 ;;
                *) echo OK ;;
                esac
            done
            """, in: folder.path)
        #expect(try ask(.desktop(["PINENTRY": path]), .test()).result() == expected)
    }

    @Test("what is typed on the terminal is shown, can be corrected, and is the answer")
    func terminal() throws {
        let terminal = try PseudoTerminal()
        let asked = ask(.on(terminal, ["PATH": "/nowhere"]), .test(description: "Go on (yes/no)?", prompt: ""))
        try terminal.wait(for: "Go on (yes/no)? ")
        try terminal.type("no\u{15}yea\u{7F}s\n")
        #expect(try asked.result() == .answer("yes"))
        #expect(terminal.shown.contains("yea\u{8} \u{8}s\r\n"))
        #expect(terminal.isOrdinary)
    }

    @Test("what was typed before the question is no answer to it")
    func typedBefore() throws {
        let terminal = try PseudoTerminal()
        try terminal.type("yes\n")
        try terminal.wait(for: "yes\r\n")
        let asked = ask(.on(terminal, ["PATH": "/nowhere"]), .test(description: "Go on?", prompt: ""))
        try terminal.wait(for: "Go on? ")
        try terminal.type("\u{3}")
        #expect(try asked.result() == .cancelled)
    }

    @Test("where nobody is, it is not available")
    func nowhere() throws {
        let environment = PromptEnvironment(variables: [:], isPrivileged: false, terminal: "/nowhere")
        #expect(try ask(environment, .test()).result() == .notAvailable)
        #expect(try show(environment, .test()).result() == .notAvailable)
        #expect(try show(.desktop(["PATH": "/nowhere"]), .test()).result() == .notAvailable)
    }

    @Test("a notice is a line on the terminal, even where there is a pinentry, and waits for nothing")
    func noticeOnTerminal() throws {
        let terminal = try PseudoTerminal()
        let shown = show(.on(terminal, ["PINENTRY": RealPinentry.curses.path]), .test(description: "Touch it\u{1B}[2J"))
        #expect(try shown.result() == .answer("shown"))
        try terminal.wait(for: "Touch it?[2J\r\n")
    }

    @Test("a notice on a display stays until it is taken back, and has one button")
    func noticeOnDisplay() throws {
        let (folder, cancellation) = (try TestFolder(), Cancellation())
        let ready = try NamedPipe(folder.file("ready"))
        let path = try FakePinentry.make(
            """
            echo OK
            while read -r command rest; do
                case "$command $rest" in
                'CONFIRM --one-button') echo $$ >'\(folder.path)/pid'; printf x >'\(ready.path)'; exec sleep 600 ;;
                *) echo OK ;;
                esac
            done
            """, in: folder.path)
        let shown = show(.desktop(["PINENTRY": path]), .test(cancellation))
        try ready.take()
        let pid = try FakePinentry.pid(in: folder.path)
        cancellation.trip()
        #expect(try shown.result() == .cancelled)
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
    }
}
