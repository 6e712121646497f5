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
        #expect(fromTable.items.count == 3 && fromTable.skipped == [.discarded])
        #expect(fromTree.items.count == 3 && fromTree.skipped == [.discarded])
        #expect(fromTree.findings.contains { $0.label == "Example" && $0.matter == .left(.earlierVersions, count: 1) })
        var options = ImportOptions()
        options.withRecycleBin = true
        let bins = [try table.read(as: .keepassCSV, options), try tree.read(as: .keepassXML, options)]
        for report in bins { #expect(report.item("gone")?.secret.string == "deleted" && report.skipped.isEmpty) }
        for report in [fromTable, fromTree] {
            #expect(report.item("")?.secret.string == " lead trail ")
            #expect(report.item("")?.kind == .generic(service: "No user"))
            #expect(report.item(KeePassTests.odd)?.secret.string == KeePassTests.oddSecret)
            #expect(report.item(KeePassTests.odd)?.label == "Odd <&> title")
            #expect(report.item(KeePassTests.odd)?.place?.port == 8080)
            #expect(report.item(KeePassTests.odd)?.tags == ["Passwords/Web/Deep \"er\", x"])
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

    @Test("of several columns of one name each is kept")
    func doubledColumns() throws {
        let report = try read(
            "Title,Title,Username,Login Name,Password,Password,OTPAuth,Website\na,b,c,d,e,f,otpauth://x,https://h/\n",
            as: .keepassCSV)
        let item = try #require(report.items.first)
        #expect(item.label == "a" && item.account == "c" && item.secret.string == "e")
        #expect(item.attribute("Title") == "b" && item.attribute("Login Name") == "d")
        #expect(item.furtherSecrets.map(\.value.string) == ["f", "otpauth://x"])
        #expect(item.furtherSecrets.map(\.part) == [.field, .oneTimeCode])
        #expect(item.place?.server == "h")
    }

    @Test("of many damaged rows each is counted")
    func damagedRows() throws {
        let damaged = (0..<100).map { "\"R\",\"t\($0)\" x,\"u\",\"p\"\n" }.joined()
        let report = try read(
            "\"Group\",\"Title\",\"Username\",\"Password\"\n" + damaged + "\"R\",\"good\",\"u\",\"p\"\n",
            as: .keepassCSV)
        #expect(report.seen == [Seen("good", "u", "p")])
        #expect(report.skipped.count == 100)
    }

    @Test("rows of a table without quotes count too, and the lines of one damaged row are one")
    func damagedLines() throws {
        let damaged = String(repeating: "a,b\n", count: 100)
        let plain = try read("Title,Username,Password\n\(damaged)good,u,p\n", as: .keepassCSV)
        #expect(plain.seen == [Seen("good", "u", "p")])
        #expect(plain.skipped.count == 100)
        let several = try read(
            "\"Title\",\"Password\",\"Notes\"\n\"a\",\"b\"x,\"one\ntwo\n\"\n\"good\",\"p\",\"n\"\n",
            as: .keepassCSV)
        #expect(several.seen == [Seen("good", "", "p")])
        #expect(several.findings.map { "\($0.location)" } == ["test, lines 2 to 4"])
    }

    @Test("a further URL with a password in it is a secret too, in a table and in a tree")
    func furtherURLs() throws {
        let table = try read(
            "Title,Password,URL,Website,Website\na,p,https://h/,https://u:q@i/,https://j/\n", as: .keepassCSV)
        let tree = try read(
            export(
                field("Title", "a") + field("Password", "p") + field("URL", "https://h/")
                    + field("URL", "https://u:q@i/")), as: .keepassXML)
        for report in [table, tree] {
            #expect(report.items.first?.place?.server == "h")
            #expect(report.items.first?.furtherSecrets.map(\.value.string) == ["https://u:q@i/"])
        }
        #expect(table.items.first?.attribute("Website") == "https://j/")
    }

    @Test(
        "a one-time code is one under each name of such a column", arguments: ["TOTP", "OTPAuth", "otp", "OTP"])
    func oneTimeColumns(name: String) throws {
        let report = try read("Title,Password,\(name)\na,p,otpauth://x\n", as: .keepassCSV)
        #expect(report.items.first?.furtherSecrets.map(\.part) == [.oneTimeCode])
        #expect(report.items.first?.attributes == [])
    }

    @Test("a text with a NUL, and one that is no UTF-8, are told apart")
    func noTexts() throws {
        let head = "Title,Password,Notes\n"
        #expect(try read(head + "a,p,x\0y\n", as: .keepassCSV).skipped == [.holdsNUL])
        var bytes = Array("\(head)a,p,".utf8)
        bytes.append(0xFF)
        #expect(try read(bytes, as: .keepassCSV).skipped == [.notText])
        #expect(try read(head + "a,p\0,x\n", as: .keepassCSV).items.first?.secret.array == [0x70, 0])
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

    /// An export of entries that are each a list of elements, in one group.
    private func export(_ entries: String..., pool: String = "") -> String {
        "<KeePassFile><Meta><Binaries>\(pool)</Binaries></Meta><Root><Group><Name>G</Name>"
            + entries.map { "<Entry>\($0)</Entry>" }.joined() + "</Group></Root></KeePassFile>"
    }

    private func field(_ key: String, _ value: String) -> String {
        "<String><Key>\(key)</Key><Value>\(value)</Value></String>"
    }

    private let identifier = "<UUID>EBESExQVFhcYGRobHB0eHw==</UUID>"

    @Test(
        "a reference is what it leads to",
        arguments: [
            ("{REF:P@I:101112131415161718191A1B1C1D1E1F}", "secret"), ("{ref:p@t:MAIL}", "secret"),
            ("{REF:P@U:ad}", "secret"),
            ("a{REF:U@P:secret}b", "aadab"), ("{REF:N@U:ada}", "x other"),
            ("{REF:A@O:blue}-{REF:T@A:example}", "https://example.org/-mail"),
            ("{REF:I@N:REF}", "101112131415161718191A1B1C1D1E1F"), ("{REF", "{REF"),
        ])
    func references(written: String, meant: String) throws {
        let target =
            identifier + field("Title", "mail") + field("UserName", "ada") + field("Password", "secret")
            + field("Notes", "x {REF:P@T:mail3}") + field("URL", "https://example.org/") + field("Colour", "blue")
        let third = field("Title", "mail3") + field("Password", "other") + field("UserName", "c")
        let report = try read(
            export(target, field("Title", "b") + field("Password", written) + field("UserName", "bob"), third),
            as: .keepassXML)
        #expect(report.skipped.isEmpty)
        #expect(report.item("bob")?.secret.string == meant)
        #expect(report.item("ada")?.comment == "x other")
    }

    @Test(
        "a password that refers to nothing, to itself or to different things is left out, never kept as it is written",
        arguments: [
            "{REF:P@I:00}", "{REF:P@T:none}", "{REF:P@U:bob}", "{REF:P@T:twin}", "{REF:X@T:twin}", "{REF:P@T:",
            "{REF:}",
            "{REF:P@T:circle}",
        ])
    func brokenReferences(written: String) throws {
        let report = try read(
            export(
                field("Title", "b") + field("UserName", "bob") + field("Password", written) + field("PIN", "1"),
                field("Title", "twin") + field("Password", "1"), field("Title", "twin") + field("Password", "2"),
                field("Title", "circle") + field("Password", "{REF:P@T:b}")),
            as: .keepassXML)
        #expect(report.item("bob") == nil)
        #expect(report.skipped.contains(.reference))
        #expect(report.items.allSatisfy { !$0.secret.string.contains("REF") })
        let user = try read(
            export(field("UserName", written) + field("Password", "p") + field("Title", "t")), as: .keepassXML)
        #expect(user.items.first?.account == written && user.items.first?.repairs == [.referenceKept])
    }

    @Test("references to thousands of entries of one identifier lead nowhere, and cost nothing") func manyOfOne() throws
    {
        let references = String(repeating: "{REF:U@I:101112131415161718191A1B1C1D1E1F}", count: 100)
        let entry = identifier + field("Title", "t") + field("Password", "p") + field("Notes", references)
        let report = try read(
            export(String(repeating: entry + "</Entry><Entry>", count: 2999) + entry), as: .keepassXML)
        #expect(report.items.count == 3000)
        #expect(report.items.allSatisfy { $0.repairs == [.referenceKept] && $0.comment == references })
    }

    @Test("an attachment that thousands refer to is decoded once") func sharedAttachment() throws {
        let damaged = "<Binary ID=\"7\">" + String(repeating: "YWJj", count: 1 << 18) + "!</Binary>"
        let good = "<Binary ID=\"8\">" + String(repeating: "YWJj", count: 1 << 10) + "</Binary>"
        let both = "<Binary><Key>a</Key><Value Ref='7'/></Binary><Binary><Key>b</Key><Value Ref='8'/></Binary>"
        let entry = field("Title", "t") + field("Password", "p") + String(repeating: both, count: 5000)
        let report = try read(export(entry, pool: damaged + good), as: .keepassXML)
        #expect(report.items.first?.furtherSecrets.count == 5000)
        #expect(report.skipped.count { $0 == .damaged } == 5000)
    }

    @Test(
        "attachments are what they were, compressed or not",
        arguments: [
            ("YWJj", false, "abc"), ("Y W\nJj", false, "abc"),
            ("H4sIAAAAAAACA0tMSk6EIQA0Km5aDAAAAA==", true, "abcabcabcabc"),
            (KeePassTests.compressed, true, KeePassTests.lines),
        ])
    func attachments(written: String, isCompressed: Bool, meant: String) throws {
        let pool = "<Binary ID=\"7\" Compressed=\"\(isCompressed ? "True" : "False")\">\(written)</Binary>"
        let item = try read(
            export(
                field("Title", "t") + "<Binary><Key>a.txt</Key><Value Ref='7'/></Binary>"
                    + "<Binary><Key>b.txt</Key><Value>eHl6</Value></Binary>", pool: pool), as: .keepassXML
        ).items.first
        #expect(item?.furtherSecrets.map(\.value.string) == [meant, "xyz"])
        #expect(item?.furtherSecrets.map(\.name) == ["a.txt", "b.txt"])
        #expect(item?.furtherSecrets.map(\.part) == [.attachment, .attachment])
    }

    @Test(
        "an attachment that is missing, encrypted, damaged or endless is named, and its entry kept",
        arguments: [
            "", "<Binary ID=\"7\">Y</Binary>", "<Binary ID=\"7\" Protected=\"True\">YWJj</Binary>",
            "<Binary ID=\"7\" Compressed=\"True\">YWJj</Binary>",
            "<Binary ID=\"7\" Compressed=\"True\">H4sIAAAAAAACA0tMSk6EIQA0Km5bDAAAAA==</Binary>",
            "<Binary ID=\"7\" Compressed=\"True\">H4sIAAAAAAACA0tMSk6EIQA0Km5aDAAAfw==</Binary>",
        ])
    func lostAttachments(pool: String) throws {
        let report = try read(
            export(field("Title", "t") + "<Binary><Key>a</Key><Value Ref=\"7\"/></Binary>", pool: pool), as: .keepassXML
        )
        #expect(report.items.first?.furtherSecrets.isEmpty == true)
        #expect(report.findings.map(\.label) == ["t (a)"])
        #expect(report.countLeftOut == 1)
    }

    @Test("tags, moments of expiry, fields and the notes of groups are kept or named")
    func details() throws {
        let text = export(
            "<Tags>a;b</Tags><CustomIconUUID>AA==</CustomIconUUID><Times><Expires>True</Expires><ExpiryTime>4juU4g4AAAA=</ExpiryTime></Times>"
                + "<AutoType><DefaultSequence>{USERNAME}</DefaultSequence></AutoType>" + field("Title", "t")
                + field("Hint", "h")
        ).replacing("<Name>G</Name>", with: "<Name>G</Name><Notes>n</Notes>")
        let report = try read(text, as: .keepassXML)
        let item = try #require(report.items.first)
        #expect(item.attributes.map(\.name) == ["Hint"])
        #expect(item.tags == ["G", "a", "b"] && item.expiry == "2026-11-22T01:26:58Z")
        let left = report.findings.compactMap { if case .left(let part, _) = $0.matter { part } else { nil } }
        #expect(Set(left) == [.groupNotes, .appearance, .autoType])
    }

    @Test(
        "an entry whose text has elements in it, or whose field has two values, is damaged, and not kept without them",
        arguments: [
            "<String><Key>Password</Key><Value>p<b>w</b></Value></String>",
            "<String><Key>Password</Key><Value><b>w</b>p</Value></String>",
            "<String><Key>Password</Key><Value>p<b/>w</Value></String>",
            "<String><Key>Password</Key><Value>p</Value><Value>q</Value></String>",
            "<String><Key>Password</Key><Key>PIN</Key><Value>p</Value></String>", "<Tags>a<b>c</b></Tags>",
        ])
    func mixedTexts(written: String) throws {
        let report = try read(
            export(field("Title", "bad") + written, field("Title", "good") + field("Password", "p")), as: .keepassXML)
        #expect(report.seen == [Seen("good", "", "p")])
        #expect(report.skipped == [.damaged] && report.findings.first?.label == "bad")
    }

    @Test("a comment, or a text that is verbatim, is no element in a text")
    func splitText() throws {
        let report = try read(export(field("Password", "p<!-- x --><![CDATA[<b>]]>w")), as: .keepassXML)
        #expect(report.items.first?.secret.string == "p<b>w" && report.findings.isEmpty)
    }

    @Test("a second password of an entry is a further secret, a second name a further field")
    func doubledFields() throws {
        let report = try read(
            export(
                field("Title", "a") + field("Title", "b") + field("Password", "p") + field("Password", "q"),
                field("Title", "c") + field("Password", "") + field("Password", "r")), as: .keepassXML)
        #expect(report.seen == [Seen("a", "", "p"), Seen("c", "", "r")])
        #expect(report.items.first?.attribute("Title") == "b")
        #expect(report.items.first?.furtherSecrets.map(\.name) == ["Password"])
        #expect(report.items.first?.furtherSecrets.map(\.value.string) == ["q"])
        #expect(report.items.last?.furtherSecrets.isEmpty == true && report.findings.isEmpty)
    }

    @Test("groups may lie deep in one another")
    func deepGroups() throws {
        let entry = "<Entry>" + field("Title", "t") + field("Password", "p") + "</Entry>"
        let begins = String(repeating: "<Group>", count: 500)
        let ends = String(repeating: "</Group>", count: 500)
        let report = try read("<KeePassFile><Root>\(begins)\(entry)\(ends)</Root></KeePassFile>", as: .keepassXML)
        #expect(report.seen == [Seen("t", "", "p")])
        #expect(report.findings.isEmpty)
    }

    @Test("a file that breaks off between entries says so")
    func brokenOff() throws {
        let report = try read("<KeePassFile><Root><Group><Entry>" + field("Title", "t") + "</Entry>", as: .keepassXML)
        #expect(report.items.count == 1 && report.skipped == [.brokenOff])
    }

    @Test("declarations, endless nesting and unknown references are refused")
    func hostile() throws {
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]>"
        #expect(
            try read(bomb + entry("<String><Key>Title</Key><Value>&a;</Value></String>"), as: .keepassXML).items.isEmpty
        )
        #expect(throws: ImportError.tooDeep) {
            try read("<KeePassFile>" + String(repeating: "<Group>", count: 1000), as: .keepassXML)
        }
    }

    /// What gzip makes of `lines`, with a code of its own.
    static let compressed =
        "H4sIAAAAAAACA23TSQ7CMAwF0D2n6AFYJB4yHIcFSEgM29LTA4qhSfy7/JLj3zzldn2cl7A8L8v99Hgdl8PtG8Q9eL"
        + "WE9mTbWsR7tK5ry6Qb/Hwt1H52+42nYfx/Qp67lG66JbWftMJhWGxhHBdbStNii3ms/j9E3OV0//MbTv2wZXnYbmEZ"
        + "l1tap91252G6ODuE4lyJyIOxFyMBZKTIjBJEo4zVqLhK1blx8HAcARwTgmOGcCwYjnWuxMnBcfZwXAAcVwQnAcJJxH"
        + "BCcyVhByfi4UTRW0sITjKEk4LhpM6VNDg4jR5OCcApIzgVCKeK4TS5StnBafFwWke4N5pA0hvcBAAA"
    static let lines = (0..<60).map { number in
        "line \(number) of many, \(String(repeating: ["x", "y", "z"][number % 3], count: number % 7))\n"
    }.joined()

    private func entry(_ strings: String) -> String {
        "<KeePassFile><Root><Group><Entry><String><Key>Password</Key><Value>p</Value></String>\(strings)</Entry></Group></Root></KeePassFile>"
    }
}
