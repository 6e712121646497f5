// SPDX-License-Identifier: Apache-2.0

import KeychainImports
import KeychainModel
import Testing

@Suite(".netrc files")
struct NetrcTests {
    @Test("machines, on one line or several, with comments, quotes and macros")
    func words() throws {
        let text = """
            # a comment: machine no login no password no
            machine one.example login alice password s#cret # the rest
            machine two.example
              user "bob b"
              passwd "q\\"uo\\\\te\\n x"
              account acct
            macdef init
            cd /pub
            password inside

            machine three.example password only
            default login anonymous password me@
            """
        let report = try read(text, as: .netrc)
        #expect(report.items.map { $0.place?.server } == ["one.example", "two.example", "three.example"])
        #expect(report.items.map(\.account) == ["alice", "bob b", ""])
        #expect(report.items.map(\.secret.string) == ["s#cret", "q\"uo\\te\n x", "only"])
        #expect(report.item("bob b")?.attribute("account") == "acct")
        #expect(report.items.map { $0.source.line } == [2, 3, 11])
        #expect(report.skipped == [.notAPassword, .everyServer])
    }

    @Test("what is missing is not taken from the next machine")
    func missing() throws {
        let report = try read(
            "machine a login x password\nmachine b login y password z\nmachine c login w\nmachine d password \"open\nmachine e password f",
            as: .netrc)
        #expect(report.items.map { $0.place?.server } == ["b", "e"])
        #expect(report.skipped == [.damaged, .noSecret, .damaged])
    }

    @Test("a backslash outside of quotes stays, and is told of")
    func backslash() throws {
        let report = try read("machine a login b password c\\nd", as: .netrc)
        #expect(report.items.first?.secret.string == "c\\nd")
        #expect(report.items.first?.repairs == [.ambiguousBackslash])
    }
}

@Suite("git's file of passwords")
struct GitCredentialsTests {
    @Test("a URL a line, its parts decoded")
    func urls() throws {
        let text = """
            https://alice:s%3a%40%2f%00%ff@example.org
            http://bob%40corp:p@[::1]:8080/a%20b.git

            ssh://carol:x@host:22
            odd+proto://dan:@host.example/
            """
        let report = try read(text, as: .gitCredentials)
        #expect(report.items.map(\.account) == ["alice", "bob@corp", "carol", "dan"])
        #expect(report.items.first?.secret.array == Array("s:@/".utf8) + [0, 0xFF])
        #expect(report.items.map { $0.place?.server } == ["example.org", "[::1]", "host", "host.example"])
        #expect(report.items.map { $0.place?.port } == [nil, 8080, 22, nil])
        #expect(report.items.map { $0.place?.protocolCode } == ["htps", "http", "ssh ", "odd+proto"])
        #expect(report.items.map { $0.place?.path } == ["", "/a b.git", "", "/"])
        #expect(report.findings.isEmpty)
    }

    @Test("lines that say no password are told of, and the others are read")
    func damaged() throws {
        let text =
            "https://a:b@c\nnonsense\nhttps://host\nhttps://u:%zz@h\nhttps://%ff:p@h\nhttps://u:p@\nhttps://d:e@f:99999\nhttps://g:h@i"
        let report = try read(text, as: .gitCredentials)
        #expect(report.items.map(\.account) == ["a", "g"])
        #expect(report.skipped == [.damaged, .noSecret, .damaged, .notText, .damaged, .damaged])
    }
}

@Suite("Output of security dump-keychain -d")
struct MacDumpTests {
    @Test("passwords of both kinds, with values in each way they are printed")
    func dump() throws {
        let report = try ImportFile(path: fixture("macos-dump.txt")).read(as: .macKeychain)
        #expect(report.items.map(\.account) == ["alice", "jürgen", "bob\\b", "quo\"te"])
        #expect(report.items.map(\.secret.string) == ["simple \"quoted\" secret", "päss\nwörd", "octal\u{e9}", "0x41"])
        #expect(report.items.map(\.label) == ["My label", "example.org (jürgen)", "note", ""])
        let web = report.item("jürgen")?.place
        #expect(
            web?.server == "example.org" && web?.port == 443 && web?.path == "/login" && web?.protocolCode == "htps")
        #expect(report.item("alice")?.comment == "a comment")
        #expect(report.item("alice")?.native[.itemDescription] == .string("application password"))
        // A certificate's key, an item without data, a negative one, one without a server.
        #expect(report.skipped == [.notAPassword, .notDumped, .notAPassword, .noServer])
        #expect(try ImportFile(path: fixture("macos-dump.txt")).detectedFormat == .macKeychain)
    }

    @Test("of a secure note the text is the secret, and its fonts and pictures are an attachment")
    func note() throws {
        let report = try read(dump(list("Meet &amp; greet\nat noon: café")), as: .macKeychain)
        #expect(report.items.map(\.secret.string) == ["Meet & greet\nat noon: café"])
        #expect(report.items.first?.native[.itemDescription] == .string("secure note"))
        #expect(report.findings.isEmpty)
        let further = try #require(report.items.first?.furtherSecrets)
        #expect(further.map(\.name) == ["note.rtfd"] && further.map(\.part) == [.attachment])
        #expect(further.map(\.value.string) == ["rtfd\0\0\0\0"])
    }

    @Test(
        "what is no note of a Mac stays as it is",
        arguments: ["plain words", "<?xml version=\"1.0\"?><plist><dict><key>NOTE</key><string>broken off", ""])
    func others(secret: String) throws {
        for text in [secret, list("")] where !text.isEmpty {
            #expect(try read(dump(text), as: .macKeychain).items.map(\.secret.string) == [text])
        }
        let damaged = list("a note").replacing("cnRm", with: "c?Rm")
        #expect(try read(dump(damaged), as: .macKeychain).items.map(\.secret.string) == [damaged])
        let password = list("no note")
        #expect(try read(dump(password, type: "<NULL>"), as: .macKeychain).items.map(\.secret.string) == [password])
    }

    /// A dump of one item, whose secret is printed as a Mac prints what has line ends.
    private func dump(_ secret: String, type: String = "\"note\"") -> String {
        let digits = secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        return """
            keychain: "/Users/alice/Library/Keychains/login.keychain-db"
            class: "genp"
            attributes:
                0x00000007 <blob>="a note"
                "acct"<blob>=<NULL>
                "desc"<blob>="secure note"
                "svce"<blob>="a note"
                "type"<uint32>=\(type)
            data:
            0x\(digits)  "…"
            """
    }

    private func list(_ note: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>NOTE</key>
        \t<string>\(note)</string>
        \t<key>RTFD</key>
        \t<data>
        \tcnRmZAAAAAA=
        \t</data>
        </dict>
        </plist>
        """
    }
}
