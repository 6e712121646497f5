// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthentication
import KeychainSystem
import TestProcesses
import TestPrompts
import Testing

/// pinentry-tty and pinentry-curses, as Debian has them, with a person at the terminal.
@Suite struct RealPinentryTests {
    @Test("the typed secret is the answer, and is not shown", arguments: RealPinentry.all)
    func success(_ program: RealPinentry) throws {
        let terminal = try PseudoTerminal()
        let asked = Asked.later(
            PinentryPrompt(program: program.path, .on(terminal)), .test(description: "Of 100 %\nsecond_line"))
        try terminal.wait(for: "second_line")
        try terminal.wait(forEcho: false)
        try terminal.type("pa%25ss wörd" + program.enter)
        #expect(try asked.result() == .answer("pa%25ss wörd"))
        #expect(terminal.isOrdinary)
        #expect(terminal.shown.contains("100"))
        #expect(!terminal.shown.contains("25ss"))
    }

    @Test(
        "letters beyond ASCII are shown and typed, whatever locale the environment names", arguments: RealPinentry.all,
        [["LANG": ""], ["LC_ALL": "de_XX.UTF-8"], ["LC_ALL": "C"], ["LC_CTYPE": "POSIX"], ["LC_ALL": "C.UTF-8"]])
    func locale(_ program: RealPinentry, _ variables: [String: String]) throws {
        let terminal = try PseudoTerminal()
        let asked = Asked.later(
            PinentryPrompt(program: program.path, .on(terminal, variables)), .test(description: "Of neu-ü, 名"))
        try terminal.wait(for: "neu-ü, 名")
        try terminal.wait(forEcho: false)
        try terminal.type("wörd" + program.enter)
        #expect(try asked.result() == .answer("wörd"))
        #expect(terminal.isOrdinary)
    }

    @Test("a second question says what was wrong with the first answer", arguments: RealPinentry.all)
    func wrongThenRight(_ program: RealPinentry) throws {
        let terminal = try PseudoTerminal()
        let prompt = PinentryPrompt(program: program.path, .on(terminal))
        let first = Asked.later(prompt, .test())
        try program.answer(terminal, "wrong")
        #expect(try first.result() == .answer("wrong"))
        let second = Asked.later(prompt, .test(error: "Notright"))
        try terminal.wait(for: "Notright")
        try program.answer(terminal, "right")
        #expect(try second.result() == .answer("right"))
    }

    @Test("a new secret has to be typed twice, and the same", arguments: RealPinentry.all)
    func confirmation(_ program: RealPinentry) throws {
        let terminal = try PseudoTerminal()
        let asked = Asked.later(
            PinentryPrompt(program: program.path, .on(terminal)), .test(confirms: true))
        try program.answer(terminal, "first")
        try program.answer(terminal, "second", to: "Repeat")
        // Said by pinentry-tty itself, and by us for pinentry-curses, which does not know how.
        try terminal.wait(for: "entries differ")
        try program.answer(terminal, "third")
        try program.answer(terminal, "third", to: "Repeat")
        #expect(try asked.result() == .answer("third"))
        #expect(terminal.isOrdinary)
    }

    @Test("nobody types anything: the time is over, and the terminal is as before", arguments: RealPinentry.all)
    func timeout(_ program: RealPinentry) throws {
        let terminal = try PseudoTerminal()
        let asked = Asked.later(PinentryPrompt(program: program.path, .on(terminal)), .test(timeout: 1))
        try terminal.wait(for: "Passcode")
        #expect(try asked.result() == .timedOut)
        #expect(terminal.isOrdinary)
    }

    @Test("a question that is taken back takes its dialog along", arguments: RealPinentry.all)
    func takenBack(_ program: RealPinentry) throws {
        let (terminal, folder, cancellation) = (try PseudoTerminal(), try TestFolder(), Cancellation())
        let path = try FakePinentry.real(program.path, in: folder.path)
        let asked = Asked.later(PinentryPrompt(program: path, .on(terminal)), .test(cancellation))
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        let pid = try FakePinentry.pid(in: folder.path)
        cancellation.trip()
        #expect(try asked.result() == .cancelled)
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
        #expect(terminal.isOrdinary)
    }

    @Test("a pinentry that is killed has no answer, and the terminal is as before", arguments: RealPinentry.all)
    func killed(_ program: RealPinentry) throws {
        let (terminal, folder) = (try PseudoTerminal(), try TestFolder())
        let path = try FakePinentry.real(program.path, in: folder.path)
        let asked = Asked.later(PinentryPrompt(program: path, .on(terminal)), .test())
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        kill(try FakePinentry.pid(in: folder.path), SIGKILL)
        #expect(try asked.result() == .failedWith(code: SIGKILL))
        #expect(terminal.isOrdinary)
    }

    @Test("an empty answer is an answer", arguments: RealPinentry.all)
    func empty(_ program: RealPinentry) throws {
        let terminal = try PseudoTerminal()
        let asked = Asked.later(PinentryPrompt(program: program.path, .on(terminal)), .test())
        try program.answer(terminal, "")
        #expect(try asked.result() == .answer(""))
    }

    @Test("a thousand bytes are an answer, one more is refused", arguments: [1000, 1001])
    func size(_ count: Int) throws {
        let terminal = try PseudoTerminal()
        let asked = Asked.later(PinentryPrompt(program: RealPinentry.tty.path, .on(terminal)), .test())
        // Every byte is escaped on its way.
        let secret = String(repeating: "%", count: count)
        try RealPinentry.tty.answer(terminal, secret)
        #expect(try asked.result() == (count == 1000 ? .answer(secret) : .failed))
    }

    @Test("the button Cancel refuses")
    func cancelButton() throws {
        let terminal = try PseudoTerminal()
        let asked = Asked.later(PinentryPrompt(program: RealPinentry.curses.path, .on(terminal)), .test())
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        try terminal.type("typed\t\t\r")
        #expect(try asked.result() == .cancelled)
        #expect(terminal.isOrdinary)
    }

    @Test("a terminal that pinentry-curses does not know is asked on without it")
    func unknownTerminal() throws {
        let terminal = try PseudoTerminal()
        let environment = PromptEnvironment.on(terminal, ["TERM": "nonsense", "PINENTRY": RealPinentry.curses.path])
        let asked = Asked.later(SystemPrompt(environment), .test())
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        try terminal.type("plain\n")
        #expect(try asked.result() == .answer("plain"))
    }
}
