// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthentication
import TestProcesses
import TestPrompts
import Testing

/// Which program is asked with.
@Suite struct PinentryChoiceTests {
    private func ask(_ variables: [String: String], isPrivileged: Bool = false) throws -> Asked {
        let prompt = SystemPrompt(.desktop(["PATH": "/nowhere"].merging(variables) { $1 }, isPrivileged: isPrivileged))
        return try Asked.later(prompt, .test()).result()
    }

    /// A program in a folder of its own that answers with its own path.
    private func program(_ folder: TestFolder, mode: Int = 0o755) throws -> String {
        let path = try FakePinentry.asking("echo D $0; echo OK", in: folder.path)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test("PINENTRY chooses the program, though PATH has another")
    func chosen() throws {
        let (first, second) = (try TestFolder(), try TestFolder())
        _ = try program(first)
        let chosen = try program(second)
        #expect(try ask(["PATH": first.path, "PINENTRY": chosen]) == .answer(chosen))
        #expect(try ask(["PATH": first.path, "PINENTRY": ""]) == .answer(first.path + "/pinentry"))
    }

    /// The same file, from wherever the tests are run.
    private func relative(_ path: String) -> String { String(repeating: "../", count: 40) + path.dropFirst() }

    @Test("a PINENTRY that is not the absolute path of a program is refused, though PATH has one")
    func strange() throws {
        let folder = try TestFolder()
        let path = try program(folder)
        let plain = folder.file("plain")
        try "#!/bin/sh\n".write(toFile: plain, atomically: true, encoding: .utf8)
        let others = try TestFolder()
        let writable = try program(others, mode: 0o777)
        for strange in [
            "pinentry", "./pinentry", relative(path), folder.path, plain, writable, path + "\n", path + "/", "/nowhere",
            path + " --debug", "~/pinentry", String(repeating: "/", count: 5000) + path,
        ] {
            #expect(try ask(["PATH": folder.path, "PINENTRY": strange]) == .notAvailable, "\(strange)")
        }
    }

    @Test("only absolute folders of PATH count, and of those the first with a program")
    func path() throws {
        let (empty, full, last) = (try TestFolder(), try TestFolder(), try TestFolder())
        _ = try empty.makeFolder("pinentry")
        let path = try program(full)
        _ = try program(last)
        #expect(try ask(["PATH": ":.:bin:\(empty.path):/nowhere:\(full.path):\(last.path)"]) == .answer(path))
        #expect(try ask(["PATH": ":.:bin:\(relative(full.path))"]) == .notAvailable)
    }

    @Test("whoever starts a program with more rights than theirs chooses nothing for it")
    func privileged() throws {
        let folder = try TestFolder()
        let path = try program(folder)
        let answer = try ask(["PATH": folder.path, "PINENTRY": path], isPrivileged: true)
        // The system's own pinentry, if there is one, which finds neither display nor terminal here.
        #expect(answer != .answer(path))
    }
}
