// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestPrompts

/// A folder that only root can change, from the root on, with programs and with files that say what they may.
final class InstalledFolder {
    let path: String
    var entitlements: String { file("entitlements.d") }

    init() throws {
        var template = Array("/var/lib/llavero-test-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        guard made else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(path, 0o755)
        try makeFolder("entitlements.d", mode: 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func makeFolder(_ name: String, mode: mode_t, user: UInt32 = 0) throws {
        guard mkdir(file(name), 0o700) == 0, chmod(file(name), mode) == 0, chown(file(name), user, user) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// A copy of a program that lies beside the tests, marked with a group if one is given.
    ///
    /// Another process writes it: as long as whoever forks just now has a file open for writing, nobody can execute it.
    @discardableResult
    func install(_ program: String, as name: String, group: UInt32? = nil) throws -> String {
        let source = program.hasPrefix("/") ? program : try SessionProcess.helper(program)
        let mark = group.map { ["-g", "\($0)"] } ?? []
        let copier = try HelperProcess(
            ["-m", group == nil ? "755" : "2755"] + mark + [source, file(name)], environment: [:],
            output: "/dev/null", program: "/usr/bin/install")
        guard copier.wait() == .exited(0) else { throw POSIXError(.EIO) }
        return file(name)
    }

    /// Says what a program at `name` may, or one that has a group if that is given; the values are XML.
    func entitle(
        _ name: String, group: UInt32? = nil, unit: String? = nil, _ values: KeyValuePairs<String, String>
    ) throws {
        let match =
            group.map { "<key>group</key><integer>\($0)</integer>" }
            ?? unit.map { "<key>unit</key><string>\($0)</string>" }
            ?? "<key>path</key><string>\(file(name))</string>"
        let entries = values.map { "<key>\($0.key)</key>\($0.value)" }.joined()
        let text = "<plist version=\"1.0\"><dict><key>match</key><dict>\(match)</dict>\(entries)</dict></plist>\n"
        let rule = "\(entitlements)/\(name).plist"
        try Data(text.utf8).write(to: URL(fileURLWithPath: rule))
        chmod(rule, 0o644)
    }

    static func text(_ text: String) -> String { "<string>\(text)</string>" }
    static func texts(_ texts: String...) -> String { "<array>\(texts.map(text).joined())</array>" }
}
