// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What a daemon has given up by the time it serves.
@Suite struct RightsTests {
    /// The capability to look into other users' processes.
    private let mayLook: UInt64 = 1 << 19

    @Test("a daemon can gain no right, has at most one of root's, leaves no core, and has room for its clients")
    func rights() throws {
        let scene = try ServiceScene()
        let daemon = try scene.start("--no-lock-events")
        defer { daemon.terminate() }
        let process = "/proc/\(daemon.processIdentifier)"
        for thread in try FileManager.default.contentsOfDirectory(atPath: process + "/task") {
            let status = try fields(of: "\(process)/task/\(thread)/status")
            #expect(status["NoNewPrivs"] == "1")
            for set in ["CapPrm", "CapEff"] { #expect(try capabilities(status[set]) & ~mayLook == 0) }
            for set in ["CapInh", "CapAmb"] { #expect(try capabilities(status[set]) == 0) }
            if geteuid() == 0 { #expect(try capabilities(status["CapBnd"]) & ~mayLook == 0) }
        }
        let limits = try String(contentsOfFile: process + "/limits", encoding: .utf8)
        let files = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        let counts = files?.split(separator: " ").dropFirst(3).prefix(2).compactMap { UInt64($0) } ?? []
        #expect(try #require(counts.first) >= min(8192, try #require(counts.last)))
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        #expect(try scene.program().ask("add kept") == ["0"])
    }

    private func fields(of file: String) throws -> [String: String] {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let pairs = lines.map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
        return Dictionary(
            pairs.filter { $0.count == 2 }.map { ($0[0], $0[1].trimmingCharacters(in: .whitespaces)) },
            uniquingKeysWith: { $1 })
    }

    private func capabilities(_ text: String?) throws -> UInt64 {
        try #require(text.flatMap { UInt64($0, radix: 16) })
    }

    @Test(
        "a daemon with file systems of its own still knows programs of the system's",
        .enabled(if: geteuid() == 0, "only root can make such a daemon"))
    func namespaces() throws {
        let scene = try ServiceScene()
        // The shell is the first process of a system of its own, and programs see what it sees.
        let script = """
            mount -t proc proc /proc || exit 70
            unshare --mount "$0" --no-lock-events --socket "$1" 3>&- &
            while [ ! -S "$1" ]; do sleep 0.01; done
            printf 'add kept\\nget kept\\n' | LLAVERO_SOCKET="$1" "$2" ask
            kill $!
            wait $!
            """
        let process = try scene.process("llaverod", [])
        let daemon = try #require(process.executableURL).path
        let program = try #require(scene.process("llavero-test-helper", []).executableURL).path
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["--mount", "--pid", "--fork", "/bin/sh", "-c", script, daemon, scene.socket, program]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text.contains("0 value of kept"))
    }
}
