// SPDX-License-Identifier: Apache-2.0

internal import CTestSupport
internal import Foundation
internal import TestProcesses

/// A folder to work in, and the command line tool.
final class ToolScene {
    private let folder: TestFolder
    let path: String

    init() throws {
        folder = try TestFolder()
        path = folder.path
    }

    func file(_ name: String) -> String { folder.file(name) }

    /// What a program said, and how it ended.
    struct Answer: Equatable {
        let code: Int32
        let output: String
        let complaint: String
    }

    /// Runs the tool.
    func tool(_ arguments: String...) throws -> Answer { try run(ToolScene.built("llavero"), arguments) }

    func run(_ program: String, _ arguments: [String]) throws -> Answer {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": path, "LLAVERO_HOME": file("keychains"), "LC_ALL": "C.UTF-8",
        ].merging(TestEnvironment.withoutSystemDaemon) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        let (output, complaint) = (file("output-of-it"), file("complaint-of-it"))
        for name in [output, complaint] { _ = FileManager.default.createFile(atPath: name, contents: nil) }
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: complaint)
        try process.run()
        process.waitUntilExit()
        defer { for name in [output, complaint] { try? FileManager.default.removeItem(atPath: name) } }
        return Answer(
            code: process.terminationStatus, output: folder.text("output-of-it"),
            complaint: folder.text("complaint-of-it"))
    }

    /// A copy of a program that was built beside the tests; another process writes it, so that it can be run at once.
    func copy(_ name: String, as copy: String, mode: String = "755") throws {
        let answer = try run("/usr/bin/install", ["-m", mode, ToolScene.built(name), file(copy)])
        guard answer.code == 0 else { throw POSIXError(.EIO) }
    }

    /// Makes a key for a prefix; the signer file is beside it.
    func makeKey(_ name: String, prefix: String = "TEAM.") throws {
        let answer = try tool("sign-key", "--prefix", prefix, "\(name).pem")
        guard answer.code == 0 else { throw POSIXError(.EIO) }
        try write(answer.output, to: "\(name).plist")
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file(name))) }

    func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
    }

    /// What is there, without what tests have to be there.
    var names: [String] { TestFolder.names(in: path) ?? [] }

    static func built(_ name: String) throws -> String {
        guard let image = llt_image_path() else { throw POSIXError(.ENOENT) }
        return URL(fileURLWithPath: String(cString: image)).deletingLastPathComponent().appendingPathComponent(name)
            .path
    }
}
