// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses
internal import TestPrompts

/// A repository behind HTTP, for one user with a password.
final class GitServer {
    private let scene: HelperScene
    private let process: SessionProcess
    let address: String

    init(_ scene: HelperScene, user: String, password: String) throws {
        self.scene = scene
        let root = try scene.folder.makeFolder("served")
        try scene.need("git", "init", "--quiet", "--bare", "--initial-branch=main", root + "/project.git")
        try scene.write("\(user):\(password)", to: "user")
        let pipe = scene.file("port")
        guard mkfifo(pipe, 0o600) == 0 else { throw POSIXError(.EIO) }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Server/git-server.py").path
        process = try SessionProcess(
            ["/usr/bin/python3", "-B", script, root, scene.file("user"), pipe],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], terminal: nil)
        guard let port = GitServer.line(of: pipe).flatMap({ UInt16($0) }) else {
            kill(process.pid, SIGKILL)
            _ = try? process.wait()
            throw POSIXError(.ECONNREFUSED)
        }
        address = "127.0.0.1:\(port)"
    }

    deinit {
        kill(process.pid, SIGKILL)
        _ = try? process.wait()
    }

    /// What somebody writes into a pipe, up to a line feed; nil when nobody does in time.
    private static func line(of pipe: String) -> String? {
        let descriptor = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(descriptor) }
        var text = ""
        while !text.hasSuffix("\n") {
            var awaited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            var byte: UInt8 = 0
            guard poll(&awaited, 1, 60_000) == 1, read(descriptor, &byte, 1) == 1 else { return nil }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return String(text.dropLast())
    }

    var url: String { "http://\(address)/project.git" }

    func setUser(_ user: String, password: String) throws { try scene.write("\(user):\(password)", to: "user") }

    /// The answers so far: codes, and who said to be asking.
    var requests: [String] {
        scene.folder.text("served/requests").split(separator: "\n").map(String.init)
    }
}
