// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// Calls of the system that fail: they are told of as what they are, soon, and leave nothing behind.
@Suite struct FaultTests {
    private let folder: TestFolder
    private let interposer: Interposer

    init() throws {
        folder = try TestFolder()
        interposer = try Interposer("fault_point")
    }

    private func environment(_ faults: [String: String] = [:]) throws -> [String: String] {
        var environment = [
            "LLAVERO_HOME": folder.file("root"), "PATH": "\(try Self.tools):/usr/bin:/bin", "HOME": folder.path,
            "XDG_RUNTIME_DIR": folder.path,
        ]
        if !faults.isEmpty { environment["LD_PRELOAD"] = interposer.path }
        return environment.merging(faults) { $1 }
    }

    private static var tools: String {
        get throws { URL(fileURLWithPath: try HelperProcess.path()).deletingLastPathComponent().path }
    }

    private func probe(_ verbs: String..., faults: [String: String] = [:]) throws -> [String] {
        let (ending, lines) = try HelperProcess.run(
            ["probe"] + verbs, environment: environment(faults), in: folder)
        return ending == .exited(0) ? lines : lines + ["\(ending)"]
    }

    private func shell(
        _ script: String, faults: [String: String] = [:], launcher: [String] = []
    ) throws -> (ending: HelperProcess.Ending, lines: [String]) {
        try HelperProcess.run(
            ["-c", script], environment: environment(faults), in: folder, launcher: launcher, program: "/bin/sh")
    }

    @Test("a disk that cannot be read is not taken for damage", arguments: ["keychain.db", "keychain.db-wal"])
    func unreadable(file: String) throws {
        _ = try probe("add", "killed")
        let lines = try probe("find", "why", "check", faults: ["LLT_FAIL": "read:5:\(file)"])
        #expect(lines.first == "find -36 -", "\(lines)")
        #expect(!lines.joined().contains("damage;") && lines.joined().contains("failed to read"), "\(lines)")
        #expect(try probe("find") == ["find 0 value of account"])
    }

    @Test("where no lock can be had, each call says so at once")
    func locks() throws {
        _ = try probe("add")
        let log = folder.file("log")
        let lines = try probe(
            "find", "why", "add=new", "why", "delete", faults: ["LLT_FAIL": "lock:37:", "LLT_FAIL_LOG": log])
        #expect(lines.count == 5 && lines[0] == "find -36 -" && lines[2] == "add -36" && lines[4] == "delete -36")
        #expect(lines.dropFirst().first?.contains("file locks") == true, "\(lines)")
        // Whoever waits asks again and again.
        #expect((try Data(contentsOf: URL(fileURLWithPath: log))).count < 40)
    }

    @Test("a folder that cannot be looked at is not one that is missing", arguments: ["login", "keychain.db"])
    func status(name: String) throws {
        _ = try probe("add")
        let before = TestFolder.names(in: folder.file("root"))
        let lines = try probe("find", "add=new", faults: ["LLT_FAIL": "status:5:\(name)"])
        #expect(!lines.contains { $0.hasPrefix("find -25300") || $0 == "add 0" }, "\(lines)")
        #expect(TestFolder.names(in: folder.file("root")) == before)
        #expect(try probe("find", "list") == ["find 0 value of account", "list 0 account"])
    }

    @Test("a folder of somebody else's is not an empty one")
    func forbidden() throws {
        guard !Root.isMine || Root.setpriv != nil else { return print("skipped: no setpriv to stop being root") }
        _ = try probe("add")
        chmod(folder.file("root"), 0)
        defer { chmod(folder.file("root"), 0o700) }
        let helper = folder.file("helper")
        try ProgramFile.copy(HelperProcess.path(), to: helper)
        chmod(folder.path, 0o755)
        let (_, lines) = try HelperProcess.run(
            ["probe", "find", "add"], environment: environment(), in: folder,
            launcher: Root.isMine ? Root.asNobody : [], program: helper)
        #expect(lines == ["find -25291 -", "add -25291"])
    }

    @Test("a recovery that fails, at whatever call, leaves no file behind")
    func recovery() throws {
        let (ending, words) = try shell("printf secret | llavero add one --stdin >&2; llavero recovery make")
        #expect(ending == .exited(0))
        let seed = words.filter { !$0.hasPrefix("llavero:") && !$0.contains("added") }.joined(separator: " ")
        try Data(seed.utf8).write(to: URL(fileURLWithPath: folder.file("words")))
        _ = try shell("cp -a $LLAVERO_HOME $HOME/whole")
        let names = try #require(TestFolder.names(in: folder.file("root/login")))
        var failed = 0
        for count in 1...200 {
            _ = try shell("rm -rf $LLAVERO_HOME && cp -a $HOME/whole $LLAVERO_HOME")
            let log = folder.file("log-\(count)")
            let (ending, lines) = try shell(
                "exec llavero recovery use --fd 0 < $HOME/words",
                faults: ["LLT_FAIL_AT": "\(count):5", "LLT_FAIL_LOG": log])
            if !FileManager.default.fileExists(atPath: log) {
                #expect(ending == .exited(0), "\(lines)")
                #expect(failed > 10)
                return
            }
            // One that is done may still fail to count what was lost; the old device key is aside then.
            if ending == .exited(0) || lines.contains(where: { $0.hasPrefix("the keychain can be opened again") }) {
                continue
            }
            failed += 1
            let left = TestFolder.names(in: folder.file("root/login"))?.filter { !names.contains($0) } ?? []
            #expect(left.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == [], "call \(count): \(lines)")
        }
        Issue.record("a recovery makes more than 200 calls")
    }

    @Test("where a file may grow no larger, writing fails and nobody is killed, in programs and in the tool")
    func fileSize() throws {
        _ = try probe("add")
        let limited = "ulimit -f 8; "
        let (ending, lines) = try shell(limited + "exec llavero-test-helper probe find add=new why find delete find")
        #expect(ending == .exited(0), "\(ending) \(lines)")
        #expect(lines.first == "find 0 value of account" && lines.dropFirst().first == "add -25291", "\(lines)")
        #expect(lines.dropFirst(2).first?.contains("ulimit") == true, "\(lines)")
        let (other, told) = try shell(limited + "echo secret | llavero add one --stdin")
        #expect(other == .exited(1) || other == .exited(2), "\(other) \(told)")
        let (born, said) = try shell(
            "export LLAVERO_HOME=$HOME/other; " + limited + "llavero-test-helper probe add why")
        #expect(born == .exited(0) && said.first == "add -25291", "\(born) \(said)")
        #expect(try probe("find", "check").last == "check clean")
    }

    @Test("the tool knows its arguments without /proc")
    func arguments() throws {
        guard Root.isMine, let unshare = Root.unshare else { return print("skipped: only root may hide /proc") }
        let (ending, lines) = try shell(
            "mount -t tmpfs none /proc && exec llavero help list", launcher: [unshare, "-m", "--"])
        #expect(ending == .exited(0) && lines.first?.hasPrefix("usage: llavero list") == true, "\(ending) \(lines)")
    }

    @Test("a folder whose path is too long for SQLite is refused in words, when it is made and when it was moved there")
    func longPath() throws {
        var deep = folder.path
        while deep.utf8.count < 440 { deep += "/" + String(repeating: "d", count: 40) }
        _ = try shell("mkdir -p \(deep)")
        for long in [deep + String(repeating: "e", count: 40)] {
            let (_, lines) = try shell("LLAVERO_HOME=\(long) llavero-test-helper probe add why")
            #expect(lines.first == "add -25291" && lines.last?.contains("path is too long") == true, "\(lines)")
        }
        _ = try probe("add")
        let moved = deep + "/" + String(repeating: "f", count: 40)
        _ = try shell("mkdir -p -m 700 \(moved) && cp -a $LLAVERO_HOME/login \(moved)")
        let (_, lines) = try shell("LLAVERO_HOME=\(moved) llavero-test-helper probe find why")
        #expect(lines.first == "find -25291 -" && lines.last?.contains("path is too long") == true, "\(lines)")
    }
}
