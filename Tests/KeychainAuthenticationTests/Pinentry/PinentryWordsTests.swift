// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthentication
import TestProcesses
import TestPrompts
import Testing

/// What a pinentry is told, and what it gets from us besides.
@Suite struct PinentryWordsTests {
    private func heard(_ question: SecretQuestion, _ environment: PromptEnvironment = .desktop()) throws -> [String] {
        let folder = try TestFolder()
        let path = try FakePinentry.asking("echo OK", in: folder.path)
        #expect(Asked(PinentryPrompt(program: path, environment), question) == .answer(""))
        return FakePinentry.heard(in: folder.path)
    }

    @Test("the words of the question arrive, escaped")
    func words() throws {
        var question = SecretQuestion.test(description: "50 %\nof \"it\"", error: "Wrong", timeout: 7)
        question.okTitle = "Open_it"
        question.cancelTitle = "Not now"
        let heard = try heard(question)
        for line in [
            "SETTITLE Llavero", "SETDESC 50 %25%0Aof \"it\"", "SETPROMPT Passcode:", "SETERROR Wrong",
            "SETOK Open__it", "SETCANCEL Not now", "SETTIMEOUT 7", "OPTION display=:99",
        ] { #expect(heard.contains(line), "\(line) in \(heard)") }
        #expect(heard.suffix(2).map { $0.trimmingCharacters(in: .whitespaces) } == ["GETPIN", "BYE"])
        #expect(!heard.contains { $0.hasPrefix("SETREPEAT") || $0.hasPrefix("OPTION tty") })
    }

    @Test("what would move the cursor or turn the writing round is not passed on")
    func control() throws {
        let heard = try heard(.test(description: "a\u{1B}[2Jb\rc\u{202E}d\u{9B}e\tf\u{2028}g", prompt: "x\ny"))
        #expect(heard.contains("SETDESC a?[2Jb?c?d?e f%0Ag"))
        #expect(heard.contains("SETPROMPT x y"))
    }

    @Test("however long the words are, a line is no longer than a thousand bytes")
    func long() throws {
        let flag = "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}"
        for text in ["%", "ä", flag, "\n", "e" + String(repeating: "\u{301}", count: 5000)] {
            let heard = try heard(.test(description: String(repeating: text, count: 5000)))
            let line = try #require(heard.first { $0.hasPrefix("SETDESC") })
            #expect(line.utf8.count <= 1000)
            // Cut between characters: a half one would be replaced in reading.
            #expect(!line.unicodeScalars.contains("\u{FFFD}"))
        }
    }

    @Test("the environment is not passed on but for what a dialog needs, and no file is")
    func surroundings() throws {
        let folder = try TestFolder()
        let script = """
            env >'\(folder.path)/env'; for f in /proc/$$/fd/*; do readlink $f; done >'\(folder.path)/files'; echo OK
            """
        let path = try FakePinentry.asking(script, in: folder.path)
        let environment = PromptEnvironment.desktop([
            "LD_PRELOAD": "/nowhere.so", "TOKEN": "secret", "LANG": "C.UTF-8", "XAUTHORITY": "/x",
            "WAYLAND_DISPLAY": "wayland-9", "PATH": "/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/y",
        ])
        // Open in every child that does not close it.
        let leaky = open(folder.file("leaky"), O_RDWR | O_CREAT, 0o600)
        defer { close(leaky) }
        #expect(Asked(PinentryPrompt(program: path, environment), .test()) == .answer(""))
        let names = folder.text("env").split(separator: "\n").compactMap { $0.split(separator: "=").first }
        for name in ["LANG", "XAUTHORITY", "WAYLAND_DISPLAY", "PATH", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY"] {
            #expect(names.contains(Substring(name)))
        }
        #expect(!names.contains("LD_PRELOAD") && !names.contains("TOKEN"))
        let files = folder.text("files")
        #expect(files.contains("socket:") && !files.contains("leaky"), "\(files)")
    }

    @Test("a terminal in whose foreground we are is named, another is not")
    func terminal() throws {
        let terminal = try PseudoTerminal()
        #expect(try heard(.test(), .on(terminal)).contains("OPTION ttyname=\(terminal.path)"))
        #expect(try heard(.test(), .on(terminal)).contains("OPTION ttytype=xterm"))
    }
}
