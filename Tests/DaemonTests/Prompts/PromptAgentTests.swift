// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestPrompts
import Testing

/// People whom the system's daemon has asked by an agent of their own, at a terminal.
@Suite(.enabled(if: UserScene.isPossible, "only root can install programs for other users"))
struct PromptAgentTests {
    private let scene: UserScene
    private static let agent = "llavero-prompt-agent"

    init() throws {
        scene = try UserScene()
        try scene.installed.install(Self.agent, as: Self.agent)
        try scene.installed.install("llavero-test-helper", as: "program")
        try scene.installed.entitle(
            "program", ["application-identifier": InstalledFolder.text("TEAM.app"), "administers-keys": "<true/>"])
        try scene.startSystemDaemon(environment: ["PINENTRY": "/usr/bin/pinentry-tty", "PATH": "/usr/bin:/bin"])
        #expect(try scene.run("program", ["access", "put"]).code == 0)
    }

    /// An agent at a terminal, ready to ask there.
    private func agent(
        at terminal: PseudoTerminal, _ variables: [String: String] = ["PATH": "/nowhere"],
        as user: UInt32 = UserScene.user
    ) throws -> SessionProcess {
        let process = try scene.start(
            Self.agent, at: terminal, environment: variables.merging(["TERM": "xterm", "LANG": "C.UTF-8"]) { $1 },
            as: user)
        try terminal.wait(for: "waiting for questions from the system's keychain daemon")
        return process
    }

    /// A program without a terminal that wants what nobody may have without the passcode.
    private func program(_ words: String...) throws -> (process: SessionProcess, output: String) {
        let output = scene.installed.file("output-\(UUID().uuidString)")
        let words = ["access"] + (words.isEmpty ? ["get"] : words)
        return (try scene.start("program", words, output: output), output)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// What a program that nobody is asked for is told, at once.
    private func refusal() throws -> String {
        let (process, output) = try program()
        #expect(try process.wait() == 0)
        let text = try text(output)
        #expect(text.contains("got -25308 nothing"), "\(text)")
        return text
    }

    private func end(_ agent: SessionProcess) throws {
        kill(agent.pid, SIGTERM)
        #expect(try agent.wait() == 0)
    }

    @Test(
        "the agent asks with what its own environment has, and the daemon has never started anything",
        arguments: SeatTests.Way.allCases)
    func asked(_ way: SeatTests.Way) throws {
        let terminal = try PseudoTerminal()
        let agent = try agent(at: terminal, way.variables)
        let (process, output) = try program()
        try terminal.wait(for: "/program")
        try terminal.wait(for: "For_the_report")
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        try terminal.type("1234" + way.enter)
        #expect(try process.wait() == 0)
        #expect(try text(output).contains("got 0 kept"))
        #expect(!terminal.shown.contains("1234"))
        try end(agent)
        #expect(terminal.isOrdinary)
        try scene.expectNoChildOfDaemon()
    }

    @Test("a wrong answer is asked for again, and one who refuses ends it")
    func refused() throws {
        let terminal = try PseudoTerminal()
        let agent = try agent(at: terminal)
        let (process, output) = try program()
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        try terminal.type("4321\n")
        try terminal.wait(for: "Wrong passcode")
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        try terminal.type([4])
        #expect(try process.wait() == 0)
        #expect(try text(output).contains("got -128 nothing"))
        try end(agent)
    }

    @Test("where no agent runs nobody is asked, at once, and the program is told what to start")
    func none() throws {
        #expect(try refusal().contains("llavero prompt-agent"))
        // Nor is anybody's terminal opened: here the program is in the foreground of one.
        let terminal = try PseudoTerminal()
        let process = try scene.start(
            "program", ["access", "get"], at: terminal, environment: ["TERM": "xterm", "LANG": "C.UTF-8"])
        try terminal.wait(for: "got -25308 nothing")
        #expect(try process.wait() == 0)
        #expect(!terminal.shown.contains("Passcode"))
        try scene.expectNoChildOfDaemon()
    }

    @Test("an agent gets no question of another user's")
    func otherUser() throws {
        let terminal = try PseudoTerminal()
        let agent = try agent(at: terminal, as: UserScene.otherUser)
        #expect(try refusal().contains("llavero prompt-agent"))
        #expect(!terminal.shown.contains("Passcode"))
        try end(agent)
    }

    @Test("nobody is an agent but the program that root installed for it, or that root says is one")
    func wrongPrograms() throws {
        let copy = scene.installed.file("home/\(Self.agent)")
        try scene.installed.install(Self.agent, as: "home/\(Self.agent)")
        try scene.installed.install(Self.agent, as: "other-agent")
        for program in [copy, scene.installed.file("other-agent")] {
            let output = scene.installed.file("output-\(UUID().uuidString)")
            #expect(try scene.start(program, output: output).wait() == 1)
            #expect(try text(output).contains("is not the prompt agent that was installed"))
        }
        // Root installed it elsewhere, and says so.
        try scene.installed.entitle("other-agent", ["answers-questions": "<true/>"])
        let terminal = try PseudoTerminal()
        let agent = try scene.start(
            "other-agent", at: terminal, environment: ["PATH": "/nowhere", "TERM": "xterm", "LANG": "C.UTF-8"])
        try terminal.wait(for: "waiting for questions from the system's keychain daemon")
        // Until root says so no more.
        try FileManager.default.removeItem(atPath: scene.installed.entitlements + "/other-agent.plist")
        _ = try refusal()
        #expect(try agent.wait() == 1)
        #expect(!terminal.shown.contains("Passcode"))
    }

    @Test("a question ends with its agent, and the next agent gets the next one")
    func killed() throws {
        let terminal = try PseudoTerminal()
        let first = try agent(at: terminal)
        let (process, output) = try program()
        try terminal.wait(for: "Passcode")
        kill(first.pid, SIGKILL)
        #expect(try process.wait() == 0)
        let text = try text(output)
        #expect(text.contains("got -25308 nothing"))
        #expect(text.contains("the prompt agent ended"))
        _ = try first.wait()
        let next = try PseudoTerminal()
        let second = try agent(at: next)
        let (again, answer) = try program()
        try next.wait(for: "Passcode")
        try next.wait(forEcho: false)
        try next.type("1234\n")
        #expect(try again.wait() == 0)
        #expect(try self.text(answer).contains("got 0 kept"))
        try end(second)
    }

    @Test("a question that nobody waits for any more goes from the terminal, and the next one comes")
    func withdrawn() throws {
        let terminal = try PseudoTerminal()
        let agent = try agent(at: terminal)
        let signal = scene.installed.file("signal")
        let (process, first) = try program("invalidated", signal)
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        // What is still asked of whoever is at the terminal is of no use to anybody.
        _ = FileManager.default.createFile(atPath: signal, contents: nil)
        #expect(try process.wait() == 0)
        #expect(try text(first).contains("got -128 nothing"))
        let (next, output) = try program()
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        try terminal.type("1234\n")
        #expect(try next.wait() == 0)
        #expect(try text(output).contains("got 0 kept"))
        try end(agent)
        #expect(terminal.isOrdinary)
    }

    @Test("a question goes from the terminal when the program is gone that it is asked for")
    func abandoned() throws {
        let terminal = try PseudoTerminal()
        let agent = try agent(at: terminal)
        let (process, _) = try program()
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        kill(process.pid, SIGKILL)
        _ = try process.wait()
        try terminal.wait(forEcho: true)
        try end(agent)
        #expect(terminal.isOrdinary)
    }

    @Test("an agent that cannot ask is passed over for one that can, and programs of its user read nothing of it")
    func severalAgents() throws {
        let terminal = try PseudoTerminal()
        let able = try agent(at: terminal)
        let output = scene.installed.file("mute")
        let mute = try scene.start(Self.agent, output: output, environment: ["PATH": "/nowhere"])
        try EventLimit.wait(for: "the other agent") {
            (try? text(output))?.contains("waiting for questions") == true
        }
        let (process, answer) = try program()
        try terminal.wait(for: "Passcode")
        try terminal.wait(forEcho: false)
        for file in ["mem", "environ", "maps"] {
            let looked = try scene.start("/usr/bin/head", ["-c", "1", "/proc/\(able.pid)/\(file)"])
            #expect(try looked.wait() != 0)
        }
        try terminal.type("1234\n")
        #expect(try process.wait() == 0)
        #expect(try text(answer).contains("got 0 kept"))
        try end(able)
        #expect(try refusal().contains("no display, and no terminal"))
        try end(mute)
    }

    @Test("the daemon cannot execute a program at all")
    func sealed() throws {
        let process = try #require(scene.daemonProcess)
        let status = try text("/proc/\(process)/status")
        #expect(status.contains("Seccomp:\t2"))
    }
}

extension UserScene {
    /// Looks whether the system's daemon, or its user, ever had a process beside the daemon itself.
    func expectNoChildOfDaemon(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let daemon = try #require(daemonProcess)
        let line = try String(contentsOfFile: "/proc/\(daemon)/stat", encoding: .utf8)
        let fields = line[(line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ")
        // What children that were waited for have used: faults, small and large, and time.
        let used = [fields[9], fields[11], fields[14], fields[15]]
        #expect(used == ["0", "0", "0", "0"], sourceLocation: sourceLocation)
        for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int32(entry) != nil {
            guard let status = try? String(contentsOfFile: "/proc/\(entry)/status", encoding: .utf8),
                status.contains("PPid:\t\(daemon)\n")
            else { continue }
            Issue.record("the daemon has a child: \(status)", sourceLocation: sourceLocation)
        }
    }
}
