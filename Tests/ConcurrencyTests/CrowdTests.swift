// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// Many processes that write at once, on a machine that is busy with something else.
///
/// `KEYCHAIN_CROWD=64x4x60` is the number of writers, of loops that keep the processors busy, and of seconds.
@Suite(.serialized) struct CrowdTests {
    private static let measured = ProcessInfo.processInfo.environment["KEYCHAIN_CROWD"].map {
        $0.split(separator: "x").compactMap { Int($0) }
    }

    @Test("writers have their turns one after the other: the slowest has at least half as many as there are on average")
    func turns() throws {
        // Judged by turns and not by time: it ends when so many writes are done, however long they take.
        let (counts, errors, _) = try run(writers: 8, loops: 2) { progress in try progress.take(800) }
        try judge(counts, errors)
    }

    @Test(
        "64 writers beside loops all make progress, and no slower than a third of what they do alone",
        .enabled(if: measured != nil))
    func crowd() throws {
        let numbers = try #require(Self.measured)
        try #require(numbers.count == 3)
        var sums: [Double] = []
        for loops in [0, numbers[1]] {
            let (counts, errors, longest) = try run(writers: numbers[0], loops: loops) { _ in
                Thread.sleep(forTimeInterval: Double(numbers[2]))
            }
            try judge(counts, errors)
            sums.append(Double(counts.reduce(0, +)))
            let mean = sums[sums.count - 1] / Double(counts.count)
            print(
                "\(numbers[0]) writers beside \(loops) loops: \(Int(sums[sums.count - 1]) / numbers[2]) writes a second,",
                "slowest \(Double(counts.min() ?? 0) / mean) of the mean, longest wait \(longest) ms, errors \(errors)")
        }
        #expect(sums[1] * 3 >= sums[0])
    }

    private func judge(_ counts: [Int], _ errors: [String]) throws {
        #expect(errors == [])
        let mean = Double(counts.reduce(0, +)) / Double(counts.count)
        #expect(Double(counts.min() ?? 0) >= mean / 2, "\(counts.sorted())")
    }

    private func run(
        writers: Int, loops: Int, _ wait: (NamedPipe) throws -> Void
    ) throws -> (counts: [Int], errors: [String], longest: Int) {
        let folder = try TestFolder()
        let environment = ["LLAVERO_HOME": folder.file("keychains")]
        let (begin, end) = (folder.file("begin"), folder.file("end"))
        let progress = try NamedPipe(folder.file("progress"))
        _ = try HelperProcess.run(["probe", "add"], environment: environment, in: folder)
        let others = try (0..<loops).map { index in
            try HelperProcess(
                ["-c", "while :; do :; done"], environment: [:], output: folder.file("loop-\(index)"),
                program: "/bin/sh")
        }
        defer {
            for loop in others {
                kill(-loop.pid, SIGKILL)
                _ = loop.wait()
            }
        }
        let workers = try (0..<writers).map { index in
            try HelperProcess(
                ["crowd", "w\(index)", begin, end, progress.path], environment: environment,
                output: folder.file("output-\(index)"))
        }
        for worker in workers { try waitFor(worker, "ready") }
        try Data().write(to: URL(fileURLWithPath: begin))
        try wait(progress)
        try Data().write(to: URL(fileURLWithPath: end))
        var (counts, errors, longest): ([Int], [String], Int) = ([], [], 0)
        for worker in workers {
            let ending = worker.wait()
            let words = worker.lines.last?.split(separator: " ", maxSplits: 4).map(String.init) ?? []
            guard ending == .exited(0), words.count >= 4, words[0] == "writes", let count = Int(words[1]) else {
                errors.append("\(ending): \(worker.lines)")
                continue
            }
            counts.append(count)
            if words[2] != "0" { errors.append("\(words)") }
            longest = max(longest, Int(words[3]) ?? 0)
        }
        let (_, lines) = try HelperProcess.run(["probe", "find", "check"], environment: environment, in: folder)
        #expect(lines == ["find 0 value of account", "check clean"])
        return (counts, errors, longest)
    }

    /// Waits until a process has printed a line.
    private func waitFor(_ worker: HelperProcess, _ line: String) throws {
        try EventLimit.wait(for: "a writer begins") { worker.lines.contains(line) }
    }
}
