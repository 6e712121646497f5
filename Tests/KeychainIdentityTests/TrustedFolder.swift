// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainIdentity
internal import TestProcesses

/// A folder that only this user and root can reach into, from the root on; it goes away at the end.
///
/// None in /tmp is such a folder.
final class TrustedFolder: Sendable {
    let path: String

    init() throws {
        var template = Array((TrustedFolder.parent + "/llavero-test-XXXXXX").utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        guard made else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try setMode(0o755, of: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// A copy of a file, of this user, with this mode.
    ///
    /// Another process writes it: of a file that is open here for writing, whoever forks just now has a copy, and as long
    /// as it has that, the file cannot be executed.
    @discardableResult
    func copy(_ source: String, as name: String, mode: Int = 0o755) throws -> String {
        let copier = try HelperProcess(
            ["-m", String(mode, radix: 8), source, file(name)], environment: [:], output: "/dev/null",
            program: "/usr/bin/install")
        guard copier.wait() == .exited(0) else { throw POSIXError(.EIO) }
        return file(name)
    }

    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        try setMode(mode, of: file(name))
        return file(name)
    }

    func makeFolder(_ name: String, mode: Int = 0o755) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: false)
        try setMode(mode, of: file(name))
    }

    func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    static let isRoot = geteuid() == 0
    static let owners = TrustedOwners([0, geteuid()])

    private static let parent = isRoot ? "/var/lib" : NSHomeDirectory()

    /// Whether there is such a place on this machine.
    static let isPossible: Bool = {
        do {
            let folder = try TrustedFolder()
            return (try? TrustedPath(folder.path, owners: owners)) != nil
        } catch { return false }
    }()
}
