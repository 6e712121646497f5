// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A script of a test's own that is run.
package enum ProgramFile {
    /// Has another process write it.
    ///
    /// A file that is open for writing cannot be executed, and what is open here is open for a moment in every child that
    /// another test starts.
    package static func write(_ text: String, to path: String, mode: Int = 0o755) throws {
        let source = path + ".text"
        try Data(text.utf8).write(to: URL(fileURLWithPath: source))
        defer { try? FileManager.default.removeItem(atPath: source) }
        let copy = Process()
        copy.executableURL = URL(fileURLWithPath: "/usr/bin/install")
        copy.arguments = ["-m", String(mode, radix: 8), source, path]
        try copy.run()
        copy.waitUntilExit()
        guard copy.terminationStatus == 0 else { throw Trouble("no script at \(path)") }
    }
}
