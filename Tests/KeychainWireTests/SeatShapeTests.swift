// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainModel
import KeychainRequest
import KeychainWire
import TestSeed
import Testing

/// What a program may say of its display, terminal and language.
@Suite struct SeatShapeTests {
    @Test(
        "what people's sessions have is taken",
        arguments: [
            ("DISPLAY", ":0"), ("DISPLAY", ":10.0"), ("DISPLAY", "localhost:10.0"), ("DISPLAY", "unix:0"),
            ("DISPLAY", "build-1.example.org:0.1"), ("WAYLAND_DISPLAY", "wayland-0"),
            ("XAUTHORITY", "/home/me/.Xauthority"), ("XAUTHORITY", "/run/user/1000/.mutter-Xwaylandauth.AB12CD"),
            ("XDG_SESSION_TYPE", "wayland"), ("XDG_CURRENT_DESKTOP", "ubuntu:GNOME"),
            ("XDG_CURRENT_DESKTOP", "X-Cinnamon"),
            ("TERM", "xterm-256color"), ("TERM", "screen.xterm-256color"), ("TERM", "rxvt+pcfkeys"), ("NO_COLOR", "1"),
            ("LANG", "de_DE.UTF-8"), ("LC_ALL", "ca_ES.UTF-8@valencia"), ("LC_CTYPE", "C.UTF-8"),
            ("LC_MESSAGES", "POSIX"), ("LANGUAGE", "de_CH:de:en"),
        ])
    func taken(name: String, value: String) {
        #expect(ClientTerminal([ClientTerminal.Variable(name: name, value: value)]) != nil)
    }

    @Test(
        "what could lead a library to a file, or is no such value, is refused",
        arguments: [
            ("LANGUAGE", "../../../dev/shm/x"), ("LANGUAGE", "de:/dev/shm/x"), ("LANG", "/dev/shm/x"), ("LANG", ".."),
            ("LC_ALL", "../x"), ("LC_CTYPE", "x/y"), ("LC_MESSAGES", "a..b"), ("LANG", ""), ("LANG", "de\n"),
            ("WAYLAND_DISPLAY", "/tmp/socket"), ("WAYLAND_DISPLAY", "../socket"), ("WAYLAND_DISPLAY", "a b"),
            ("DISPLAY", "/tmp/socket"), ("DISPLAY", "unix/:0"), ("DISPLAY", "tcp/host:0"), ("DISPLAY", "/tmp/x:0"),
            ("DISPLAY", "host"), ("DISPLAY", ":"), ("DISPLAY", ":0."), ("DISPLAY", ":0.0.0"), ("DISPLAY", "host::0"),
            ("DISPLAY", ":123456"), ("DISPLAY", "../x:0"), ("DISPLAY", ":0\u{7}"), ("DISPLAY", ":+0"),
            ("XAUTHORITY", "x"), ("XAUTHORITY", "/home/../etc/x"), ("XAUTHORITY", "/home/\u{1B}"),
            ("XDG_CURRENT_DESKTOP", "../../dev/shm/x"), ("XDG_CURRENT_DESKTOP", "KDE;x"),
            ("XDG_CURRENT_DESKTOP", "a.b"),
            ("XDG_SESSION_TYPE", "x/11"), ("TERM", "../x"), ("TERM", "/dev/shm/x"), ("NO_COLOR", "\u{1B}"),
            ("LD_PRELOAD", "x"), ("GTK_MODULES", "x"), ("PINENTRY", "x"), ("LANG", String(repeating: "a", count: 4097)),
        ])
    func refused(name: String, value: String) throws {
        #expect(ClientTerminal([ClientTerminal.Variable(name: name, value: value)]) == nil)
        // Nor does it come over the wire, where no initialiser of the program's stands before it.
        let terminal = try #require(ClientTerminal([ClientTerminal.Variable(name: "LANG", value: "C")]))
        let honest = try WireBytes(WireMessage(number: 1, .call(.sit(terminal))))
        #expect(try honest.refusal(setting: [3, 1, 0], .array([.string(name), .string("1")])) != .wrongParts)
        let refusal = try honest.refusal(setting: [3, 1, 0], .array([.string(name), .string(value)]))
        #expect(refusal == (value.utf8.count > ClientTerminal.longestValue ? .outOfRange : .contradiction))
    }

    @Test("an answer and a question are no longer than anybody types or reads")
    func lengths() throws {
        let secret = SecretValue(copying: [UInt8](repeating: 1, count: 1000))
        let longest = try WireBytes(WireMessage(number: 1, .call(.answer(.secret(secret)))))
        #expect(WireBytes.refusal(of: try longest.bytes()) == nil)
        let larger = SecretValue(copying: [UInt8](repeating: 1, count: 1001))
        #expect(throws: WireError.tooLarge) { try WireMessage(number: 1, .call(.answer(.secret(larger)))).bytes() }
        var longer = longest
        longer.secrets.append(1)
        #expect(try longer.refusal(setting: [3, 1, 1, 1], .number(1001)) == .outOfRange)
        let question = PersonQuestion(
            title: String(repeating: "a", count: 8193), description: "", prompt: "", error: nil, confirms: false,
            okTitle: nil, cancelTitle: nil, timeout: 1)
        #expect(throws: WireError.tooLarge) { try WireMessage(number: 1, .reply(.question(question))).bytes() }
    }
}
