// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools
internal import Testing

/// The estimate of passwords: what is put together of things that are tried first is weak.
@Suite struct PasswordStrengthTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let password: String
        let grade: PasswordStrength.Grade
        let known: [String]

        init(_ password: String, _ grade: PasswordStrength.Grade, _ known: String...) {
            (self.password, self.grade, self.known) = (password, grade, known)
        }

        var testDescription: String { "\(password) \(known)" }
    }

    static let rows = [
        // Nothing, little, and what everybody takes.
        Row("", .veryWeak), Row("a", .veryWeak), Row("1234", .veryWeak), Row("password", .veryWeak),
        Row("Password1", .veryWeak), Row("p4ssw0rd", .veryWeak), Row("P@$$w0rd!", .veryWeak),
        Row("letmein123", .veryWeak), Row("qwertyuiop", .veryWeak), Row("asdfghjkl", .veryWeak),
        Row("qwertz", .veryWeak), Row("POIUYTREWQ", .veryWeak),
        // Repetitions and sequences, however long.
        Row("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", .veryWeak), Row("abcdefghijklmnop", .veryWeak),
        Row("9876543210", .veryWeak), Row("abcabcabcabcabcabc", .veryWeak), Row("passwordpasswordpassword", .veryWeak),
        Row("121212121212", .veryWeak),
        // Dates, in the orders that people write them in.
        Row("19991231", .veryWeak), Row("31121999", .veryWeak), Row("31.12.1999", .veryWeak),
        Row("1999-12-31", .veryWeak), Row("12/31/99", .veryWeak), Row("Summer2026", .veryWeak),
        Row("Summer2026!", .weak),
        // What stands in the item.
        Row("forumada", .veryWeak, "forum", "ada"), Row("Ada.Lovelace1815", .weak, "ada.lovelace@example.org"),
        Row("adalovelace", .veryWeak, "Ada Lovelace"), Row("Ex4mple2026", .veryWeak, "https://www.example.org/login"),
        Row("xkqjwpmz42", .fair, "x", "kq"), Row("xkqjwpmz42", .veryWeak, "xkqjwp"),
        // Words: one is nothing, two are little, five are enough.
        Row("elephant", .veryWeak), Row("correct horse", .weak), Row("correct horse battery staple", .strong),
        Row("bonus-erode-crane-hotel-lucid", .strong), Row("ElephantGarden", .weak),
        // Random: by length.
        Row("xkqjw", .weak), Row("xkqjwpmz", .fair), Row("rT5.kQ9+mZ2x", .strong), Row("482915", .weak),
        Row("48291537", .weak), Row("482915376048", .fair), Row("48291537604812", .strong),
        Row("mfkuga-xohzi7-Bqelwo", .strong), Row("8f14e45fceea167a5a36dedd4bea2543", .strong),
        Row("日本語のパスワード", .strong), Row("\u{0}\u{1}\u{2}", .veryWeak),
    ]

    @Test("a password has its grade", arguments: rows)
    func grade(row: Row) {
        let strength = estimate(row.password, row.known)
        #expect(strength.grade == row.grade, "\(strength.tries)")
    }

    @Test("a long one is judged by its beginning, in little time")
    func long() {
        #expect(estimate(String(repeating: "a", count: 100_000), []).grade == .veryWeak)
        let random = String((0..<100_000).map { _ in Character(Unicode.Scalar(UInt8.random(in: 33...126))) })
        #expect(estimate(random, []).grade == .strong)
    }

    @Test("what generate makes is strong", arguments: [3, 4])
    func generated(groups: Int) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let text = (0..<groups).map { _ in
                String((0..<6).map { _ in Character(Unicode.Scalar(UInt8.random(in: 97...122, using: &random))) })
            }.joined(separator: "-")
            #expect(estimate(text, ["forum", "ada"]).grade == .strong, "\(text)")
        }
    }

    private func estimate(_ password: String, _ known: [String]) -> PasswordStrength {
        var password = password
        return password.withUTF8 { unsafe PasswordStrength(of: UnsafeRawBufferPointer($0), besides: known) }
    }
}
