// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainImports
import TestProcesses
import Testing

/// A folder of the real pass, with a key of its own.
final class PassScene {
    let folder: TestFolder
    let environment: [String: String]
    var store: String { folder.file("store") }

    init() throws {
        folder = try TestFolder()
        let home = try folder.makeFolder("g")
        environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "GNUPGHOME": home, "PASSWORD_STORE_DIR": folder.file("store"),
            "LC_ALL": "C.UTF-8",
        ]
        try Command.run(
            [
                "/usr/bin/gpg", "--batch", "--passphrase", "", "--quick-gen-key", "test@llavero.example",
                "ed25519/cert,sign",
            ],
            environment: environment)
        let lines = try Command.run(
            ["/usr/bin/gpg", "--batch", "--with-colons", "--list-keys"], environment: environment)
        let fingerprint = lines.split(separator: "\n").first { $0.hasPrefix("fpr:") }?.split(separator: ":").last ?? ""
        try Command.run(
            ["/usr/bin/gpg", "--batch", "--passphrase", "", "--quick-add-key", String(fingerprint), "cv25519"],
            environment: environment)
        try Command.run(["/usr/bin/pass", "init", "test@llavero.example"], environment: environment)
    }

    deinit { _ = try? Command.run(["/usr/bin/gpgconf", "--kill", "all"], environment: environment) }

    func insert(_ name: String, _ text: [UInt8]) throws {
        try Command.run(["/usr/bin/pass", "insert", "--multiline", name], environment: environment, input: text)
    }

    func read() throws(ImportError) -> ImportReport {
        try PassFolder(path: store + "/", environment: environment.map { "\($0.key)=\($0.value)" }).read()
    }
}

@Suite("Folders of pass")
struct PassTests {
    @Test("each file is a password, with what its lines say")
    func entries() throws {
        let scene = try PassScene()
        try scene.insert("plain", Array("secret".utf8))
        try scene.insert("web/mail ü", Array("p w\\n\nLogin: alice\nurl: https://mail.example:444/x\nPIN: 1234\n".utf8))
        try scene.insert("web/-dash", [0, 1, 0xFF, 0xFE, 0x0D])
        let large = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 11) | 0x80 }
        try scene.insert("large", large)
        try scene.insert("key", Array(PassTests.key.utf8))
        try Data("read me".utf8).write(to: URL(fileURLWithPath: scene.store + "/README"))
        try Data("not encrypted".utf8).write(to: URL(fileURLWithPath: scene.store + "/web/broken.gpg"))
        try FileManager.default.createSymbolicLink(atPath: scene.store + "/loop", withDestinationPath: ".")
        let before = try contents(scene)
        let report = try scene.read()
        #expect(try contents(scene) == before)
        #expect(report.items.map(\.label) == ["key", "large", "plain", "web/-dash", "web/mail ü"])
        #expect(report.items.first?.secret.string == PassTests.key && report.items.first?.repairs == [.wholeFile])
        #expect(report.items[1].secret.array == large)
        #expect(Seen(report.items[2]) == Seen("plain", "", "secret"))
        #expect(report.items[3].secret.array == [0, 1, 0xFF, 0xFE, 0x0D])
        let mail = report.item("alice")
        #expect(mail?.secret.string == "p w\\n")
        #expect(mail?.place?.server == "mail.example" && mail?.place?.port == 444)
        #expect(mail?.attribute("url") == "https://mail.example:444/x")
        #expect(mail?.furtherSecrets.map(\.name) == ["PIN"] && mail?.tags == ["web"])
        #expect(mail?.furtherSecrets.first?.value.string == "1234")
        let broken = SkipReason.notDecrypted(2, why: "no valid OpenPGP data found.")
        #expect(report.skipped == [.notAPassword, .linkToItsFolder, broken])
    }

    @Test("a link to a folder is that folder under another name, and one that leads nowhere is named")
    func links() throws {
        let scene = try PassScene()
        try scene.insert("own", Array("a".utf8))
        try scene.insert("deep/er/one", Array("b".utf8))
        let files = FileManager.default
        try files.createSymbolicLink(atPath: scene.store + "/team", withDestinationPath: "deep")
        try files.createSymbolicLink(atPath: scene.store + "/deep/er/up", withDestinationPath: "..")
        try files.createSymbolicLink(atPath: scene.store + "/gone", withDestinationPath: "nowhere")
        let report = try scene.read()
        #expect(report.items.map(\.label) == ["deep/er/one", "own", "team/er/one"])
        #expect(report.items.last?.secret.string == "b")
        #expect(report.skipped == [.linkToItsFolder, .notAFile, .linkToItsFolder])
        #expect(report.findings.map(\.label) == ["deep/er/up", "gone", "team/er/up"])
    }

    @Test("a name with a dot before it is a name like others, but for those that pass and git have there")
    func dots() throws {
        let scene = try PassScene()
        for name in [
            "plain", ".hidden", "work/.git/token", ".ssh/key", "work/.vpn", ".git/config", ".extensions/tool",
            "web/.extensions/x",
        ] {
            try scene.insert(name, Array("secret".utf8))
        }
        // Which makes it a folder of git.
        try Data("ref: refs/heads/main\n".utf8).write(to: URL(fileURLWithPath: scene.store + "/.git/HEAD"))
        let report = try scene.read()
        #expect(
            report.items.map(\.label) == [
                ".hidden", ".ssh/key", "plain", "web/.extensions/x", "work/.git/token", "work/.vpn",
            ])
        #expect(report.skipped.isEmpty)
    }

    static let key = "-----BEGIN KEY-----\nQUJD: x\n-----END KEY-----\n"

    private func item(_ text: String, _ reading: PassReading = .byContent) -> ImportedItem {
        var options = ImportOptions()
        options.passReading = reading
        return PassEntry.item(ImportedBytes(Array(text.utf8)), name: "n", SourceLocation("n.gpg"), options)
    }

    @Test(
        "a key, or another document, is a secret as a whole",
        arguments: [
            PassTests.key, "PuTTY-User-Key-File-3: ssh-ed25519\nx\n", "{\n  \"token\": 1\n}\n",
            "<?xml version='1.0'?>\n<a/>",
            "# created: 2026-01-01\nAGE-SECRET-KEY-1\n", "a\0b\nc",
        ])
    func wholeFile(text: String) {
        #expect(item(text).secret.string == text && item(text).repairs == [.wholeFile])
        let first = item(text, .firstLine)
        #expect(first.secret.string == text.split(separator: "\n").first.map(String.init) && first.repairs.isEmpty)
        #expect(first.furtherSecrets.last?.part == .notes || text.contains("\0"))
    }

    @Test("the other choice is known of each file that it would change")
    func otherReading() {
        for text in ["pw\nfree text", PassTests.key, "pw\nlogin: ada"] {
            let readings = [PassReading.firstLine, .wholeFile].map { item(text, $0) }
            #expect(readings[0].secret.string == text.split(separator: "\n").first.map(String.init))
            #expect(readings[1].secret.string == text && readings[1].account.isEmpty)
            for (one, other) in [(readings[0], readings[1]), (readings[1], readings[0])] {
                #expect(one.otherReading.map(\.secret.string) == [other.secret.string])
                #expect(one.otherReading.map(\.account) == [other.account])
            }
        }
        for text in ["pw", "pw\n", "pw\n\n \n"] {
            for reading in [PassReading.byContent, .firstLine, .wholeFile] {
                let item = item(text, reading)
                #expect(item.secret.string == "pw" && item.furtherSecrets.isEmpty && item.otherReading.isEmpty)
            }
        }
    }

    @Test(
        "behind the password come fields, and from the first line on that is none the note",
        arguments: [
            (
                "pw\nuser: ada\nPIN: 12\n\notpauth://totp/x?secret=ABC\nurl: https://h/p\nanswer:\n",
                ["PIN": "12", "note": "answer:"]
            ),
            ("pw\nlogin: ada\na free note\n", ["note": "a free note"]),
            ("pw\nSecond Name: x: y\n\nCodes:\n12\n34: 5\n\n", ["Second Name": "x: y", "note": "Codes:\n12\n34: 5"]),
            ("pw\nhttps://example.org\nPIN: 1", ["note": "https://example.org\nPIN: 1"]),
            ("pw\nPIN: 1\nPIN: 2\nAnswer: 3", ["PIN": "1", "note": "PIN: 2\nAnswer: 3"]),
            ("pw\nnote: call Bob\nPIN: 1\n", ["PIN": "1", "note": "note: call Bob"]),
            ("pw\nabout: |\n  one\n  two\n", ["note": "about: |\n  one\n  two"]),
            ("pw\nabout: one\n  two\nPIN: 1", ["note": "about: one\n  two\nPIN: 1"]),
            ("\nx", ["note": "x"]),
        ])
    func convention(text: String, further: [String: String]) {
        let item = item(text)
        #expect(item.secret.string == String(text.prefix { $0 != "\n" }) && item.repairs.isEmpty)
        let found = item.furtherSecrets.filter { $0.part != .oneTimeCode }.map { ($0.name, $0.value.string) }
        #expect(Dictionary(found) { $1 } == further && found.count == further.count)
        guard text.contains("otpauth") else { return }
        #expect(item.account == "ada" && item.place?.path == "/p")
        #expect(
            item.furtherSecrets.filter { $0.part == .oneTimeCode }.map(\.value.string) == [
                "otpauth://totp/x?secret=ABC"
            ])
    }

    @Test(
        "a first line that is the seed of one-time codes is no password",
        arguments: ["", "\n", "\r\n", "\nlogin: ada\n"])
    func seed(rest: String) {
        let item = item("otpauth://totp/x?secret=ABC" + rest)
        #expect(item.secret.string.isEmpty)
        #expect(item.furtherSecrets.map(\.part) == [.oneTimeCode])
        #expect(item.furtherSecrets.map(\.value.string) == ["otpauth://totp/x?secret=ABC"])
    }

    @Test("without gpg, or without the folder, nothing is read")
    func missing() throws {
        let folder = try TestFolder()
        #expect(throws: ImportError.notStarted(.gpg, errno: 2)) {
            try PassFolder(path: folder.path, environment: [], gpg: folder.file("gpg")).read()
        }
        #expect(throws: ImportError.unreadable(errno: 2)) {
            try PassFolder(path: folder.file("none"), environment: []).read()
        }
    }

    private func contents(_ scene: PassScene) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: scene.store) where name.hasSuffix(".gpg") {
            found[name] = try Data(contentsOf: URL(fileURLWithPath: scene.store + "/" + name))
        }
        return found
    }
}
