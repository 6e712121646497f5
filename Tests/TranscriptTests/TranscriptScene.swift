// SPDX-License-Identifier: Apache-2.0

internal import CTestSupport
internal import Foundation
internal import TestProcesses
internal import TestPrompts

/// Where a transcript's commands run: a folder of their own, the tools, and nothing else of this machine's user.
final class TranscriptScene {
    private let folder: TestFolder
    private let environment: [String: String]
    private let disk: SmallDisk?

    static let tools = [
        "llavero", "security", "git-credential-llavero", "docker-credential-llavero", "cargo-credential-llavero",
        "llavero-askpass",
    ]

    /// With `hasAgent` there is a session's folder, for a daemon that a command starts; when `isAlone` none can be started.
    ///
    /// With a disk the keychains are there.
    init(hasAgent: Bool, isAlone: Bool, on disk: SmallDisk? = nil) throws {
        folder = try TestFolder()
        self.disk = disk
        let tools = try folder.makeFolder("bin")
        let program = try TranscriptScene.built("llavero")
        for name in TranscriptScene.tools {
            try FileManager.default.createSymbolicLink(atPath: tools + "/" + name, withDestinationPath: program)
        }
        // Where the tools that ask look for their terminal: a session without one has none.
        var variables = [
            "PATH": "\(tools):/usr/bin:/bin", "HOME": try folder.makeFolder("home"), "LC_ALL": "C.UTF-8",
            "TMPDIR": try folder.makeFolder("tmp"), "TERM": "dumb",
            "TZ": "UTC",
            // Ends at once, so that the terminal is asked on as it is; else what a dialog draws would be in the answers.
            "PINENTRY": "/bin/false",
        ]
        if hasAgent {
            variables["XDG_RUNTIME_DIR"] = try folder.makeFolder("run")
        } else {
            variables["LLAVERO_HOME"] = folder.file("keychains")
            if isAlone { variables["LLAVERO_SOCKET"] = "nowhere" }
        }
        if let disk {
            variables["DISK"] = disk.mounted
            variables["LLAVERO_HOME"] = disk.mounted + "/keychains"
            for (name, command) in [("fill-disk", SmallDisk.filling), ("empty-disk", SmallDisk.emptying)] {
                let script = Data("#!/bin/sh\nexec 2>/dev/null\n\(command)\n".utf8)
                _ = FileManager.default.createFile(
                    atPath: tools + "/" + name, contents: script, attributes: [.posixPermissions: 0o755])
            }
        }
        environment = variables
        _ = try folder.makeFolder("work")
    }

    deinit { endDaemons() }

    /// Runs a step's command; the lines that it printed, and its exit code.
    func run(_ step: TranscriptStep) throws -> (lines: [String], code: Int32) {
        let bytes: [UInt8]
        let code: Int32
        if step.isOnTerminal {
            (bytes, code) = try runOnTerminal(step)
        } else {
            let input = step.input.map { $0 + "\n" }.joined()
            try Data(input.utf8).write(to: URL(fileURLWithPath: folder.file("input")))
            let script = "cd \"$1\" && exec <\"$2\" >\"$3\" 2>&1 && eval \"$4\""
            let process = try SessionProcess(
                words(script, folder.file(step.input.isEmpty ? "none" : "input"), step.command),
                environment: environment, terminal: nil)
            code = try process.wait()
            bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.file("output"))))
        }
        return (lines(of: bytes), code)
    }

    /// Types a line each time that the program stops showing what is typed and has asked.
    private func runOnTerminal(_ step: TranscriptStep) throws -> ([UInt8], Int32) {
        let terminal = try PseudoTerminal()
        let process = try terminal.run(words("cd \"$1\" && eval \"$4\"", "", step.command), environment: environment)
        for line in step.input {
            // Every question ends so, and waits.
            try terminal.wait(for: ": ")
            try terminal.wait(forEcho: false)
            try terminal.type(line + "\n")
        }
        let code = try process.wait()
        return (Array(terminal.shown.replacingOccurrences(of: "\r\n", with: "\n").utf8), code)
    }

    private func words(_ script: String, _ input: String, _ command: String) -> [String] {
        if input.hasSuffix("/none") { _ = FileManager.default.createFile(atPath: input, contents: nil) }
        return (disk?.launcher ?? []) + [
            "/bin/sh", "-c", script, "sh", folder.file("work"), input, folder.file("output"), command,
        ]
    }

    private func lines(of bytes: [UInt8]) -> [String] {
        var text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: folder.path, with: "«folder»")
        if let disk { text = text.replacingOccurrences(of: disk.mounted, with: "«disk»") }
        if text.isEmpty { return [] }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() } else { lines[lines.count - 1] += "«end»" }
        return lines
    }

    /// Ends the daemons that the commands left, which have this folder in their environment.
    private func endDaemons() {
        let mark = Data("HOME=\(folder.file("home"))".utf8)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = pid_t(name), process != getpid(),
                let variables = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(name)/environ")),
                variables.range(of: mark) != nil
            else { continue }
            kill(process, SIGKILL)
            // It holds files of the folder as long as it is there, and more than a name in the list of processes.
            try? EventLimit.wait(for: "a daemon has ended") {
                let state = (try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8))?
                    .split(separator: ")").last?.first(where: { $0 != " " })
                return state == nil || state == "Z" || state == "X"
            }
        }
    }

    private static func built(_ name: String) throws -> String {
        guard let image = llt_image_path() else { throw POSIXError(.ENOENT) }
        return URL(fileURLWithPath: String(cString: image)).deletingLastPathComponent().appendingPathComponent(name)
            .path
    }
}
