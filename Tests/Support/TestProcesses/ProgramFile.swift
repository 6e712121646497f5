// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A program or script in a place of a test's own, from which it is run.
///
/// Another process writes it: a file that is open for writing cannot be executed, and what is open here is open for a moment in
/// every child that another test starts.
package enum ProgramFile {
    package static func write(_ text: String, to path: String, mode: Int = 0o755) throws {
        let source = path + ".text"
        try Data(text.utf8).write(to: URL(fileURLWithPath: source))
        defer { try? FileManager.default.removeItem(atPath: source) }
        try copy(source, to: path, mode: mode)
    }

    package static func copy(_ source: String, to path: String, mode: Int = 0o755) throws {
        let copy = Process()
        copy.executableURL = URL(fileURLWithPath: "/usr/bin/install")
        copy.arguments = ["-m", String(mode, radix: 8), source, path]
        try copy.run()
        copy.waitUntilExit()
        guard copy.terminationStatus == 0 else { throw Trouble("no program at \(path)") }
    }
}
