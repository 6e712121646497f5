// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools
internal import TestSeed
internal import Testing

/// References, templates and files of variables, by all that somebody may write into them.
@Suite struct ReferenceTests {
    @Test("a reference that is written out is read as what it was, byte by byte, with and without braces")
    func roundTrip() throws {
        var random = Seed(for: "ReferenceTests.roundTrip")
        for _ in 0..<2000 {
            let words = (0..<3).map { _ in ReferenceTests.word(&random) }
            let keychain = Bool.random(using: &random) ? words[0] : nil
            let field = Bool.random(using: &random) ? ItemField.password : ItemField(words[2])
            let text = SecretReference(keychain: keychain, item: words[1], field: field).text
            let read = try #require(try SecretReference(text))
            #expect(read.keychain.map { Array($0.utf8) } == keychain.map { Array($0.utf8) }, "\(text)")
            #expect(read.item.utf8.elementsEqual(words[1].utf8), "\(text)")
            #expect(read.field.name.utf8.elementsEqual(field.name.utf8), "\(text)")
            for template in ["<\(text)>", "{{ \(text) }}", "{{\(text)}}{{"] {
                let found = try ReferenceTemplate(SecretValue(copying: Array(template.utf8))).references
                #expect(found.map(\.reference.text) == [text], "\(template)")
            }
        }
    }

    @Test("names that are shown alike and differ in their bytes are different references")
    func bytes() {
        let texts = ["e\u{301}", "\u{e9}"].map { SecretReference(keychain: nil, item: $0, field: .password).text }
        #expect(texts == ["llavero://e%CC%81", "llavero://%C3%A9"])
    }

    @Test("whatever a template has beside its references comes out as it was")
    func kept() throws {
        var random = Seed(for: "ReferenceTests.kept")
        let parts = [
            "{{", "}}", " ", "llavero:/", "llavero://a", "{{ llavero://b/user }}", "\\", "x", "\n", "\0", "{", "\u{e9}",
        ]
        for _ in 0..<5000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                bytes += Array(random.pick(parts).utf8)
                if random.oneIn(4) { bytes.append(UInt8.random(in: 0...255, using: &random)) }
            }
            guard let template = try? ReferenceTemplate(SecretValue(copying: bytes)) else { continue }
            var (rest, copied) = (0, 0)
            for case .bytes(let range) in template.pieces {
                #expect(range.lowerBound >= rest)
                (rest, copied) = (range.upperBound, copied + range.count)
            }
            #expect(rest <= bytes.count)
            if template.references.isEmpty { #expect(copied == bytes.count) }
            for (_, line) in template.references {
                #expect(line >= 1 && line <= 1 + bytes.count { $0 == UInt8(ascii: "\n") })
            }
        }
    }

    @Test("a value that is written in quotes is read as what it was; no text of any bytes does harm")
    func variables() throws {
        var random = Seed(for: "ReferenceTests.variables")
        for _ in 0..<2000 {
            let value = ReferenceTests.word(&random)
            var quoted = ""
            for scalar in value.unicodeScalars {
                if ["\\", "\"", "$"].contains(scalar) { quoted += "\\" }
                quoted.unicodeScalars.append(scalar)
            }
            let entries = try EnvironmentFile(SecretValue(copying: Array("\nA=\"\(quoted)\" # b\nB=1".utf8))).entries
            #expect(entries.map(\.name) == ["A", "B"])
            #expect(entries.map(\.line).first == 2)
            let isSame = entries.first.map { entry in
                unsafe entry.value.withUnsafeBytes { unsafe $0.elementsEqual(value.utf8) }
            }
            #expect(isSame == true, "\(quoted)")
        }
        let alphabet = Array("AB=\"'\\#$ \n\r\tn".utf8) + [0, 0xEF, 0xBB, 0xBF, 0xFF]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<24, using: &random)).map { _ in random.pick(alphabet) }
            _ = try? EnvironmentFile(SecretValue(copying: bytes))
        }
    }

    /// Text without control characters that is not empty.
    private static func word(_ random: inout Seed) -> String {
        let letters = Array("ab zZ09-._~%/?#{}[]\"'\\$@:+=&éü中😀e\u{301}")
        return String((0..<Int.random(in: 1..<8, using: &random)).map { _ in random.pick(letters) })
    }
}
