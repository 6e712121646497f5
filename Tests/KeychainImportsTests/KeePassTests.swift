// SPDX-License-Identifier: Apache-2.0

import KeychainImports
import Testing

/// The fixtures are what keepassxc-cli 2.7.4 has exported.
@Suite("Exports of KeePass")
struct KeePassTests {
    static let odd = "bob \"the\" b, jr"
    static let oddSecret = "qu\"o,te;\\\\ <&>é"

    @Test("both exports of KeePassXC give the same items")
    func keepassxc() throws {
        let table = try ImportFile(path: fixture("keepassxc.csv"))
        let tree = try ImportFile(path: fixture("keepassxc.xml"))
        #expect(table.detectedFormat == .keepassCSV)
        #expect(tree.detectedFormat == .keepassXML)
        let fromTable = try table.read(as: .keepassCSV)
        let fromTree = try tree.read(as: .keepassXML)
        // A table does not say which group is the recycle bin.
        #expect(fromTree.items.count == 3 && fromTree.skipped == [.discarded])
        #expect(Set(fromTable.seen).subtracting(fromTree.seen) == [Seen("Deleted one", "gone", "deleted")])
        for report in [fromTable, fromTree] {
            #expect(report.item("")?.secret.string == " lead trail ")
            #expect(report.item("")?.kind == .generic(service: "No user"))
            #expect(report.item(KeePassTests.odd)?.secret.string == KeePassTests.oddSecret)
            #expect(report.item(KeePassTests.odd)?.label == "Odd <&> title")
            #expect(report.item(KeePassTests.odd)?.place?.port == 8080)
            #expect(report.item(KeePassTests.odd)?.attribute("group") == "Passwords/Web/Deep \"er\", x")
            let example = report.item("alice")
            #expect(example?.secret.string == "newer" && example?.comment == "first note")
            #expect(example?.place?.server == "example.org" && example?.place?.path == "/login")
            #expect(example?.attribute("url") == "https://example.org/login?x=1")
        }
    }

    @Test("the table of KeePass 1, with backslashes before quotes")
    func keepass1() throws {
        let text =
            #""Account","Login Name","Password","Web Site","Comments""# + "\r\n"
            + #""a \"b\"","me","c\\d","","e"# + "\n" + #"f""# + "\r\n" + #""x","y","z","",""# + "\"\r\n"
        let report = try read(text, as: .keepassCSV)
        #expect(report.seen == [Seen("a \"b\"", "me", "c\\d"), Seen("x", "y", "z")])
        #expect(report.items.first?.comment == "e\nf")
        #expect(report.items.map { $0.source.line } == [2, 4])
    }

    @Test("one-time codes and other protected texts stay secrets, addresses with a password too")
    func further() throws {
        let table = try read(
            "\"Title\",\"Password\",\"TOTP\",\"URL\"\n\"a\",\"b\",\"otpauth://x\",\"https://u:p@h/\"\n", as: .keepassCSV
        )
        #expect(table.items.first?.furtherSecrets.map(\.name) == ["otp", "url"])
        #expect(table.items.first?.attributes == [])
        let tree = try read(
            entry("<String><Key>Seed</Key><Value ProtectInMemory=\"True\">s&#x41;<![CDATA[<&>]]></Value></String>"),
            as: .keepassXML)
        #expect(tree.items.first?.furtherSecrets.map(\.value.string) == ["sA<&>"])
    }

    @Test("texts that are still encrypted are not taken for passwords")
    func encrypted() throws {
        let report = try read(
            entry("<String><Key>Seed</Key><Value Protected=\"True\">c2VjcmV0</Value></String>"), as: .keepassXML)
        #expect(report.items.isEmpty)
        #expect(report.skipped == [.encrypted])
    }

    @Test("declarations, endless nesting and unknown references are refused")
    func hostile() throws {
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]>"
        #expect(
            try read(bomb + entry("<String><Key>Title</Key><Value>&a;</Value></String>"), as: .keepassXML).items.isEmpty
        )
        #expect(throws: ImportError.tooLarge) {
            try read("<KeePassFile>" + String(repeating: "<Group>", count: 1000), as: .keepassXML)
        }
    }

    private func entry(_ strings: String) -> String {
        "<KeePassFile><Root><Group><Entry><String><Key>Password</Key><Value>p</Value></String>\(strings)</Entry></Group></Root></KeePassFile>"
    }
}
