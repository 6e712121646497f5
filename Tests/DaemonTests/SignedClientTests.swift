// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrompts
import Testing

/// Programs that the daemon knows by the signature in their own file.
@Suite(.enabled(if: geteuid() == 0, "only root can put signers where the daemon believes them"))
struct SignedClientTests {
    private let scene: DaemonScene
    private let place: RootFolder

    init() throws {
        scene = try DaemonScene()
        place = try RootFolder()
    }

    private func tool(_ arguments: String...) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try SessionProcess.helper("llavero"))
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return said
    }

    private func sign(_ name: String, _ identifier: String, serial: Int) throws {
        _ = try tool(
            "sign", "--key", place.file("key.pem"), "--identifier", identifier, "--serial", String(serial), "--output",
            place.file(name), try SessionProcess.helper("llavero-test-helper"))
    }

    @Test("what a signed program stores is its own, and its upgrade's: no other program, signed or not, finds it")
    func upgrade() throws {
        try place.makeFolder("signers.d")
        let signer = try tool("sign-key", "--prefix", "TEAM.", place.file("key.pem"))
        try place.write(signer, to: "signers.d/team.plist")
        let daemon = try scene.startDaemon("--signers", place.file("signers.d"))
        defer { daemon.terminate() }
        try sign("app", "TEAM.app", serial: 1)
        #expect(try scene.program(at: place.file("app")).ask("add secret") == ["0"])
        #expect(try scene.program().ask("get secret").first == "-25300")
        try sign("other", "TEAM.other", serial: 1)
        #expect(try scene.program(at: place.file("other")).ask("get secret").first == "-25300")
        try sign("foreign", "FOREIGN.app", serial: 1)
        #expect(try scene.program(at: place.file("foreign")).ask("get secret").first == "-34018")
        // The next version, in the place of the first; nobody tells the daemon.
        try sign("app", "TEAM.app", serial: 2)
        #expect(try scene.program(at: place.file("app")).ask("get secret") == ["0", "value of secret"])
    }
}

/// A folder that root alone can reach into, from the root on; it goes away at the end.
private final class RootFolder {
    private let path: String

    init() throws {
        path = "/var/lib/llavero-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try allow(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: false)
        try allow(file(name))
    }

    func write(_ bytes: Data, to name: String) throws {
        try bytes.write(to: URL(fileURLWithPath: file(name)))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file(name))
    }

    /// Whatever the umask is.
    private func allow(_ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
}
