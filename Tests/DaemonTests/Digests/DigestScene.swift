// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// Entitlement files about a program of Debian's, and the script that refreshes their digests, with a copy of what dpkg knows
/// of its package.
final class DigestScene {
    private let folder: TestFolder
    /// A program that every Debian has, in a package of its own.
    let program: String
    private let package: String
    static let old = String(repeating: "0f", count: 32)

    init() throws {
        folder = try TestFolder()
        (program, package) = ("/usr/bin/dpkg", "dpkg")
        _ = try folder.makeFolder("rules", mode: 0o755)
        _ = try folder.makeFolder("dpkg/info", mode: 0o755)
        for name in ["status", "info/\(package).list", "info/\(package).md5sums"] {
            try FileManager.default.copyItem(atPath: "/var/lib/dpkg/\(name)", toPath: folder.file("dpkg/\(name)"))
        }
    }

    /// The digest that it has now.
    func digest() throws -> String { try String(run("/usr/bin/sha256sum", program).text.prefix(64)) }

    /// A rule about a file; `more` is in its match too.
    static func rule(_ path: String, _ digest: String = old, more: String = "<key>refreshes</key>\n  <true/>") -> String
    {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
          <key>match</key><dict>
            <key>path</key> <string>\(path)</string>
            <key>sha256</key>
            <string>\(digest)</string>
            \(more)
          </dict>
          <key>application-identifier</key><string>TEAM.a</string>
        </dict></plist>

        """
    }

    func write(_ text: String, mode: mode_t = 0o644) throws {
        try text.write(toFile: folder.file("rules/a.plist"), atomically: true, encoding: .utf8)
        chmod(folder.file("rules/a.plist"), mode)
    }

    var text: String { folder.text("rules/a.plist") }
    var files: [String]? { TestFolder.names(in: folder.file("rules")) }

    /// Changes what dpkg knows of the package.
    func changeDatabase(_ name: String, _ change: (String) -> String) throws {
        let path = folder.file("dpkg/\(name)")
        try change(String(contentsOfFile: path, encoding: .utf8)).write(
            toFile: path, atomically: true, encoding: .utf8)
    }

    /// The entitlement file of `llavero` that comes with it.
    static func example() throws -> String {
        try String(contentsOfFile: packaged("entitlements/llavero.plist"), encoding: .utf8)
    }

    /// Runs the script; its exit code.
    func refresh() throws -> Int32 { try answer().status }

    /// Runs the script; what it says, and its exit code.
    func answer() throws -> (text: String, status: Int32) {
        try run(
            DigestScene.packaged("digests/llavero-refresh-digests"), "--folder", folder.file("rules"), "--admindir",
            folder.file("dpkg"))
    }

    private static func packaged(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Packaging/\(name)")
            .path
    }

    private func run(_ program: String, _ arguments: String...) throws -> (text: String, status: Int32) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }
}
