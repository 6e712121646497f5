// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainTools
internal import Testing

/// How many columns of a terminal a text takes, which the C library knows.
@Suite struct TextWidthTests {
    @Test(
        "a text takes the columns that a terminal shows it in",
        arguments: [
            ("", 0), ("plain", 5), ("Grüße", 5), ("中文", 4), ("日本語のメモ", 12), ("한글", 4), ("ｶﾅ", 2), ("ＡＢ", 4),
            // A letter and its mark, together or one after the other; marks alone; a syllable of three letters.
            ("e\u{301}", 1), ("\u{e9}", 1), ("\u{301}\u{308}", 0), ("\u{1112}\u{1161}\u{11ab}", 2),
            // Signs that join others, or say how they look, take no column of their own.
            ("a\u{200d}b", 2), ("\u{feff}", 0), ("☎\u{fe0e}", 1),
            ("😀", 2), ("🧠", 2), ("🛴", 2), ("𠀀", 2),
        ])
    func width(text: String, columns: Int) { #expect(TextWidth.of(text) == columns) }

    @Test(
        "a control character, and one that the C library does not know, count one column",
        arguments: ["\u{7}", "\u{1b}", "\u{7f}", "\u{85}", "\u{378}", "\u{10ffff}"])
    func unknown(character: String) { #expect(TextWidth.of(character + "é") == 2) }

    @Test("a text is cut where the next character would take too many columns")
    func cut() {
        #expect(TextWidth.cut("日本語", to: 6) == "日本語")
        #expect(TextWidth.cut("日本語", to: 5) == "日本…")
        #expect(TextWidth.cut("日本語", to: 4) == "日…")
        #expect(TextWidth.cut("日本語", to: 1) == "…")
        #expect(TextWidth.cut("日本語", to: 0) == "")
        #expect(TextWidth.cut("cafe\u{301}s", to: 5) == "cafe\u{301}s")
        #expect(TextWidth.cut("cafe\u{301}s au lait", to: 5) == "cafe\u{301}…")
        #expect(TextWidth.padded("日本", to: 6) == "日本  ")
    }

    @Test("the widths are the same in a thread that has the locale C, and it keeps that", arguments: ["C", "POSIX"])
    func locale(name: String) throws {
        let plain = try #require(unsafe newlocale(LC_CTYPE_MASK, name, nil))
        defer { unsafe freelocale(plain) }
        let before = unsafe uselocale(plain)
        defer { unsafe uselocale(before) }
        #expect(TextWidth.of("日本e\u{301}") == 5)
        #expect(unsafe uselocale(nil) == plain)
    }
}
