// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// A real display of somebody who has each program on it load a library.
final class HostileDisplay {
    private(set) var name = ""
    /// What the library leaves, with the user of whoever loaded it.
    let mark: String
    private let folder: TestFolder
    private let server = Process()
    private let settings = Process()

    static let isPossible =
        ["/usr/bin/Xvfb", "/usr/bin/pinentry-gtk-2"].allSatisfy(FileManager.default.isExecutableFile)

    init() throws {
        folder = try TestFolder()
        chmod(folder.path, 0o755)
        // Where everybody may write.
        mark = "/dev/shm/llavero-mark-\(UUID().uuidString)"
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Support/HostileDisplay").standardized.path
        let library = folder.file("mark.so")
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["cc", "-shared", "-fPIC", "-DMARK=\"\(mark)\"", "-o", library, sources + "/mark.c"]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0, chmod(library, 0o755) == 0 else { throw Trouble("no library") }
        name = ":" + (try HostileDisplay.start(server, "Xvfb", ["-displayfd", "1", "-nolisten", "tcp", "-ac"]))
        settings.environment = ["DISPLAY": name, "PATH": "/usr/bin:/bin"]
        // Debian's own, which sees Debian's modules.
        let word = try HostileDisplay.start(
            settings, "/usr/bin/python3", [sources + "/xsettings.py", library])
        guard word == "ready" else { throw Trouble("the display has no settings: \(word)") }
    }

    deinit {
        for process in [settings, server] where process.isRunning {
            // Whatever signals the thread that started it keeps from it.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        unlink(mark)
    }

    /// Whose programs loaded the library so far.
    var marks: String { (try? String(contentsOfFile: mark, encoding: .utf8)) ?? "" }

    func forgetMarks() { unlink(mark) }

    /// Starts a program; the first line that it prints.
    private static func start(_ process: Process, _ program: String, _ arguments: [String]) throws -> String {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
