// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The daemon of a service manager, which has the socket and hands it over.
@Suite struct ActivationTests {
    @Test("a socket that is handed over is served, and stays good for the next daemon, with whoever came in between")
    func socket() throws {
        let scene = try ServiceScene()
        let listener = try scene.listen()
        defer { close(listener) }
        let first = try scene.start(listener: listener)
        let program = try scene.program()
        #expect(try program.ask("add kept") == ["0"])
        try scene.stop(first)
        #expect(first.terminationStatus == 0)
        // Whoever comes now waits in the socket for a daemon to come.
        let early = try scene.process("llavero-test-helper", ["ask"])
        let (question, answer) = (Pipe(), Pipe())
        (early.standardInput, early.standardOutput) = (question, answer)
        try question.fileHandleForWriting.write(contentsOf: Data("get kept\n".utf8))
        try question.fileHandleForWriting.close()
        try early.run()
        let second = try scene.start(listener: listener)
        #expect(
            String(decoding: answer.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                .contains("0 value of kept"))
        early.waitUntilExit()
        #expect(try program.ask("get kept") == ["0", "value of kept"])
        #expect(try scene.program().ask("get kept") == ["0", "value of kept"])
        try scene.stop(second)
        #expect(FileManager.default.fileExists(atPath: scene.socket))
    }

    @Test("a descriptor that is no such socket is refused")
    func otherDescriptor() throws {
        let scene = try ServiceScene()
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(try scene.failure(listener: file) == 1)
        #expect(scene.complaints.contains("the service manager's socket cannot be used"))
    }
}
