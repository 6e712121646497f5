// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainImports
import KeychainModel
import Testing

/// Every entry of a wallet comes over, whatever wrote it.
///
/// `kdewallet.kwl` and the files beside it are what kwalletd5 5.103 has written, opened over the bus with the key that PBKDF2
/// makes of "correct horse" and the salt, with entries that came by its own interface and by the Secret Service: as
/// `row_26_kwallet_file` does (Tests/KeychainSecretServiceTests/Desktop). `old-N.kwl` are wallets as they were before 2014, under
/// passwords of N letters; they were made by a script, and KWallet's library 5.103 opened each of them. `old-standard.kwl` is one
/// with the digests of a processor that has the high byte of a number first.
@Suite("Wallet files of KWallet")
struct KWalletFileTests {
    static let everyByte = (0...255).map { UInt8($0) }
    static let expected: Set = [
        Seen("Mail", "", "emptykey"), Seen("Mail", "ada", "geheim"),
        Seen(.generic(service: "Mail"), "bin", everyByte), Seen("Mail", "empty", ""), Seen("Mail", "emptybin", ""),
        Seen("Mail/form (login)", "form", "ada"), Seen("Mail/form (password)", "form", "pwß"),
        Seen("Mail", "ünï/x", "pä\nß😀"), Seen("Passwords", "p", "x"), Seen("Passwords", "q__3_", "x3"),
        Seen("gh", "bob", "tok"), Seen("gh", "eve", "tok2"), Seen("Secret Service", "plain", "old"),
        Seen("bin2", "", ""),
        Seen("Secret Service", "s/l__12_", "old"), Seen("a/b", "c", "slash"),
        Seen(.generic(service: "bin"), "", [0, 255, 1]),
    ]

    @Test("a wallet gives every entry to its password, with what programs said of it")
    func everything() throws {
        let file = try ImportFile(path: fixture("kdewallet.kwl"))
        #expect(file.detectedFormat == .kwallet)
        let report = try file.read(as: .kwallet, password: passcode("correct horse"))
        #expect(Set(report.seen) == KWalletFileTests.expected)
        #expect(report.items.count == KWalletFileTests.expected.count)
        #expect(report.skipped == [.noSecret])
        #expect(
            report.items.map(\.label) == [
                "Mail/", "Mail/ada", "Mail/bin", "Mail/empty", "Mail/emptybin", "Mail/form (login)",
                "Mail/form (password)", "Mail/ünï/x", "Passwords/p", "Passwords/q", "my token", "my token", "plain",
                "plainbin", "s/l", "a/b/c", "fold/er",
            ])
        let token = try #require(report.item("bob"))
        #expect(token.lookup.map { "\($0.name)=\($0.value)" } == ["service=gh", "username=bob", "xdg:schema=org.x.Y"])
        #expect(token.contentType == "text/plain" && token.created == 1_795_512_682)
        #expect(report.item("ada")?.contentType == "application/octet-stream")
    }

    @Test("for the Secret Service a map is one item, with the bytes that KWallet shows")
    func maps() throws {
        var options = ImportOptions()
        options.forSecretService = true
        let file = try ImportFile(path: fixture("kdewallet.kwl"))
        let report = try file.read(as: .kwallet, password: passcode("correct horse"), options)
        #expect(report.findings.isEmpty)
        #expect(report.items.count == 17)
        let map = number(2) + text("login") + text("ada") + text("password") + text("pwß")
        #expect(report.item("form")?.secret.array == map)
        #expect(report.item("emptymap")?.secret.array == number(0))
    }

    @Test("wallets from before 2014 open, whatever the length of their password", arguments: [16, 32, 48, 64])
    func old(count: Int) throws {
        let password = String(decoding: (0..<count).map { UInt8(97 + $0 % 26) }, as: UTF8.self)
        let file = try ImportFile(path: fixture("old-\(count).kwl"))
        #expect(throws: ImportError.passwordNeeded) { try file.read(as: .kwallet) }
        #expect(throws: ImportError.wrongPassword) { try file.read(as: .kwallet, password: passcode(password + "!")) }
        #expect(try file.read(as: .kwallet, password: passcode(password)).seen == [Seen("Mail", "ada", "geheim")])
    }

    @Test("a wallet with an empty password needs none, and one of another processor opens")
    func others() throws {
        let empty = try ImportFile(path: fixture("old-0.kwl"))
        #expect(try empty.read(as: .kwallet).seen == [Seen("Mail", "ada", "geheim")])
        let other = try ImportFile(path: fixture("old-standard.kwl"))
        #expect(try other.read(as: .kwallet, password: passcode("abc")).seen == [Seen("Mail", "ada", "geheim")])
    }

    @Test("a wallet asks for its password, and takes no other and no other salt")
    func passwords() throws {
        let file = try ImportFile(path: fixture("kdewallet.kwl"))
        let salt = try ImportFile(path: fixture("kdewallet.salt")).content.array
        #expect(throws: ImportError.passwordNeeded) { try file.read(as: .kwallet) }
        #expect(throws: ImportError.wrongPassword) { try file.read(as: .kwallet, password: passcode("correct hors")) }
        func read(_ salt: [UInt8]?) throws(ImportError) -> ImportReport {
            let companions = WalletCompanions(salt: salt.map { ImportedBytes($0) })
            return try ImportFile(name: "w.kwl", content: file.content, companions: companions)
                .read(as: .kwallet, password: passcode("correct horse"))
        }
        #expect(throws: ImportError.wallet(.noSalt)) { try read(nil) }
        #expect(throws: ImportError.wallet(.otherSalt)) { try read(Array(salt.dropLast())) }
        #expect(throws: ImportError.wrongPassword) { try read([salt[0] ^ 1] + salt.dropFirst()) }
        // What programs said is not there, and the entries are.
        let report = try read(salt)
        #expect(report.items.count == 17 && report.items.allSatisfy { $0.lookup.isEmpty })
    }

    @Test("what is wrong with a wallet is named before its password is asked for")
    func damaged() throws {
        let bytes = try ImportFile(path: fixture("kdewallet.kwl")).content.array
        func changed(_ index: Int, _ value: UInt8) -> [UInt8] {
            var bytes = bytes
            bytes[index] = value
            return bytes
        }
        #expect(throws: ImportError.wallet(.gpg)) { try read(changed(14, 2), as: .kwallet) }
        for (index, value) in [(12, 1), (13, 2), (13, 0), (14, 1), (14, 4), (15, 0), (15, 1)] {
            #expect(throws: ImportError.unknownVersion) { try read(changed(index, UInt8(value)), as: .kwallet) }
        }
        #expect(throws: ImportError.wallet(.names)) { try read(changed(16, 1), as: .kwallet) }
        #expect(throws: ImportError.wallet(.names)) { try read(Array(bytes.prefix(100)), as: .kwallet) }
        #expect(throws: ImportError.wallet(.blocks)) { try read(bytes.dropLast(), as: .kwallet) }
        #expect(throws: ImportError.damaged) { try read(Array(bytes.prefix(14)), as: .kwallet) }
        #expect(throws: ImportError.notThisFormat) { try read([], as: .kwallet) }
        let companions = WalletCompanions(attributes: ImportedBytes(Array("{\"a\":{".utf8)))
        let file = ImportFile(name: "w.kwl", content: ImportedBytes(bytes), companions: companions)
        #expect(throws: ImportError.wallet(.attributes)) { try file.read(as: .kwallet) }
    }

    @Test("a wallet of which a byte was changed, or that ends anywhere, is refused")
    func flipped() throws {
        let bytes = try ImportFile(path: fixture("old-16.kwl")).content.array
        let password = "abcdefghijklmnop"
        for index in bytes.indices {
            #expect(throws: ImportError.self) { try read(Array(bytes[..<index]), as: .kwallet, password: password) }
            var changed = bytes
            changed[index] ^= 0x41
            guard let report = try? read(changed, as: .kwallet, password: password) else { continue }
            // Before what the password seals are digests of the names; behind and before the text are random bytes.
            #expect(report.seen == [Seen("Mail", "ada", "geheim")], "byte \(index)")
            #expect((20..<36).contains(index) || (40..<64).contains(index), "byte \(index)")
        }
    }

    @Test("an entry of another kind, or one that is damaged, is named, and loses no other")
    func entries() throws {
        let text =
            text("F") + number(7) + entry("odd", 7, [1]) + entry("tail", 1, text("x") + [0])
            + entry("half", 1, [0, 0, 0, 1, 120]) + entry("surrogate", 1, [0, 0, 0, 2, 0xD8, 0])
            + entry("map", 3, number(9) + self.text("a")) + entry("nul\0", 1, self.text("x"))
            + entry("whole", 1, self.text("kept"))
        let report = try read(text)
        #expect(report.seen == [Seen("F", "whole", "kept")])
        #expect(Set(report.skipped) == [.notUnderstood, .damaged, .holdsNUL])
        #expect(report.skipped.count == 6)
        #expect(report.findings.contains { $0.label == "F/map" && $0.location.item == 5 })
    }

    @Test("what comes behind a broken entry is named as missing, and what was before is kept")
    func brokenOff() throws {
        let text = self.text("F") + number(2) + entry("a", 1, self.text("kept")) + [0, 0, 0, 9]
        let report = try read(text)
        #expect(report.seen == [Seen("F", "a", "kept")])
        #expect(report.skipped == [.brokenOff])
    }

    private func read(_ text: [UInt8]) throws -> ImportReport {
        try WalletEntries.read(ImportedBytes(text), "w", WalletAttributes(nil), ImportOptions())
    }

    private func read(_ bytes: [UInt8], as format: ImportFormat, password: String? = nil) throws(ImportError)
        -> ImportReport
    {
        try ImportFile(name: "w.kwl", content: ImportedBytes(bytes)).read(
            as: format, password: password.flatMap { passcode($0) })
    }

    private func passcode(_ text: String) -> Passcode? {
        Array(text.utf8).withUnsafeBytes { Passcode(copying: $0) }
    }

    private func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    private func text(_ text: String) -> [UInt8] {
        number(text.utf16.count * 2) + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    private func entry(_ name: String, _ kind: Int, _ value: [UInt8]) -> [UInt8] {
        text(name) + number(kind) + number(value.count) + value
    }
}
