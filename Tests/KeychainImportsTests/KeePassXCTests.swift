// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCrypto
import KeychainImports
import KeychainModel
import TestProcesses
import Testing

/// Databases that this machine's OpenSSL may not open, by the real keepassxc-cli.
@Suite("databases that keepassxc-cli opens") struct KeePassXCTests {
    private let folder: TestFolder
    private let environment: [String]

    init() throws {
        folder = try TestFolder()
        environment = [
            "HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(try folder.makeFolder("memory"))", "PATH=/usr/bin:/bin",
            "LC_ALL=C",
        ]
    }

    @Test(
        "Argon2 and Twofish, under a password, a key file or both: each entry, field, attachment, seed, tag, group and expiry",
        arguments: [
            ("pass wörd ", false, "argon2id", "aes256"), ("pw", true, "argon2d", "chacha20"),
            ("", true, "argon2id", "chacha20"), ("pw", true, "argon2id", "twofish"),
        ])
    func databases(password: String, hasKeyFile: Bool, function: String, cipher: String) throws {
        let database = folder.file("-book's.kdbx")
        let keyFile = hasKeyFile ? folder.file("any.key") : nil
        if let keyFile { try Data("any text\n".utf8).write(to: URL(fileURLWithPath: keyFile)) }
        _ = try run(
            [
                "/usr/bin/python3", fixture("make-database.py"), database, password, keyFile ?? "-", function, cipher,
                "20",
            ]
                + (cipher == "twofish" ? ["plugin"] : []))
        // KeePassXC writes all of it anew, with what is of its own.
        let keys = (keyFile.map { ["-k", $0] } ?? []) + (password.isEmpty ? ["--no-password"] : [])
        let line = password.isEmpty ? "" : password + "\n"
        try run(["/usr/bin/keepassxc-cli", "mkdir", "-q"] + keys + ["--", database, "Home & <co>/Deep"], line)
        try run(
            ["/usr/bin/keepassxc-cli", "add", "-q", "-u", "eve", "--url", "https://x.example/in", "--notes", "one"]
                + keys + ["-p", "--", database, "Home & <co>/Deep/own"], line + "s3c é<>\n")
        try Data([0, 1, 255, 10]).write(to: URL(fileURLWithPath: folder.file("bytes")))
        try run(
            ["/usr/bin/keepassxc-cli", "attachment-import", "-q"] + keys
                + ["--", database, "Home & <co>/Deep/own", "b.bin", folder.file("bytes")], line)

        let file = try ImportFile(path: database)
        var options = ImportOptions()
        if let keyFile { options.keyFile = try ImportFile(path: keyFile).content }
        let isOurs = ForeignCipher.hasArgon2 && cipher != "twofish"
        let passcode = password.isEmpty ? nil : Self.passcode(password)
        if !isOurs {
            // Without the program it is refused, before anything is read.
            #expect(throws: ImportError.sealed(cipher == "twofish" ? .twofish : .argon2)) {
                try file.read(as: .kdbx, password: passcode, options)
            }
        }
        options.keePassXC = KeePassXC(environment: environment, keyFile: keyFile)
        let report = try file.read(as: .kdbx, password: passcode, options)
        #expect(report.isOpenedByKeePassXC == !isOurs)
        #expect(report.items.count == 21 && report.skipped.isEmpty)
        // Its changes have made an earlier version of one entry.
        var left = [ImportFinding.Matter.left(.earlierVersions, count: 1)]
        if cipher == "twofish" { left.append(.left(.pluginData, count: 1)) }
        #expect(report.findings.map(\.matter) == left && report.findings.first?.label == "own")
        let own = try #require(report.items.first { $0.label == "own" })
        #expect(own.account == "eve" && own.secret.string == "s3c é<>" && own.comment == "one")
        #expect(own.place?.server == "x.example" && own.place?.path == "/in")
        #expect(own.tags.contains { $0.hasSuffix("Home & <co>/Deep") })
        #expect(own.furtherSecrets.map(\.value.array) == [[0, 1, 255, 10]])
        // Nothing stays of the copy.
        #expect(TestFolder.names(in: folder.file("memory")) == [])
        for item in report.items where item.label != "own" {
            let number = try #require(Int(item.label.split(separator: " ").last ?? ""))
            #expect(item.account == "user \(number)" && item.secret.string == "p&ss <\(number)> é")
            #expect(item.tags.contains("red") == (number % 3 == 0))
            #expect((item.expiry == "2030-01-02T03:04:05Z") == (number % 7 == 0))
            let further = item.furtherSecrets
            switch number % 5 {
            case 0: #expect(further.map(\.part) == [.attachment] && further.first?.value.count == 100 + number)
            case 1: #expect(further.map(\.value.string) == ["47\(number)"] && further.map(\.part) == [.field])
            case 2: #expect(further.map(\.part) == [.oneTimeCode])
            default: #expect(further.isEmpty)
            }
        }
        let wrong = Self.passcode("other")
        #expect(throws: ImportError.wrongPassword) {
            // A key file that is enough alone opens it whatever the password is.
            guard !password.isEmpty else { throw ImportError.wrongPassword }
            _ = try file.read(as: .kdbx, password: wrong, options)
        }
        if !password.isEmpty {
            #expect(throws: ImportError.passwordNeeded) { try file.read(as: .kdbx, options) }
        }
    }

    @Test("attachments that no copy can be made for are named") func noCopy() throws {
        let database = folder.file("book.kdbx")
        try run(["/usr/bin/python3", fixture("make-database.py"), database, "pw", "-", "argon2id", "twofish", "6"])
        var options = ImportOptions()
        let own = try program("case $1 in merge) exit 1; esac; exec /usr/bin/keepassxc-cli \"$@\"")
        options.keePassXC = KeePassXC(environment: environment, program: own)
        let report = try ImportFile(path: database).read(as: .kdbx, password: Self.passcode("pw"), options)
        #expect(report.items.count == 6 && report.skipped == [.notGivenOut, .notGivenOut])
        #expect(report.findings.map(\.label).sorted() == ["entry 0 (file 0.bin)", "entry 5 (file 5.bin)"])
    }

    @Test("Salsa20 of version 3.1, and the password goes over a socket alone") func salsa20() throws {
        let database = folder.file("old.kdbx")
        try run(["/usr/bin/keepassxc-cli", "db-create", "-q", "-t", "100", "-p", database], "hunter2\nhunter2\n")
        try run(["/usr/bin/keepassxc-cli", "add", "-q", "-u", "eve", "-p", database, "own"], "hunter2\nkept\n")
        let before = try Data(contentsOf: URL(fileURLWithPath: database))
        let spy = try program(
            "tr '\\0' ' ' < /proc/self/cmdline >> \(folder.file("words")); echo \"$@\" >> \(folder.file("words")); exec /usr/bin/keepassxc-cli \"$@\""
        )
        let file = try ImportFile(path: database)
        var options = ImportOptions()
        options.keePassXC = KeePassXC(environment: environment, program: spy)
        let report = try file.read(as: .kdbx, password: Self.passcode("hunter2"), options)
        #expect(report.isOpenedByKeePassXC)
        #expect(report.seen == [Seen("own", "eve", "kept")])
        let words = folder.text("words")
        #expect(words.contains("export --quiet --format xml -- \(database)") && !words.contains("hunter2"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before)
        #expect(TestFolder.names(in: folder.path)?.filter { $0.hasSuffix(".xml") } == [])
        // A wrong password is told by what we read ourselves.
        #expect(throws: ImportError.wrongPassword) {
            try file.read(as: .kdbx, password: Self.passcode("other"), options)
        }
    }

    @Test("a program that fails, hangs, says nothing or too little, or is not there") func failures() throws {
        let database = folder.file("old.kdbx")
        try run(["/usr/bin/keepassxc-cli", "db-create", "-q", "-t", "100", "-p", database], "hunter2\nhunter2\n")
        let file = try ImportFile(path: database)
        func read(_ program: String, seconds: Int = 60) throws -> ImportReport {
            var options = ImportOptions()
            options.keePassXC = KeePassXC(environment: environment, program: program, seconds: seconds)
            return try file.read(as: .kdbx, password: Self.passcode("hunter2"), options)
        }
        #expect(throws: ImportError.failed(.keepassxc, code: 3)) { try read(program("cat > /dev/null; exit 3")) }
        #expect(throws: ImportError.failed(.keepassxc, code: 3)) { try read(program("exit 3")) }
        #expect(throws: ImportError.wrongPassword) { try read(program("echo '<KeePassFile>'; exit 1")) }
        #expect(throws: ImportError.hangs(.keepassxc)) { try read(program("sleep 100"), seconds: 0) }
        #expect(throws: ImportError.notThisFormat) { try read(program("true")) }
        #expect(throws: ImportError.sealed(.salsa20)) { try read(folder.file("none")) }
        // What is broken off is named.
        let report = try read(program("echo '<KeePassFile><Root><Group><Entry>'"))
        #expect(report.items.isEmpty && report.skipped == [.damaged])
    }

    // MARK: Help

    private func program(_ text: String) throws -> String {
        let path = folder.file("program-\(UUID().uuidString)")
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
        try run(["/bin/chmod", "700", path])
        return path
    }

    private static func passcode(_ text: String) -> Passcode? {
        Array(text.utf8).withUnsafeBytes { Passcode(copying: $0) }
    }

    @discardableResult
    private func run(_ words: [String], _ input: String = "", isSecond: Bool = false) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        let (output, line) = (Pipe(), Pipe())
        (process.standardOutput, process.standardInput) = (output, line)
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path]
        try process.run()
        try line.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try line.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // KeePassXC writes nothing where what it drew makes its last block empty ("Cannot process 0 length data"), and draws anew.
        if process.terminationStatus == 1, !isSecond, words[0].hasSuffix("keepassxc-cli") {
            return try run(words, input, isSecond: true)
        }
        #expect(process.terminationStatus == 0, "\(words)")
        return String(decoding: data, as: UTF8.self)
    }
}
