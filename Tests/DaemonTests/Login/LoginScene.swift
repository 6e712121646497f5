// SPDX-License-Identifier: Apache-2.0

import CPeer
import Foundation
import TestProcesses
import TestPrompts

/// A login with the system's own PAM and pam_exec, which runs the script that we install, with a stand-in for the tool.
///
/// The stand-in writes down what it is given.
final class LoginScene {
    let folder: TestFolder
    var socket: String { folder.file("socket") }
    private var listener: Int32 = -1

    init() throws {
        folder = try TestFolder()
        chmod(folder.path, 0o755)
        for name in ["prefix/bin", "pam.d", "seen"] { _ = try folder.makeFolder(name, mode: 0o755) }
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let script = try String(
            contentsOf: repository.appendingPathComponent("Packaging/pam/llavero-unlock"), encoding: .utf8)
        try install(script.replacing("@PREFIX@", with: folder.file("prefix")), "prefix/llavero-unlock")
        try install(
            """
            #!/bin/sh
            seen=\(folder.file("seen"))
            cat > "$seen/input"
            printf '%s\\n' "$@" > "$seen/arguments"
            env | sort > "$seen/environment"
            id -u > "$seen/user"
            : > "$seen/done"
            exit "$(cat \(folder.file("status")) 2>/dev/null || echo 0)"
            """, "prefix/bin/llavero")
    }

    deinit { if listener >= 0 { close(listener) } }

    /// A socket where a daemon would be.
    func listen() throws {
        listener = llv_peer_listen(socket, 0o666, 8)
        guard listener >= 0 else { throw Trouble("no listener: \(-listener)") }
    }

    /// Ends it, and leaves its file.
    func stopListening() {
        close(listener)
        listener = -1
    }

    /// Whether somebody listens.
    var isServed: Bool {
        let client = llv_peer_connect(socket)
        if client >= 0 { close(client) }
        return client >= 0
    }

    /// Puts the tool itself in the place of its stand-in.
    func installTool() throws {
        let place = folder.file("prefix/bin/llavero")
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.createSymbolicLink(
            atPath: place, withDestinationPath: try SessionProcess.helper("llavero"))
    }

    /// What the tool is to end with.
    func setStatus(_ status: Int32) throws {
        try "\(status)".write(toFile: folder.file("status"), atomically: true, encoding: .utf8)
    }

    /// What the stand-in saw of this; empty when it was not started.
    func seen(_ name: String) -> String { folder.text("seen/" + name) }

    /// Waits until the stand-in has been there.
    func awaitTool() throws {
        try EventLimit.wait(for: "the tool unlocks") {
            FileManager.default.fileExists(atPath: folder.file("seen/done"))
        }
    }

    /// Logs in; true when PAM lets one in.
    ///
    /// `type` is the phase that runs the script.
    func login(_ password: String, options: String, user: String = NSUserName(), type: String = "auth") throws -> Bool {
        let module = "pam_exec.so expose_authtok quiet quiet_log"
        let script = folder.file("prefix/llavero-unlock")
        // The module's own failure would count here, unlike with "optional".
        try "\(type) required \(module) \(script) --socket \(socket) \(options)\n".write(
            toFile: folder.file("pam.d/test"), atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", LoginScene.program, folder.file("pam.d"), user]
        let input = Pipe()
        process.standardInput = input
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(password.utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private func install(_ script: String, _ name: String) throws {
        try ProgramFile.write(script, to: folder.file(name))
    }

    /// A program that asks PAM, and answers its question with what it has read.
    private static let program = """
        import ctypes, sys
        pam, libc = ctypes.CDLL('libpam.so.0'), ctypes.CDLL(None)
        libc.calloc.restype, libc.strdup.restype = ctypes.c_void_p, ctypes.c_void_p
        password = sys.stdin.buffer.read()
        class Response(ctypes.Structure): _fields_ = [('text', ctypes.c_void_p), ('code', ctypes.c_int)]
        Talk = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p)
        class Conversation(ctypes.Structure): _fields_ = [('talk', Talk), ('data', ctypes.c_void_p)]
        def talk(count, messages, responses, data):
            all = libc.calloc(count, ctypes.sizeof(Response))
            for index in range(count):
                one = Response.from_address(all + index * ctypes.sizeof(Response))
                one.text = libc.strdup(password)
            responses[0] = all
            return 0
        keep, handle = Talk(talk), ctypes.c_void_p()
        conversation = Conversation(keep, None)
        if pam.pam_start_confdir(b'test', sys.argv[2].encode(), ctypes.byref(conversation), sys.argv[1].encode(), ctypes.byref(handle)):
            sys.exit(2)
        sys.exit(1 if pam.pam_authenticate(handle, 0) else 0)
        """
}
