// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSystem
import Testing

@Suite struct FileReplacementTests {
    static let names: [FileReplacement.TemporaryName] = [.fixed, .hidden]

    @Test("a file is made, whole and for its owner alone", arguments: names)
    func made(name: FileReplacement.TemporaryName) throws {
        let folder = try Folder()
        try FileReplacement.replace(folder.file, with: Array("new".utf8), as: name)
        #expect(try folder.content() == "new")
        #expect(try folder.mode() == 0o600)
        #expect(try folder.list() == ["file"])
    }

    @Test("an old file is replaced, whatever mode it had", arguments: names)
    func replaced(name: FileReplacement.TemporaryName) throws {
        let folder = try Folder()
        try folder.put("a much longer old file", mode: 0o644)
        try FileReplacement.replace(folder.file, with: [], as: name)
        #expect(try folder.content() == "")
        #expect(try folder.mode() == 0o600)
        #expect(try folder.list() == ["file"])
    }

    @Test("the old file stays until the new one is committed", arguments: names)
    func notBefore(name: FileReplacement.TemporaryName) throws {
        let folder = try Folder()
        try folder.put("old", mode: 0o600)
        do {
            let new = try FileReplacement(of: folder.file, as: name)
            try new.write(Array("new".utf8))
            #expect(try folder.content() == "old")
        }
        // Given up.
        #expect(try folder.content() == "old")
        #expect(try folder.list() == ["file"])
    }

    @Test("a replacement that fails leaves what was there, and nothing of itself", arguments: names)
    func failing(name: FileReplacement.TemporaryName) throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: false)
        #expect(throws: ReplacementFailure.self) {
            try FileReplacement.replace(folder.file, with: Array("new".utf8), as: name)
        }
        #expect(try folder.list() == ["file"])
    }

    @Test("where there is no folder the error says so", arguments: names)
    func noFolder(name: FileReplacement.TemporaryName) throws {
        let folder = try Folder()
        #expect(throws: ReplacementFailure.failed(ENOENT)) {
            try FileReplacement.replace(folder.path + "/none/file", with: [1], as: name)
        }
    }

    @Test("a file that is to take an empty place takes no other", arguments: names)
    func withoutReplacing(name: FileReplacement.TemporaryName) throws {
        let folder = try Folder()
        do {
            let first = try FileReplacement(of: folder.file, as: name)
            try first.write(Array("first".utf8))
            try first.commitWithoutReplacing()
        }
        #expect(try folder.list() == ["file"])
        do {
            let second = try FileReplacement(of: folder.file, as: name)
            try second.write(Array("second".utf8))
            #expect(throws: ReplacementFailure.failed(EEXIST)) { try second.commitWithoutReplacing() }
        }
        #expect(try folder.content() == "first")
        #expect(try folder.list() == ["file"])
    }

    @Test("a mode that is set is the file's when it has its place", arguments: names)
    func mode(name: FileReplacement.TemporaryName) throws {
        let folder = try Folder()
        let new = try FileReplacement(of: folder.file, as: name)
        try new.setMode(0o4755)
        try new.commit()
        #expect(try folder.mode() == 0o4755)
    }

    @Test("what a crash left under the fixed name is not taken for the new file")
    func leftOver() throws {
        let folder = try Folder()
        try folder.put("half a fi", mode: 0o666, name: "file.new")
        try FileReplacement.replace(folder.file, with: Array("new".utf8), as: .fixed)
        #expect(try folder.content() == "new")
        #expect(try folder.mode() == 0o600)
        #expect(try folder.list() == ["file"])
    }

    @Test("a link under the fixed name is not followed")
    func link() throws {
        let folder = try Folder()
        try folder.put("other", mode: 0o600, name: "other")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file + ".new", withDestinationPath: folder.path + "/other")
        try FileReplacement.replace(folder.file, with: Array("new".utf8), as: .fixed)
        #expect(try folder.content("other") == "other")
        #expect(try folder.content() == "new")
    }

    @Test("several writers at once leave one of their files, whole")
    func atOnce() async throws {
        let folder = try Folder()
        let texts = (0..<8).map { String(repeating: "\($0)", count: 10_000) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for text in texts {
                group.addTask { [file = folder.file] in
                    for _ in 0..<10 { try FileReplacement.replace(file, with: Array(text.utf8), as: .hidden) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try texts.contains(folder.content()))
        #expect(try folder.list() == ["file"])
    }

    /// A folder of its own, with one file in question.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("replace-\(UUID().uuidString)").path
        var file: String { path + "/file" }

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func list() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

        func content(_ name: String = "file") throws -> String {
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
        }

        func mode() throws -> Int? {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            return (attributes[.posixPermissions] as? NSNumber)?.intValue
        }

        func put(_ text: String, mode: Int, name: String = "file") throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + "/" + name)
        }
    }
}
