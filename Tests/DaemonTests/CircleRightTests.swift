// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// Who may have a keychain take and give what a circle's devices share: items of every group.
@Suite struct CircleRightTests {
    @Test("a user's daemon serves a program that says it is a tool, and no other")
    func own() throws {
        let scene = try DaemonScene()
        let daemon = try scene.startDaemon()
        defer { daemon.terminate() }
        let (plain, tool) = (try scene.program(), try scene.program())
        #expect(try plain.ask("add mine") == ["0"])
        for wish in ["begin", "end", "item", "changes", "attest"] {
            #expect(try plain.ask("circle \(wish)") == ["missingEntitlement"])
        }
        #expect(try tool.ask("circle claim") == ["0"])
        // It may, and there is no TPM that would.
        #expect(try tool.ask("circle attest") == ["notAvailable"])
        #expect(try tool.ask("circle changes") == ["itemNotFound"])
        #expect(try tool.ask("circle begin") == ["0"])
        #expect(try tool.ask("circle begin") == ["duplicateItem"])
        #expect(try tool.ask("circle item") == ["added"])
        #expect(try plain.ask("circle changes") == ["missingEntitlement"])
        #expect(try tool.ask("circle end") == ["0"])
    }

    @Test(
        "the system's daemon believes files alone",
        .enabled(if: UserScene.isPossible, "only root can install programs for other users"))
    func system() throws {
        let scene = try UserScene()
        for name in ["plain", "tool", "keys"] { try scene.installed.install("llavero-test-helper", as: name) }
        try scene.installed.entitle(
            "tool", ["synchronizes": "<true/>", "application-identifier": InstalledFolder.text("TOOL")])
        try scene.installed.entitle(
            "keys", ["administers-keys": "<true/>", "application-identifier": InstalledFolder.text("KEYS")])
        try scene.startSystemDaemon()
        for name in ["plain", "keys"] {
            let program = try scene.program(name)
            #expect(try program.ask("circle claim") == ["0"])
            #expect(try program.ask("circle begin") == ["missingEntitlement"])
            #expect(try program.ask("circle changes") == ["missingEntitlement"])
            #expect(try program.ask("circle attest") == ["missingEntitlement"])
        }
        let tool = try scene.program("tool")
        #expect(try tool.ask("circle begin") == ["0"])
        #expect(try tool.ask("circle item") == ["added"])
        #expect(try tool.ask("circle item") == ["same"])
        #expect(try tool.ask("circle changes") == ["0"])
    }
}
