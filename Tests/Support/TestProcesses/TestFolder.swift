// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A folder that goes away at the end of a test, with everything in it.
package final class TestFolder: Sendable {
    /// Absolute and without symbolic links, as the kernel names it.
    package let path: String

    package init() throws {
        var template = Array("/tmp/llavero-test-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        guard made else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String { path + "/" + name }

    package func text(_ name: String) -> String {
        (try? String(contentsOfFile: file(name), encoding: .utf8)) ?? ""
    }

    package func makeFolder(_ name: String, mode: Int = 0o700) throws -> String {
        try FileManager.default.createDirectory(
            atPath: file(name), withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
        // The process's umask has been at the mode.
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
        return file(name)
    }

    /// The names in a folder, without those of the notes that keychains keep beside theirs, or nil when there is no such folder.
    package static func names(in path: String) -> [String]? {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.filter {
            !$0.hasPrefix(".tally-") && !$0.hasPrefix(".backup-") && !$0.hasPrefix(".snapshots-")
        }.sorted()
    }
}
