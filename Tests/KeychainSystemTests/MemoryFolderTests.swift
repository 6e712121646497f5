// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainSystem
import Testing

@Suite struct MemoryFolderTests {
    @Test("what a killed process left is removed, and what a running one has is not")
    func leftBehind() throws {
        try inMemory { place in
            let used = try #require(MemoryFolder(runtimeFolder: place))
            let left = place + "/llavero-memory-abcdef"
            let others = [place + "/llavero-memory-open00", place + "/llavero-memory-longer0"]
            try make(left, 0o700)
            try make(others[0], 0o755)
            try make(others[1], 0o700)
            let next = try #require(MemoryFolder(runtimeFolder: place))
            #expect(next.path != used.path)
            #expect(!FileManager.default.fileExists(atPath: left))
            for path in others + [used.path, next.path] { #expect(FileManager.default.fileExists(atPath: path)) }
            used.remove()
            next.remove()
            #expect(try FileManager.default.contentsOfDirectory(atPath: place).count == others.count)
        }
    }

    @Test("what a program has locked goes, too, and another name of a wiped file shows that it was wiped")
    func locked() throws {
        try inMemory { place in
            let folder = try #require(MemoryFolder(runtimeFolder: place))
            try make(folder.path + "/sub", 0o700)
            let text = folder.path + "/sub/text"
            let file = try #require(FileHandle(forReadingAtPath: text))
            #expect(chmod(text, 0o400) == 0 && chmod(folder.path + "/sub", 0o500) == 0 && chmod(folder.path, 0) == 0)
            folder.remove()
            #expect(!FileManager.default.fileExists(atPath: folder.path))
            #expect(try file.readToEnd() == Data(count: 6))
        }
    }

    /// A folder of a process with a text in it.
    private func make(_ path: String, _ permissions: Int) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: permissions])
        try Data("secret".utf8).write(to: URL(fileURLWithPath: path + "/text"))
    }

    private func inMemory(_ body: (String) throws -> Void) throws {
        let place = "/dev/shm/llavero-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: place) }
        try body(place)
    }
}
