// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A repository behind HTTP, for one user with a password.
final class GitServer {
    private let scene: HelperScene
    private let process = Process()
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
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-B", script, root, scene.file("user"), pipe]
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        process.standardInput = FileHandle.nullDevice
        process.terminationHandler = { _ in
            // Whoever waits for the port would wait for ever.
            let descriptor = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 { close(descriptor) }
        }
        try process.run()
        // Ends when the server has written its port, or is gone.
        guard let text = try? String(contentsOfFile: pipe, encoding: .utf8), let port = UInt16(text.dropLast()) else {
            throw POSIXError(.ECONNREFUSED)
        }
        address = "127.0.0.1:\(port)"
    }

    deinit {
        process.terminationHandler = nil
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var url: String { "http://\(address)/project.git" }

    func setUser(_ user: String, password: String) throws { try scene.write("\(user):\(password)", to: "user") }

    /// The answers so far: codes, and who said to be asking.
    var requests: [String] {
        scene.folder.text("served/requests").split(separator: "\n").map(String.init)
    }
}
