// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A library that is loaded before others and kills a process at a point, or makes its calls fail; compiled for this run.
package struct Interposer: Sendable {
    package let path: String
    private let folder: TestFolder

    /// Which one: `kill_point` or `fault_point`.
    package init(_ name: String = "kill_point") throws {
        folder = try TestFolder()
        path = folder.file("\(name).so")
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../KillPoint/\(name).c").standardized.path
        var said: [String] = []
        for compiler in ["cc", "clang", "gcc"] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", path, source, "-ldl",
            ]
            let pipe = Pipe()
            process.standardError = pipe
            try process.run()
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            if process.terminationStatus == 0 { return }
            said.append("\(compiler): \(text)")
        }
        throw Trouble("the interposer cannot be compiled: \(said)")
    }
}
