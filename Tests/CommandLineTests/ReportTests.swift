// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools
internal import Testing

/// What `llavero report` says of items that programs made as the tools do not.
@Suite struct ReportTests {
    private let scene: ToolScene
    private let keychain: ToolKeychain

    init() throws {
        scene = try ToolScene()
        keychain = try ToolKeychain(at: .folder(root: scene.file("keychains"), name: "login"))
        _ = try keychain.host.create(in: .software, makesRecoveryKey: false)
    }

    private func entry(
        _ service: String, _ secret: String?, _ control: AccessControl? = nil,
        of group: AccessGroup = .passwords, marks: [Attribute] = []
    ) -> AddRequest {
        var list = AttributeList()
        list[.service] = .string(service)
        list[.account] = .string("ada")
        for mark in marks { list[mark] = .number(1) }
        return AddRequest(
            itemClass: .genericPassword, attributes: list, group: .named(group.name),
            protection: control.map { .accessControl($0) } ?? .byClassAndGroup, isSynchronizable: false,
            isTombstone: false,
            secret: secret.map { SecretValue(copying: Array($0.utf8)) }, returning: [], origin: .caller)
    }

    private func add(_ entries: AddRequest...) throws {
        for entry in entries { try keychain.add(entry, of: .person) }
    }

    /// The kind of finding, the name of the item, and what is wrong with it.
    private func findings(_ words: String...) throws -> [[String]] {
        let answer = try scene.run(ToolScene.built("llavero"), ["report", "--plain"] + words)
        #expect(answer.code == 0, "\(answer.complaint)")
        return answer.output.split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return [fields[0], fields[1], fields[4]]
        }
    }

    private static let strong = ["rT5.kQ9+mZ2x", "mfkuga-xohzi7-Bqelwo", "48291537604812-x"]

    @Test("open items and those of programs are told of")
    func protections() throws {
        try add(
            entry("open", ReportTests.strong[0], AccessControl(protection: .always)),
            entry("program", ReportTests.strong[1], of: .open), entry("plain", ReportTests.strong[2]))
        let person = [["unprotected", "open", "opens before the passcode is given"]]
        let program = [["unprotected", "program", "any of your programs may read it"]]
        #expect(try findings() == person)
        #expect(try findings("--apps") == person + program)
        #expect(try findings("--apps", "--user", "nobody") == [])
    }

    @Test("items that demand a person are counted, and nobody is asked; a locked keychain fails")
    func guarded() throws {
        var words = "stale-purple-9-Orbits"
        let passcode = try #require(words.withUTF8 { unsafe Passcode(copying: UnsafeRawBufferPointer($0)) })
        try keychain.perform(.setPasscode(passcode, erasingAfter: 0))
        let control = try #require(AccessControl(protection: .whenUnlocked, flags: .userPresence))
        try add(
            entry("guarded", "hunter2", control), entry("guarded too", "hunter2", control), entry("weak", "hunter2"))
        #expect(try scene.tool("report").code == 36)
        try scene.write("stale-purple-9-Orbits", to: "phrase")
        let tool = try ToolScene.built("llavero")
        let answer = try scene.run(
            "/bin/sh",
            [
                "-c",
                "\(tool) unlock --fd 3 --quiet 3<phrase && \(tool) report --plain; \(tool) lock --end-agent --quiet",
            ])
        let unread = "demands a finger or the passcode"
        let found = answer.output.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(
            found.map { [$0[0], $0[1], $0[4]] } == [
                ["weak", "weak", "very weak"], ["not-read", "guarded", unread], ["not-read", "guarded too", unread],
            ], "\(answer.complaint)")
    }

    @Test("a negative item and one with an empty password have none that could be weak or reused")
    func empty() throws {
        try add(entry("none", nil, marks: [.isNegative]), entry("empty", ""), entry("empty too", ""))
        #expect(try findings().isEmpty)
    }

    @Test("a secret in a file is found by itself, in a URL and in base64, with its line; parts of words are not")
    func exposed() throws {
        try add(
            entry("plain", "Zq7%mn/42"), entry("part", "mn/42x9"), entry("login", "G9-kk_02.x"), entry("short", "Zq7%m")
        )
        let login = Data("ada:G9-kk_02.x".utf8).base64EncodedString()
        try scene.write("nothing\nexport A=Zq7%mn/42\nAmn/42x9 Zq7%m9\n", to: ".bash_history")
        try scene.write("https://ada:Zq7%25mn%2F42@example.org\n", to: ".git-credentials")
        try FileManager.default.createDirectory(atPath: scene.file(".docker"), withIntermediateDirectories: true)
        try scene.write("{\"auths\": {\"x\":\n {\"auth\": \"\(login)\"}}}", to: ".docker/config.json")
        let found = try findings().filter { $0[0] == "exposed" }.map { [$0[1], $0[2]] }
        #expect(
            found == [
                ["login", "\(scene.file(".docker/config.json")), line 2"],
                ["plain", "\(scene.file(".git-credentials")), line 1"],
                ["plain", "\(scene.file(".bash_history")), line 2"],
            ])
    }

    @Test("what was not changed for long is old")
    func old() throws {
        try add(entry("plain", ReportTests.strong[0]))
        #expect(try findings() == [])
        // Until the clock has gone on.
        var found: [[String]] = []
        for _ in 0..<1000 where found.isEmpty { found = try findings("--old-after", "1s") }
        #expect(found.map { $0[0] } == ["old"])
    }

    @Test(
        "no form of a report has a secret, a name cannot get out of its place in the page, and only its owner can read it"
    )
    func page() throws {
        let secrets = ["hunter2-Zq", "hunter2-Zq", "rT5.kQ9+mZ2x<&"]
        let names = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "\u{202E}gpj.exe\u{0}&amp;"]
        for (name, secret) in zip(names, secrets) { try add(entry(name.replacing("\0", with: ""), secret)) }
        try scene.write(secrets.joined(separator: "\n"), to: ".env")
        let answers = try [["report"], ["report", "--json"], ["report", "--plain"], ["report", "--html", "r.html"]].map
        {
            try scene.run(ToolScene.built("llavero"), $0)
        }
        let page = try String(decoding: scene.bytes("r.html"), as: UTF8.self)
        for text in answers.map(\.output) + answers.map(\.complaint) + [page] {
            #expect(!text.contains("hunter2") && !text.contains("kQ9+"))
        }
        #expect(try scene.mode("r.html") == 0o600)
        #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("\u{202E}"))
        #expect(page.contains("default-src 'none'; style-src 'sha256-"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        // A file that is there is somebody's.
        #expect(try scene.tool("report", "--html", "r.html").code == 1)
        #expect(try scene.tool("report", "--html", "s.html", "--json").code == 2)
    }

    @Test("a thousand items are read, judged and written as a page")
    func many() throws {
        let entries = (0..<1000).map { number in
            AddAllRequest.Entry.item(
                entry("service \(number)", number % 3 == 0 ? "summer\(number)" : "x9.\(number)kQ\(number * 7919)Zw"))
        }
        _ = try keychain.session(of: .person).add(AddAllRequest(entries: entries, returning: []))
        #expect(try scene.tool("report", "--html", "r.html").code == 0)
        let page = try String(decoding: scene.bytes("r.html"), as: UTF8.self)
        #expect(page.contains("Weak: 334"))
    }
}
