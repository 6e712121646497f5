// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestPrompts
import Testing

/// A user whose display has each program on it load a library: it is never the system's daemon, or anything of its user.
@Suite(
    .enabled(if: UserScene.isPossible, "only root can install programs for other users"),
    .enabled(if: HostileDisplay.isPossible, "needs Xvfb and pinentry-gtk-2"))
struct HostileDisplayTests {
    @Test("the display's library is never loaded by the daemon, nor anything that the language names")
    func display() throws {
        let display = try HostileDisplay()
        let scene = try UserScene()
        let asking = ["DISPLAY": display.name, "LANGUAGE": "../../../dev/shm/llavero", "LANG": "de_DE.UTF-8"]

        // The trap works: whoever's pinentry comes to this display loads the library.
        let victim = try scene.start(
            "/bin/sh", ["-c", "echo GETPIN | exec timeout 60 /usr/bin/pinentry-gtk-2"], environment: asking,
            as: UserScene.otherUser)
        try EventLimit.wait(for: "the victim's dialog") {
            display.marks.contains("loaded by user \(UserScene.otherUser)")
        }
        kill(victim.pid, SIGTERM)
        _ = try victim.wait()
        display.forgetMarks()

        try scene.installed.install("llavero-prompt-agent", as: "llavero-prompt-agent")
        try scene.installed.install("llavero-test-helper", as: "program")
        try scene.installed.entitle(
            "program", ["application-identifier": InstalledFolder.text("TEAM.app"), "administers-keys": "<true/>"])
        try scene.startSystemDaemon(
            environment: ["PINENTRY": "/usr/bin/pinentry-gtk-2", "PATH": "/usr/bin:/bin", "DISPLAY": display.name])
        #expect(try scene.run("program", ["access", "put"]).code == 0)
        let output = scene.installed.file("output")
        #expect(try scene.start("program", ["access", "get"], output: output, environment: asking).wait() == 0)
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(text.contains("got -25308 nothing"), "\(text)")
        #expect(display.marks == "")
        try scene.expectNoChildOfDaemon()

        // With an agent it is that user's own dialog that loads it, as that user.
        let agent = try scene.start(
            "llavero-prompt-agent", output: scene.installed.file("agent"),
            environment: asking.merging(["PINENTRY": "/usr/bin/pinentry-gtk-2"]) { $1 })
        try EventLimit.wait(for: "the agent") {
            (try? String(contentsOfFile: scene.installed.file("agent"), encoding: .utf8))?.contains(
                "waiting for questions") == true
        }
        let process = try scene.start("program", ["access", "get"], output: output, environment: asking)
        try EventLimit.wait(for: "the agent's dialog") { !display.marks.isEmpty }
        kill(agent.pid, SIGTERM)
        #expect(try agent.wait() == 0)
        #expect(try process.wait() == 0)
        let users = Set(display.marks.split(separator: "\n"))
        #expect(users == ["loaded by user \(UserScene.user)"])
        try scene.expectNoChildOfDaemon()
    }
}
