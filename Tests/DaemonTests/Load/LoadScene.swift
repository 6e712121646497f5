// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// A daemon, and clients that work and write down what they were told.
final class LoadScene {
    let scene: DaemonScene
    private let journals: String
    private let end: String
    private var workers: [HelperProcess] = []
    let progress: NamedPipe

    init() throws {
        scene = try DaemonScene()
        journals = try scene.folder.makeFolder("journals")
        end = scene.folder.file("enough")
        progress = try NamedPipe(scene.folder.file("progress"))
    }

    deinit {
        for worker in workers {
            kill(-worker.pid, SIGKILL)
            _ = worker.wait()
        }
    }

    func startWorkers(_ count: Int, _ manner: String) throws {
        for number in 0..<count {
            let name = "w\(number)"
            workers.append(
                try HelperProcess(
                    ["load", name, journals, end, manner, progress.path], environment: scene.environment,
                    output: scene.folder.file("output-\(name)")))
        }
    }

    /// Ends the workers; how many calls they made, and microseconds of a call: the median of all of them in the middle, and
    /// of the slowest the 99th percentile and the longest.
    func finish() throws -> (calls: Int, median: Int, p99: Int, longest: Int) {
        try Data().write(to: URL(fileURLWithPath: end))
        var figures: [[Int]] = []
        for worker in workers {
            let ending = worker.wait()
            let lines = worker.lines
            guard ending == .exited(0), let words = lines.last?.split(separator: " "), words.first == "calls" else {
                throw Trouble("a client \(ending): \(lines.suffix(3))")
            }
            figures.append(words.dropFirst().compactMap { Int($0) })
        }
        workers = []
        let medians = figures.map { $0[1] }.sorted()
        return (
            figures.map { $0[0] }.reduce(0, +), medians[medians.count / 2], figures.map { $0[2] }.max() ?? 0,
            figures.map { $0[3] }.max() ?? 0
        )
    }

    /// Stops the daemon, gives the keychain back, and holds it against the journals; what is wrong.
    func verify(_ daemon: Process) throws -> [String] {
        daemon.terminate()
        daemon.waitUntilExit()
        guard try scene.command("--give-back") == 0 else { throw Trouble("the keychain is not given back") }
        let (ending, lines) = try HelperProcess.run(
            ["work-verify", journals], environment: scene.environment, in: scene.folder)
        guard ending == .exited(0) else { return lines + ["the look at it \(ending)"] }
        return []
    }
}
