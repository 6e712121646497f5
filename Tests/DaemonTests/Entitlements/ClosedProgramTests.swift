// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// The tools keep debuggers and core dumps of their user's other programs out, and are known all the same.
@Suite(.enabled(if: UserScene.isPossible, "only root can install programs for other users"))
struct ClosedProgramTests {
    private let scene: UserScene
    private static let asUser = [
        "/usr/bin/setpriv", "--reuid=\(UserScene.user)", "--regid=\(UserScene.user)", "--clear-groups",
    ]

    init() throws {
        scene = try UserScene()
        try scene.installed.install("llavero", as: "llavero")
    }

    @Test("the user's own daemon knows a tool by its file, and writes down which one it was")
    func known() throws {
        try scene.installed.entitle(
            "llavero", ["keychain-access-groups": InstalledFolder.texts("llavero.passwords")])
        try scene.startDaemon()
        let added = try scene.run("llavero", ["add", "site", "--stdin"], input: "s3cret")
        #expect(added.code == 0, "\(added.complaint)")
        #expect(try scene.run("llavero", ["get", "site"]).output == "s3cret\n")
        let log = try scene.run("llavero", ["audit", "--json"])
        #expect(log.output.contains("image by path"), "\(log.output)\(log.complaint)")
        #expect(log.output.contains(scene.installed.file("llavero")))
        #expect(log.output.contains("hidden") == false)
    }

    /// What keeps a secret for a while, having handed it over to a program that holds `line` open as long as it runs.
    private struct Keeper {
        let process: Process
        let output = Pipe()
        let complaints = Pipe()
        let line: FileHandle
    }

    private func keeper(_ secret: String, _ launcher: [String] = []) throws -> Keeper {
        let folder = scene.installed.file("home")
        let fifo = folder + "/line"
        try #require(mkfifo(fifo, 0o666) == 0 && chmod(fifo, 0o666) == 0)
        let program = scene.installed.file("offers")
        try ProgramFile.write("#!/bin/sh\nexec 4>\(fifo)\ncat >/dev/null\nexec sleep 600\n", to: program)
        let process = Process()
        // Threads of the test library block signals, and programs that they start inherit that.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/perl")
        process.arguments =
            ["-MPOSIX", "-e", "sigprocmask(SIG_SETMASK, POSIX::SigSet->new()); exec @ARGV"] + Self.asUser + launcher + [
                scene.installed.file("llavero"), "clipboard-keeper", "--seconds", "600", "--", program,
            ]
        process.environment = ["HOME": folder, "SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let input = Pipe()
        // Read and write, so that opening it does not wait; closed for writing once the program has it.
        let held = try #require(FileHandle(forUpdatingAtPath: fifo))
        let reading = try #require(FileHandle(forReadingAtPath: fifo))
        let keeper = Keeper(process: process, line: reading)
        process.standardInput = input
        process.standardOutput = keeper.output
        process.standardError = keeper.complaints
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(secret.utf8))
        try input.fileHandleForWriting.close()
        let said = keeper.output.fileHandleForReading.availableData
        try held.close()
        try #require(String(decoding: said, as: UTF8.self) == "ready\n")
        return keeper
    }

    @Test(
        "debuggers of its user, core dumps and reports of crashes show nothing of the clipboard's keeper, and it keeps no copy"
    )
    func keeper() throws {
        // Of halves that only the process itself puts together: the test's own memory is not what is searched.
        let secret = ["cor", "rect-horse-", "\(getpid())"].joined()
        let keeper = try keeper(secret, ["/bin/sh", "-c", "ulimit -S -c unlimited; exec \"$@\"", "sh"])
        let pid = keeper.process.processIdentifier
        // As its user, by the ways that debuggers go.
        for file in ["mem", "maps", "exe", "environ"] {
            let look = try HelperProcess(
                ["if=/proc/\(pid)/\(file)", "of=/dev/null", "bs=1", "count=1"], environment: [:], output: "/dev/null",
                launcher: Self.asUser, program: "/bin/dd")
            #expect(look.wait() == .exited(1), "\(file)")
        }
        #expect(try memory(of: pid, has: secret) == false)
        kill(pid, SIGSEGV)
        keeper.process.waitUntilExit()
        #expect(keeper.process.terminationReason == .uncaughtSignal && keeper.process.terminationStatus == SIGSEGV)
        // Nor does Swift's runtime say what was in its registers, and where they point to.
        #expect(try keeper.complaints.fileHandleForReading.readToEnd() ?? Data() == Data())
        let left = try FileManager.default.contentsOfDirectory(atPath: scene.installed.file("home"))
        #expect(!left.contains { $0.hasPrefix("core") }, "\(left)")
        // Its program is the only one that could still write there.
        #expect(try keeper.line.readToEnd() ?? Data() == Data())
    }

    @Test("its program ends with it, too, when it is killed")
    func killed() throws {
        let keeper = try keeper("anything")
        kill(keeper.process.processIdentifier, SIGKILL)
        keeper.process.waitUntilExit()
        #expect(try keeper.line.readToEnd() ?? Data() == Data())
    }

    @Test("a command that is run may dump core as its caller may, and has no right that the tool's file gave")
    func run() throws {
        try scene.installed.install("llavero", as: "marked", group: UserScene.mark)
        try scene.startDaemon()
        #expect(try scene.run("llavero", ["add", "site", "--stdin"], input: "s3cret").code == 0)
        let words = [
            "run", "--env", "S=site", "--", "/bin/sh", "-c", "ulimit -S -c; id -g; id -rg; id -u; echo $S",
        ]
        let limited = ["/bin/sh", "-c", "ulimit -S -c 4096; exec \"$@\"", "sh"]
        for name in ["llavero", "marked"] {
            let answer = try scene.run(name, words, launcher: limited)
            let user = "\(UserScene.user)"
            #expect(
                answer.output.split(separator: "\n").map(String.init) == ["4096", user, user, user, "s3cret"],
                "\(answer.complaint)")
        }
    }

    /// Whether the process's memory has a text somewhere that it can write to; root sees all of it.
    private func memory(of pid: Int32, has text: String) throws -> Bool {
        let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        try #require(memory >= 0)
        defer { close(memory) }
        let map = open("/proc/\(pid)/maps", O_RDONLY | O_CLOEXEC)
        try #require(map >= 0)
        defer { close(map) }
        var maps: [UInt8] = []
        var page = [UInt8](repeating: 0, count: 1 << 16)
        // The kernel gives one page at a time.
        while case let count = read(map, &page, page.count), count > 0 { maps += page[..<count] }
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard words[1].hasPrefix("rw"), ends.count == 2 else { continue }
            var region = [UInt8](repeating: 0, count: Int(ends[1] - ends[0]))
            let count = pread(memory, &region, region.count, off_t(ends[0]))
            guard count > 0 else { continue }
            if memmem?(region, count, Array(text.utf8), text.utf8.count) != nil { return true }
        }
        return false
    }

    private typealias Search =
        @convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeMutableRawPointer?

    // Swift's module of the C library leaves it out, being an extension of GNU's.
    private let memmem = dlsym(nil, "memmem").map { unsafeBitCast($0, to: Search.self) }
}
