// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Services to which systemd gives a user number for as long as they run, which another service may have afterwards.
@Suite(.enabled(if: UserScene.isPossible, "only root can install programs for other users"))
struct DynamicUserTests {
    private let scene: UserScene
    private let user: UInt32 = 61_300

    init() throws {
        scene = try UserScene()
        try scene.installed.install("llavero", as: "llavero")
        try scene.installed.makeFolder("home-\(user)", mode: 0o700, user: user)
        try scene.startSystemDaemon()
    }

    private func add(_ name: String) throws -> UserScene.Answer {
        try scene.run("llavero", ["add", name, "--stdin", "--quiet"], input: "seven wet lanterns", as: user)
    }

    private func addAccount() throws {
        try scene.asRoot("echo 'app:x:\(user):\(user)::/nonexistent:/bin/sh' >> /run/passwd")
    }

    @Test("the system's daemon keeps nothing for a number that is systemd's to give away, and says what to do")
    func refused() throws {
        try scene.asRoot("mkdir -p /run/systemd/dynamic-uid && touch /run/systemd/dynamic-uid/\(user)")
        let refused = try add("site")
        #expect(refused.code != 0)
        #expect(refused.complaint.contains("DynamicUser="), "\(refused.complaint)")
        #expect(refused.complaint.contains("User="), "\(refused.complaint)")
        #expect(!FileManager.default.fileExists(atPath: scene.installed.file("state/\(user)")))
    }

    @Test(
        "a unit that root names in a file is served in that file's groups, and the next unit with the number sees none of it",
        .enabled(if: ControlGroup.isPossible, "needs cgroups that can be made here"))
    func listedUnit() throws {
        let (first, second) = (try ControlGroup("llavero-first"), try ControlGroup("llavero-second"))
        for unit in [first, second] {
            try scene.installed.entitle(
                unit.name, unit: unit.name + ".service",
                ["keychain-access-groups": InstalledFolder.texts("group.\(unit.name)")])
        }
        try scene.installed.install("llavero-test-helper", as: "service")
        func ask(_ question: String, in unit: ControlGroup) throws -> [String] {
            try AskingProgram(unit.started(scene.process("service", ["ask"], as: user))).ask(question)
        }
        #expect(try ask("add kept", in: first) == ["0"])
        #expect(try ask("get kept", in: first) == ["0", "value of kept"])
        #expect(try ask("get kept", in: second).first == "-25300")
        #expect(try ask("list x group.llavero-first", in: second).first == "-34018")
        #expect(try ask("get kept", in: try ControlGroup("llavero-third")).first == "-34018")
    }

    @Test("nor for a number of these that is nobody's")
    func unknown() throws {
        let refused = try add("site")
        #expect(refused.code != 0)
        #expect(refused.complaint.contains("no account has the user number"), "\(refused.complaint)")
    }

    @Test("an account that has such a number for good is a user like any other")
    func account() throws {
        try addAccount()
        try scene.asRoot("mkdir -p /run/systemd/system")
        let added = try add("site")
        #expect(added.code == 0, "\(added.complaint)")
    }
}

/// The control group of a service of the system's, as systemd makes one; it goes with this.
private final class ControlGroup {
    let name: String
    private let folders: [String]

    init(_ name: String) throws {
        self.name = name
        folders = ControlGroup.hierarchies.map { "\($0)/system.slice/\(name).service" }
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }

    deinit { for folder in folders { rmdir(folder) } }

    /// Has a process that is not running yet begin in it.
    func started(_ process: Process) -> Process {
        let program = process.executableURL?.path ?? ""
        let entering = folders.map { "echo $$ > '\($0)/cgroup.procs' && " }.joined()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", entering + "exec \"$@\"", "sh", program] + (process.arguments ?? [])
        return process
    }

    static var isPossible: Bool { !hierarchies.isEmpty && hierarchies.allSatisfy { access($0, W_OK) == 0 } }

    /// Those by which a process says its unit: the unified one, that of systemd's own, or both.
    private static let hierarchies = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/systemd"].filter {
        FileManager.default.fileExists(atPath: $0 + "/cgroup.procs")
    }
}
