// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Programs as they are written for Apple's systems: every name that they use is there, with the shape that they expect.
@Suite struct SnippetTests {
    /// Where the modules lie that the tests were built with: beside the program that runs them.
    private static var modules: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
            + "/Modules"
    }

    private static let snippets: [String] = ["Snippets", "Older"].flatMap { name in
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: name)
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "swift" }.map(\.path).sorted()
    }

    @Test("programs for Apple's systems compile", arguments: ["5", "6"])
    func compile(mode: String) throws {
        #expect(Self.snippets.count >= 14)
        let said = try Self.compile(Self.snippets, mode)
        #expect(said.isEmpty, "\(said)")
    }

    @Test("a name that is not there is found out")
    func missing() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "snippet-\(UUID()).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try "import Security\nlet x = SecNoSuchName()\n".write(to: file, atomically: true, encoding: .utf8)
        #expect(try Self.compile([file.path], "5").contains("SecNoSuchName"))
    }

    /// What the compiler says against the files.
    private static func compile(_ files: [String], _ mode: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", mode, "-I", modules, "-suppress-warnings"]
            + files
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self) + (process.terminationStatus == 0 ? "" : "failed")
    }
}
