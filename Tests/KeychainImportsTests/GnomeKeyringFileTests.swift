// SPDX-License-Identifier: Apache-2.0

import KeychainImports
import KeychainModel
import Testing

/// The fixtures are files that gnome-keyring 42.1 has written.
@Suite("Keyring files of gnome-keyring")
struct GnomeKeyringFileTests {
    static let expected = [
        Seen("s1", "a1", "simple"), Seen("s2", "a b", "two\nlines"), Seen("s\\n3", " lead", "back\\nslash"),
        Seen("s4", "tab\tx ", " spaces "), Seen("s5", "ünï;a", "x\n[77]\nsecret=evil\nfoo"),
        Seen(.generic(service: "s6"), "a6", Array("caf\u{e9}".utf8) + [0xE9, 0xFF, 0, 0x7A]),
        Seen("s6", "nul", "caf\0z"), Seen("s7", "a\rb", "cr\r\nend\n"), Seen("s8", "a8", ""),
        Seen("#h", "", "x\n\n# c\n\ny"),
        Seen(
            .internet(place("example.org", "htps", 443, "/p")), "bob", Array("net".utf8)),
    ]

    static func place(_ server: String, _ code: String?, _ port: UInt16?, _ path: String) -> InternetPlace {
        // There is no public way to make one, and a file is one.
        let text = "\(code == "htps" ? "https" : "http")://u:p@\(server)\(port.map { ":\($0)" } ?? "")\(path)\n"
        let items = (try? read(text, as: .gitCredentials))?.items
        return items?.first?.place ?? unreachable(text)
    }

    static func unreachable(_ text: String) -> InternetPlace { preconditionFailure("not read: \(text)") }

    @Test("a sealed file gives every item to its password")
    func sealed() throws {
        let file = try ImportFile(path: fixture("sealed.keyring"))
        #expect(file.detectedFormat == .gnomeKeyring)
        let report = try read(file.content.array, as: .gnomeKeyring, password: "hunter2")
        #expect(Set(report.seen) == Set(GnomeKeyringFileTests.expected))
        #expect(report.findings.isEmpty)
        #expect(report.items.first { $0.account == "a b" }?.label == "New\nline")
        #expect(
            report.items.first { $0.place != nil }?.lookup.first { $0.name == "xdg:schema" }?.value
                == "org.gnome.keyring.NetworkPassword")
    }

    @Test("a sealed file asks for its password, and takes no other")
    func wrongPassword() throws {
        let bytes = try ImportFile(path: fixture("sealed.keyring")).content.array
        #expect(throws: ImportError.passwordNeeded) { try read(bytes, as: .gnomeKeyring) }
        #expect(throws: ImportError.wrongPassword) { try read(bytes, as: .gnomeKeyring, password: "hunter3") }
    }

    @Test("a file that gnome-keyring itself cannot read any more gives every item, newlines and all")
    func damaged() throws {
        let file = try ImportFile(path: fixture("damaged.keyring"))
        #expect(file.detectedFormat == .gnomeKeyring)
        let report = try file.read(as: .gnomeKeyring)
        #expect(Set(report.seen) == Set(GnomeKeyringFileTests.expected))
        #expect(report.items.count == GnomeKeyringFileTests.expected.count)
        for item in report.items {
            let secret = item.secret.array
            // What cannot be text is written in hexadecimal digits, and needs no repair.
            let isText = String(validating: secret, as: UTF8.self) != nil && !secret.contains(0)
            let isRepaired = isText && secret.contains(0x0A)
            #expect(item.repairs.contains(.newlinesRestored) == isRepaired, "\(item.label)")
            #expect(item.repairs.contains(.ambiguousBackslash) == (item.account == " lead"), "\(item.label)")
            #expect(!item.repairs.contains(.endGuessed), "\(item.label)")
            #expect(item.source.line != nil)
        }
        #expect(report.findings.count == 5)
    }

    @Test("a secret ends before the next item where the lines after it are damaged")
    func damagedEnd() throws {
        let text = """
            [keyring]
            display-name=x

            [1]
            item-type=0
            display-name=one
            secret=a
            b
            mtXme=1
            ctine=2

            [1:attribute0]
            name=account
            type=string
            value=first

            [2]
            item-type=0
            display-name=two
            secret=c
            mtime=1
            ctime=2
            """
        let report = try read(text, as: .gnomeKeyring)
        #expect(report.seen == [Seen("one", "first", "a\nb"), Seen("two", "", "c")])
        #expect(report.items.first?.repairs == [.newlinesRestored, .endGuessed])
        #expect(report.items.last?.repairs == [])
    }

    @Test("an item that has lost all that ends its secret, and the line before the next, does not take that along")
    func runningOn() throws {
        let text = """
            [keyring]

            [1]
            item-type=0
            display-name=one
            secret=a
            mtime=1
            ctime=q2

            &[1:attribute0]
            name=account
            type=string
            value=first
            [2]
            item-type=0
            display-name=two
            secret=c
            mtime=1
            ctime=2
            """
        let report = try read(text, as: .gnomeKeyring)
        #expect(report.items.count == 2)
        #expect(report.seen.last == Seen("two", "", "c"))
    }

    private func item(_ number: Int, _ secret: String, account: String = "a") -> String {
        "\n[\(number)]\nitem-type=0\ndisplay-name=n\nsecret=\(secret)\nmtime=1790000000\nctime=1790000000\n"
            + "\n[\(number):attribute0]\nname=account\ntype=string\nvalue=\(account)\n"
    }

    @Test(
        "a secret with lines like the file's own comes out whole",
        arguments: [
            "\n\nmtime=12\n[1:attribute0]\n\n[1:attribute0]\nx\n[1:attribute0]\nitem-type=0\n#",
            "x\nmtime=12\nctime=1\nb",
            "x\nmtime=12\nctime=1\n\n[3]\nfoo", "\nctime=1\n\n[3]\n", "a\n\n[1]\nitem-type=0\n",
            "mtime=12\nctime=1\n\n",
        ])
    func likeTheFile(secret: String) throws {
        for next in ["", item(2, "second", account: "b")] {
            let report = try read("[keyring]\ndisplay-name=x\n" + item(1, secret) + next, as: .gnomeKeyring)
            #expect(report.seen.first == Seen("n", "a", secret))
            #expect(report.items.first?.repairs.contains(.endGuessed) == false)
            #expect(report.items.count == (next.isEmpty ? 1 : 2))
        }
    }

    @Test("of tens of thousands of attributes none is compared with all before it") func manyAttributes() throws {
        let more = (0..<40_000).map { "\n[1:attribute\($0 + 1)]\nname=n\($0)\ntype=string\nvalue=v\n" }.joined()
        let report = try read("[keyring]\ndisplay-name=x\n" + item(1, "s") + more, as: .gnomeKeyring)
        #expect(report.items.first?.lookup.count == 40_001)
        #expect(report.items.first?.repairs == [])
    }

    @Test("a secret that is a keyring file itself is named as one whose end is a guess")
    func inItself() throws {
        let secret = "[keyring]" + item(1, "inner") + item(2, "other")
        let report = try read("[keyring]\ndisplay-name=x\n" + item(1, "x\n" + secret), as: .gnomeKeyring)
        #expect(report.items.contains { $0.repairs.contains(.endGuessed) })
        let short = try read("[keyring]\n" + item(1, "x\nmtime=1\nctime=1\n\n[3]\nsecret=y"), as: .gnomeKeyring)
        #expect(short.items.first?.repairs.contains(.endGuessed) == true)
    }

    @Test("files of people who edit them by hand are read as they mean them")
    func byHand() throws {
        let text =
            "# mine\r\n[keyring]\r\n[1]\r\nsecret = a b \r\ndisplay-name = x\r\n\r\n[1:attribute0]\r\nname = service\r\nvalue = s\r\n"
        let report = try read(text, as: .gnomeKeyring)
        #expect(report.seen == [Seen("s", "", "a b ")])
        #expect(report.items.first?.label == "x")
    }

    @Test("what is no keyring is refused", arguments: ["", "[", "hello", "[other]", "GnomeKeyring\n\r\0\n"])
    func refused(text: String) { #expect(throws: ImportError.self) { try read(text, as: .gnomeKeyring) } }

    @Test("a sealed file of which a byte was changed is refused, or names what it lost")
    func flipped() throws {
        let bytes = try ImportFile(path: fixture("sealed.keyring")).content.array
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x41
            guard let report = try? read(changed, as: .gnomeKeyring, password: "hunter2") else { continue }
            // Outside of what the password seals are the names' hashes, and numbers that nothing depends on.
            #expect(report.seen.count == GnomeKeyringFileTests.expected.count, "byte \(index)")
            #expect(Set(report.seen) == Set(GnomeKeyringFileTests.expected), "byte \(index)")
        }
    }

    @Test("a sealed file that ends anywhere is refused")
    func cut() throws {
        let bytes = try ImportFile(path: fixture("sealed.keyring")).content.array
        for count in bytes.indices {
            #expect(throws: ImportError.self) {
                try read(Array(bytes[..<count]), as: .gnomeKeyring, password: "hunter2")
            }
        }
    }
}
