// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses
import Testing

/// Programs that run somebody's tests, such as this one.
@Suite struct TestRunnerTests {
    @Test("inside swift test, a plain call never reaches the user's own keychain")
    func here() throws {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? "/"
        let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? home + "/.local/share"
        let before = TestFolder.names(in: data + "/llavero")
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "test runner",
            kSecAttrAccount as String: UUID().uuidString, kSecValueData as String: Data("x".utf8),
        ]
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        #expect(try Llavero.folder() == nil)
        #expect(TestFolder.names(in: data + "/llavero") == before)
    }

    @Test(
        "a program with a test runner's name works on a keychain of its own and says so in one line",
        arguments: ["swiftpm-testing-helper", "swiftpm-xctest-helper", "xctest", "a.xctest", "aPackageTests"])
    func named(name: String) throws {
        let folder = try TestFolder()
        let copy = folder.file(name)
        try ProgramFile.copy(HelperProcess.path(), to: copy)
        var probe = ProbeRun(folder, ["HOME": folder.path, "LLAVERO_HOME": folder.file("root")])
        probe.program = copy
        try expectThrowaway(probe)

        probe.environment["LLAVERO_TEST_KEYCHAIN"] = "real"
        #expect(try probe("add", "folder") == ["add 0", "folder \(folder.file("root"))/login"])
    }

    @Test(
        "a program that XCTest runs works on a keychain of its own",
        arguments: ["XCTestConfigurationFilePath", "XCTestBundlePath"])
    func configured(variable: String) throws {
        let folder = try TestFolder()
        let environment = ["HOME": folder.path, "LLAVERO_HOME": folder.file("root"), variable: "/somewhere"]
        try expectThrowaway(ProbeRun(folder, environment))
    }

    private func expectThrowaway(_ probe: ProbeRun) throws {
        let lines = try probe("add", "find", "add", "folder")
        let notices = lines.filter { $0.hasPrefix("llavero: ") }
        #expect(notices.count == 1)
        #expect(notices.first?.contains("LLAVERO_TEST_KEYCHAIN=real") == true)
        let rest = lines.filter { !$0.hasPrefix("llavero: ") }
        #expect(rest == ["add 0", "find 0 value of account", "add -25299", "folder memory"])
        #expect(TestFolder.names(in: probe.folder.file("root")) == nil)
        #expect(TestFolder.names(in: probe.folder.file(".local")) == nil)
    }
}
