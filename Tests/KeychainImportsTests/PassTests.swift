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
        #expect(mail?.furtherSecrets.map(\.name) == ["notes"])
        #expect(mail?.furtherSecrets.first?.value.string == "PIN: 1234\n")
        #expect(report.skipped == [.notAPassword, .notAFile, .notDecrypted(2)])
    }

    @Test("a name with a dot before it is a name like others, but for those that pass and git have there")
    func dots() throws {
        let scene = try PassScene()
        for name in [
            "plain", ".hidden", ".ssh/key", "work/.vpn", ".git/config", ".extensions/tool", "web/.extensions/x",
        ] {
            try scene.insert(name, Array("secret".utf8))
        }
        let report = try scene.read()
        #expect(report.items.map(\.label) == [".hidden", ".ssh/key", "plain", "web/.extensions/x", "work/.vpn"])
        #expect(report.skipped.isEmpty)
    }

    static let key = "-----BEGIN KEY-----\nQUJD: x\n-----END KEY-----\n"

    private func item(_ text: String, firstLine: Bool = false) -> ImportedItem {
        var options = ImportOptions()
        options.firstLineOnly = firstLine
        return PassEntry.item(ImportedBytes(Array(text.utf8)), name: "n", SourceLocation("n.gpg"), options)
    }

    @Test(
        "all of a file is its secret where its lines are no names with values",
        arguments: [PassTests.key, "a\nb\n", "pw\nlogin: ada\na free note", "\nx", "pw\nhttps://example.org\n"])
    func wholeFile(text: String) {
        #expect(item(text).secret.string == text && item(text).repairs == [.wholeFile])
        let first = item(text, firstLine: true)
        #expect(
            first.secret.string == text.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init))
        #expect(first.repairs.isEmpty && first.furtherSecrets.last?.name == "notes")
    }

    @Test("the first line is the password where the others are names with values, or seeds of one-time codes")
    func named() {
        let item = item("pw\nuser: ada\nPIN: 12\n\notpauth://totp/x?secret=ABC\nurl: https://h/p\nanswer:\n")
        #expect(item.secret.string == "pw" && item.account == "ada" && item.place?.path == "/p" && item.repairs.isEmpty)
        #expect(item.furtherSecrets.map(\.part) == [.oneTimeCode, .notes])
        #expect(item.furtherSecrets.map(\.value.string) == ["otpauth://totp/x?secret=ABC", "PIN: 12\n\nanswer:\n"])
        for text in ["pw", "pw\n", "pw\n\n"] {
            #expect(self.item(text).secret.string == "pw" && self.item(text).furtherSecrets.isEmpty)
        }
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
