// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import KeychainModel
import TestCertificates
import Testing

@Suite("A name is read and normalized")
struct NameTests {
    @Test(
        "in every kind of string",
        arguments: [
            // OpenSSL's masks: UTF8String, BMPString, T61String, PrintableString.
            ("MASK:0x2000", UInt8(0x0C), "Jürgen Ångström"), ("MASK:0x800", 0x1E, "Jürgen Ångström"),
            ("MASK:0x4", 0x14, "Jürgen Ångström"), ("MASK:0x2", 0x13, "Jurgen Angstrom"),
        ])
    func strings(mask: String, tag: UInt8, name: String) throws {
        let workshop = try Workshop()
        try workshop.openssl.write(
            "[req]\ndistinguished_name=d\nprompt=no\nutf8=yes\nstring_mask=\(mask)\n[d]\nCN=\(name)\n", to: "names.cnf")
        try workshop.makeKey("k")
        try workshop.openssl("req", "-x509", "-new", "-key", "k.key", "-config", "names.cnf", "-out", "k.pem")
        let certificate = try workshop.certificate("k")
        #expect(certificate.commonName == name)
        #expect(certificate.subjectSummary == name)
        #expect(certificate.subject.der.contains(tag))
        let pattern = TextPattern(
            "JURGEN", at: .start, matching: TextMatching(ignoring: [.letterCase, .diacritics]))
        #expect(certificate.subjectMatches(pattern))
    }

    @Test("upper case, no space around, one space inside; the kind of string stays")
    func normalization() throws {
        for tag: UInt8 in [0x0C, 0x13, 0x14, 0x16, 0x1A] {
            let name = try Self.name([(3, tag, [UInt8]("  a \t b\u{c}C  ".utf8))])
            let normal = try Self.name([(3, tag, [UInt8]("A B C".utf8))])
            #expect(name.normalizedContent == Array(normal.der.dropFirst(2)))
            #expect(normal.normalizedContent == Array(normal.der.dropFirst(2)))
        }
        let wide = try Self.name([(3, 0x1E, [0, 0x20, 0, 0x61, 0, 0xE9, 0, 0x20, 0, 0x20, 0, 0x62] as [UInt8])])
        #expect(wide.normalizedContent.suffix(8) == [0, 0x41, 0, 0xE9, 0, 0x20, 0, 0x42])
        let spaces = try Self.name([(3, 0x13, [0x20, 0x20])])
        #expect(spaces.normalizedContent.suffix(2) == [0x13, 0])
        let number = try Self.name([(3, 0x04, [0x61])])
        #expect(number.normalizedContent.last == 0x61)
    }

    @Test("a normalized name is read again, and stays what it is")
    func twice() throws {
        let name = try Self.name([(10, 0x0C, [UInt8]("Big  co".utf8)), (3, 0x13, [0x78])])
        let again = try #require(DistinguishedName(content: name.normalizedContent))
        #expect(again.normalizedContent == name.normalizedContent)
        #expect(again.texts(of: .organization) == ["BIG CO"])
    }

    @Test("the summary is the most telling part")
    func summary() throws {
        let workshop = try Workshop()
        let cases = [
            ("/C=DE/O=Org/OU=Unit/CN=Name", "Name"), ("/C=DE/O=Org/OU=Unit", "Unit"), ("/C=DE/O=Org", "Org"),
            ("/OU=First/OU=Second", "Second, First"), ("/CN=Name/description=Text", "Name (Text)"), ("/C=DE", "DE"),
            ("/description=Text", "Text"),
        ]
        for (subject, summary) in cases {
            #expect(try workshop.make("leaf", subject: subject).subjectSummary == summary)
        }
        let mail = try workshop.make("leaf", subject: "/", extensions: "subjectAltName = DNS:a.b, email:c@d")
        #expect(mail.subjectSummary == "c@d")
        let host = try workshop.make("leaf", subject: "/", extensions: "subjectAltName = DNS:a.b")
        #expect(host.subjectSummary == "a.b")
        #expect(try workshop.make("leaf", subject: "/").subjectSummary == nil)
    }

    @Test(
        "a malformed name is none",
        arguments: [
            [], [0x30], [0x31, 0], [0x30, 2, 0x31, 0], [0x30, 1, 0x31], [0x30, 0x81, 0], [0x30, 0, 0],
            [0x30, 4, 0x31, 2, 0x30, 0], [0x30, 7, 0x31, 5, 0x30, 3, 6, 1, 0x2A],
            [0x30, 9, 0x31, 7, 0x30, 5, 6, 1, 0x80, 5, 0], [0x30, 9, 0x31, 7, 0x30, 5, 6, 1, 0x2A, 0x1E, 1, 0x41],
        ] as [[UInt8]])
    func malformed(_ der: [UInt8]) {
        #expect(DistinguishedName(der: der) == nil)
    }

    private static func name(_ attributes: [(type: UInt8, tag: UInt8, text: [UInt8])]) throws -> DistinguishedName {
        let sets = attributes.map { type, tag, text -> [UInt8] in
            let value = [6, 3, 0x55, 4, type, tag, UInt8(text.count)] + text
            return [0x31, UInt8(value.count + 2), 0x30, UInt8(value.count)] + value
        }
        let content = sets.flatMap { $0 }
        return try #require(DistinguishedName(der: [0x30, UInt8(content.count)] + content))
    }
}
