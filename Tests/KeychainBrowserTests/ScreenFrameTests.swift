// SPDX-License-Identifier: Apache-2.0

import KeychainBrowser
import KeychainModel
import Testing

@Suite struct ScreenFrameTests {
    @Test(
        "nothing that acts on a terminal is in a frame",
        arguments: [
            "\u{1B}[2J\u{1B}]0;title\u{7}", "a\nb\rc\td", "\u{9B}31m", "left\u{202E}right", "\u{2066}x\u{2069}",
            "\u{0}\u{7F}",
            "a\u{200D}b\u{FE0F}", "\u{E000}\u{2028}",
        ])
    func harmless(name: String) throws {
        var browser = Sample.browser()
        _ = browser.handle(.items([Sample.item(1, name)], isFirst: true, isLast: true), at: 0)
        let texts = browser.frame().texts
        #expect(!texts.isEmpty)
        for text in texts {
            for scalar in text.text.unicodeScalars {
                #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value))
                #expect(scalar.properties.generalCategory != .format && scalar.properties.generalCategory != .control)
            }
        }
    }

    @Test("a wide name takes the columns it has, and no more", arguments: [39, 40, 41, 80, 132])
    func wide(columns: Int) {
        var browser = Sample.browser(columns: columns)
        let name = String(repeating: "名前", count: 40)
        _ = browser.handle(.items([Sample.item(1, name, user: "Zoë")], isFirst: true, isLast: true), at: 0)
        let frame = browser.frame()
        for text in frame.texts { #expect(text.column + Sample.width(text.text) <= columns) }
        if columns >= 40 { #expect(frame.line(4).hasPrefix("名前")) }
    }

    @Test("on a terminal with ASCII alone, frames are ASCII of the same width")
    func ascii() {
        var browser = Sample.browser(isUnicode: false)
        _ = browser.handle(.items([Sample.item(1, "名é")], isFirst: true, isLast: true), at: 0)
        let frame = browser.frame()
        #expect(frame.texts.allSatisfy { $0.text.utf8.allSatisfy { $0 < 0x80 } })
        #expect(frame.line(4).hasPrefix("??? "))
    }

    @Test(
        "a frame of any size draws nothing outside of it", arguments: [(1, 1), (40, 12), (80, 24), (200, 60), (41, 5)])
    func sizes(columns: Int, rows: Int) {
        var browser = Sample.browser(columns: columns, rows: rows)
        _ = browser.handle(.items((0..<100).map { Sample.item($0, "item \($0)") }, isFirst: true, isLast: true), at: 0)
        var keys: [BrowserKey] = [.enter, .character("?"), .escape, .escape, .character("e"), .character("n")]
        keys += [.character("x"), .escape, .character("x"), .end]
        for key in keys {
            _ = browser.handle(.key(key), at: 0)
            let frame = browser.frame()
            for text in frame.texts {
                #expect(text.row < rows && text.column + Sample.width(text.text) <= columns)
            }
        }
    }
}

@Suite struct SecretLayoutTests {
    @Test("a secret's parts cover its text, line by line")
    func lines() {
        let layout = shown("one\ntwo longer line\n\tthree")
        #expect(layout == ["one", "two lon", "ger lin", "e", "    thr", "ee"])
    }

    @Test("what is no text becomes hexadecimal", arguments: ["\u{1B}[31m", "a\u{202E}b", "\u{7F}", "\u{0}"])
    func hexadecimal(text: String) {
        let lines = shown(text, columns: 80)
        #expect(lines.joined().utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        #expect(lines.joined().utf8.count == 2 * text.utf8.count)
    }

    @Test("a secret is in no text of a frame")
    func apart() {
        var browser = Sample.opened()
        _ = browser.handle(.secret(1, SecretValue(copying: Array("hunter2".utf8))), at: 0)
        let frame = browser.frame()
        #expect(!frame.texts.contains { $0.text.contains("hunter2") })
        #expect(frame.secrets.count == 1)
        #expect(frame.secrets.allSatisfy { $0.width == 7 && $0.bytes == 0..<7 })
    }

    /// The lines as a terminal shows them.
    private func shown(_ text: String, columns: Int = 7) -> [String] {
        var browser = Sample.opened(columns: max(40, columns + 17))
        // The layout itself, by the width that a page gives it.
        _ = browser.handle(.secret(1, SecretValue(copying: [])), at: 0)
        let layout = SecretLayout(SecretValue(copying: Array(text.utf8)), columns: columns)
        return layout.texts
    }
}
