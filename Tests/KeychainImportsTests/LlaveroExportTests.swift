// SPDX-License-Identifier: Apache-2.0

import KeychainImports
import KeychainModel
import Testing

@Suite("exports of llavero")
struct LlaveroExportTests {
    private static func file(_ items: String...) -> String {
        "{\"llavero\":2,\"items\":[\n" + items.joined(separator: ",\n") + "\n]}\n"
    }

    private static func item(_ more: String) -> String {
        "{\"kind\":\"password\",\"group\":\"g\",\"protection\":\"always\"\(more)}"
    }

    @Test("everything that an item says is there")
    func item() throws {
        let text = LlaveroExportTests.file(
            """
            {"name":"n","kind":"internet","url":"https://h","label":"l\\u00e9","user":{"base64":"AP8="},"server":"h",
            "protocol":"htps","port":443,"invisible":true,"synchronizable":true,"group":"team.x","path":"a\\u0000b",
            "created":"2026-11-22T04:42:37.5Z","changed":"2026-11-22T04:42:38Z","protection":"after-first-unlock",
            "rules":{"ops":{"decrypt":{"policy":"DeviceOwnerAuthentication"},"delete":true}},"keychain":"login",
            "id":"id:00","secret-base64":"AAECAw=="}
            """)
        let report = try read(text, as: .llavero)
        #expect(report.findings.isEmpty)
        let item = try #require(report.exported.first)
        #expect(item.itemClass == .internetPassword)
        #expect(item.name == "n")
        #expect(item.group.name == "team.x")
        #expect(item.isSynchronizable)
        #expect(item.created == 817_015_357.5)
        #expect(item.accessControl.protection == .afterFirstUnlock)
        let constraints = item.accessControl.rules?.constraints
        #expect(constraints == [.decrypt: .factor(.presence), .delete: .allowed])
        #expect(item.secret?.array == [0, 1, 2, 3])
        var expected = AttributeList()
        expected[.label] = .string("lé")
        expected[.account] = .data([0, 0xFF])
        expected[.server] = .string("h")
        expected[.protocol] = .string("htps")
        expected[.port] = .number(443)
        expected[.isInvisible] = .number(1)
        expected[.path] = .string("a\0b")
        #expect(item.attributes == expected)
    }

    @Test("no secret is not an empty one")
    func secrets() throws {
        let items = [LlaveroExportTests.item(""), LlaveroExportTests.item(",\"secret\":\"\"")]
        let report = try read(LlaveroExportTests.file(items[0], items[1]), as: .llavero)
        #expect(report.exported.map { $0.secret?.count } == [nil, 0])
    }

    @Test(
        "what is not exactly an item is left out, and the next one is there",
        arguments: [
            ",\"secret\":\"a\",\"secret-base64\":\"YQ==\"", ",\"secret\":\"a\",\"secret\":\"a\"", ",\"unknown\":\"x\"",
            ",\"secret-base64\":\"YQ=\"", ",\"secret-base64\":\"YR==\"", ",\"secret-base64\":\"Y Q=\"",
            ",\"secret\":\"\\ud800\"", ",\"secret\":\"\\x\"", ",\"port\":1", ",\"server\":\"h\"", ",\"user\":true1",
            ",\"user\":1.5", ",\"user\":01", ",\"created\":\"2026-13-01T00:00:00Z\"", ",\"created\":\"yesterday\"",
            ",\"created\":7", ",\"sha1\":{\"base64\":\"\"}", ",\"token\":\"com.apple.setoken\"", ",\"tomb\":true",
            ",\"synchronizable\":2", ",\"rules\":{\"ops\":{\"fly\":true}}", ",\"rules\":{\"prot\":\"ak\"}",
            ",\"rules\":true", ",\"label\":{\"base64\":\"YQ==\",\"x\":1}", ",\"label\":null", ",\"label\":[]",
            ",\"kind\":\"password\"", ",\"secret\":\"a\nb\"",
        ])
    func refused(more: String) throws {
        let text = LlaveroExportTests.file(
            LlaveroExportTests.item(more), LlaveroExportTests.item(",\"user\":\"next\""))
        let report = try read(text, as: .llavero)
        #expect(report.exported.map(\.account) == ["next"])
        #expect(report.skipped.count == 1)
        #expect(!report.skipped.contains(where: { !$0.isLoss }))
    }

    @Test(
        "without kind, group or protection it is none",
        arguments: [
            "{}", "{\"kind\":\"password\",\"group\":\"g\"}", "{\"kind\":\"password\",\"protection\":\"always\"}",
            "{\"group\":\"g\",\"protection\":\"always\"}",
            "{\"kind\":\"passwords\",\"group\":\"g\",\"protection\":\"always\"}",
            "{\"kind\":\"password\",\"group\":\"\",\"protection\":\"always\"}",
            "{\"kind\":\"password\",\"group\":\"g\",\"protection\":\"ak\"}",
        ])
    func incomplete(item: String) throws {
        let report = try read(LlaveroExportTests.file(item), as: .llavero)
        #expect(report.exported.isEmpty)
        #expect(report.skipped == [.notUnderstood])
    }

    @Test(
        "what a keychain keeps of its circle, or of tokens, does not come from a file",
        arguments: [("llavero.sync", SkipReason.ofCircle), ("com.apple.token", .notUnderstood)])
    func reservedGroup(group: String, reason: SkipReason) throws {
        let item = "{\"kind\":\"password\",\"group\":\"\(group)\",\"protection\":\"always\",\"secret\":\"x\"}"
        let report = try read(LlaveroExportTests.file(item, LlaveroExportTests.item("")), as: .llavero)
        #expect(report.exported.map(\.group.name) == ["g"])
        #expect(report.skipped == [reason])
    }

    @Test("a file that breaks off has what was before")
    func cut() throws {
        let text = LlaveroExportTests.file(LlaveroExportTests.item(",\"user\":\"a\""), LlaveroExportTests.item(""))
        let report = try read(String(text.dropLast(10)), as: .llavero)
        #expect(report.exported.map(\.account) == ["a"])
        #expect(report.skipped == [.brokenOff])
        let empty = try read("{\"llavero\":2,\"items\":[]}", as: .llavero)
        #expect(empty.exported.isEmpty && empty.findings.isEmpty)
    }

    @Test("it is known by itself, and another version is refused")
    func detection() throws {
        let text = LlaveroExportTests.file()
        #expect(ImportFile(name: "x", content: ImportedBytes(Array(text.utf8))).detectedFormat == .llavero)
        let pretty = " { \"llavero\" : 2 ,\n \"items\" : [\n\t" + LlaveroExportTests.item("") + " ] }"
        #expect(try read(pretty, as: .llavero).exported.count == 1)
        #expect(throws: ImportError.unknownVersion) { try read("{\"llavero\":3,\"items\":[]}", as: .llavero) }
        #expect(throws: ImportError.notThisFormat) { try read("{\"other\":2,\"items\":[]}", as: .llavero) }
        #expect(throws: ImportError.damaged) { try read("{\"llavero\":2,\"things\":[]}", as: .llavero) }
    }

    @Test("a date has all its digits", arguments: [0, 817_015_357.5, 777_000_000.123_456_7, -1e9, 0.1])
    func dates(date: Double) throws {
        let text = try #require(ExportDate.text(date))
        #expect(ExportDate.date(text) == date)
        #expect(ExportDate.date(text + " ") == nil)
        #expect(ExportDate.date(text.replacing("T", with: "-")) == nil)
    }

    @Test("every attribute and every class of protection has a name of its own")
    func names() {
        for attribute in Attribute.allCases {
            #expect(ExportNames.attribute(named: ExportNames.name(of: attribute)) == attribute)
        }
        for protection in Accessibility.allCases {
            #expect(ExportNames.protection(named: ExportNames.name(of: protection)) == protection)
        }
        let members = ["name", "kind", "url", "keychain", "id", "protection", "rules", "secret", "secret-base64"]
        #expect(members.allSatisfy { ExportNames.attribute(named: $0) == nil })
    }
}
