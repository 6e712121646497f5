// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// What earlier creations left behind, and what must not be taken for a new keychain.
@Suite struct BirthTests {
    @Test("a creation clears old abandoned workplaces away, and leaves young ones and ones that are held")
    func abandoned() throws {
        let folder = try TestFolder()
        let root = try folder.makeFolder("root")
        for name in [".birth-old", ".birth-young", ".birth-held"] {
            _ = try folder.makeFolder("root/\(name)")
            for file in ["owner", "device.key", "keychain.db", "keychain.db-wal", "keybag.copy"] {
                try Data().write(to: URL(fileURLWithPath: "\(root)/\(name)/\(file)"))
            }
            let age = name == ".birth-young" ? 540.0 : 660.0
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: "\(root)/\(name)")
        }
        let held = open("\(root)/.birth-held/owner", O_RDWR | O_CLOEXEC)
        defer { close(held) }
        #expect(flock(held, LOCK_EX | LOCK_NB) == 0)
        #expect(try ProbeRun(folder, ["LLAVERO_HOME": root])("add") == ["add 0"])
        #expect(TestFolder.names(in: root) == [".birth-held", ".birth-young", "login"])
    }

    @Test("a folder without its database is unreadable, not new, and stays as it is")
    func missingDatabase() throws {
        try expectRefusal { try FileManager.default.removeItem(atPath: "\($0)/keychain.db") }
    }

    @Test("a folder whose database is empty or no database is unreadable, and stays as it is", arguments: [0, 4096])
    func foreignDatabase(size: Int) throws {
        try expectRefusal { folder in
            try Data(repeating: 0x78, count: size).write(to: URL(fileURLWithPath: "\(folder)/keychain.db"))
            chmod("\(folder)/keychain.db", 0o600)
        }
    }

    @Test("a folder without its device key is unreadable, and gets no other key")
    func missingKey() throws {
        try expectRefusal { try FileManager.default.removeItem(atPath: "\($0)/device.key") }
    }

    @Test("a folder emptied by somebody is a keychain that is gone, and stays empty")
    func emptied() throws {
        try expectRefusal(-25294) { folder in
            for name in TestFolder.names(in: folder) ?? [] {
                try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
        }
    }

    @Test("a file, or a link to a folder, in the keychain's place is refused", arguments: ["file", "link"])
    func notAFolder(kind: String) throws {
        let folder = try TestFolder()
        let root = try folder.makeFolder("root")
        if kind == "file" {
            try Data().write(to: URL(fileURLWithPath: root + "/login"))
        } else {
            try FileManager.default.createSymbolicLink(
                atPath: root + "/login", withDestinationPath: folder.makeFolder("elsewhere"))
        }
        #expect(try ProbeRun(folder, ["LLAVERO_HOME": root])("add", "find") == ["add -25291", "find -25291 -"])
        #expect(TestFolder.names(in: root) == ["login"])
        #expect(TestFolder.names(in: folder.file("elsewhere")) ?? [] == [])
    }

    @Test("where a keychain was, and its folder is gone, no program makes an empty one; where it comes back it is used")
    func vanished() throws {
        let folder = try TestFolder()
        let root = try folder.makeFolder("root")
        let probe = ProbeRun(folder, ["LLAVERO_HOME": root])
        #expect(try probe("add") == ["add 0"])
        try FileManager.default.moveItem(atPath: root + "/login", toPath: folder.file("taken"))
        let lines = try probe("find", "add", "update", "delete", "why")
        #expect(lines.dropLast() == ["find -25294 -", "add -25294", "update -25294", "delete -25294"])
        #expect(lines.last?.contains("llavero restore FILE") == true)
        #expect(TestFolder.names(in: root) == [])
        try FileManager.default.moveItem(atPath: folder.file("taken"), toPath: root + "/login")
        #expect(try probe("add") == ["add -25299"])
        // With the notes, as in a new container, nothing says that there was one.
        try FileManager.default.removeItem(atPath: root)
        #expect(try probe("add") == ["add 0"])
    }

    /// Makes a keychain, damages its folder, and expects that no call works and none changes a file.
    private func expectRefusal(_ status: Int = -25291, after damage: (String) throws -> Void) throws {
        let folder = try TestFolder()
        let root = try folder.makeFolder("root")
        let probe = ProbeRun(folder, ["LLAVERO_HOME": root])
        #expect(try probe("add") == ["add 0"])
        try damage(root + "/login")
        let before = try Self.contents(of: root + "/login")
        let lines = try probe("find", "add", "update", "delete", "why")
        #expect(lines.dropLast() == ["find \(status) -", "add \(status)", "update \(status)", "delete \(status)"])
        #expect(lines.last?.hasPrefix("why -") == false, "there is an explanation")
        #expect(try Self.contents(of: root + "/login") == before)
        #expect(TestFolder.names(in: root) == ["login"])
    }

    private static func contents(of folder: String) throws -> [String: Data?] {
        let names = try #require(TestFolder.names(in: folder))
        let files = names.map { ($0, FileManager.default.contents(atPath: "\(folder)/\($0)")) }
        return Dictionary(uniqueKeysWithValues: files)
    }
}
