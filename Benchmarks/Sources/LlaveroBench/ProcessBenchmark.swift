// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// What a new process pays that finds one password, and how much memory one holds.
struct ProcessBenchmark {
    let plan: Plan
    /// `llavero-cold`, if it was built.
    private let program: String?

    init(_ plan: Plan) {
        self.plan = plan
        // Scripts/bench.sh builds it statically linked, elsewhere than this one.
        let beside = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map {
            ($0 as NSString).deletingLastPathComponent + "/llavero-cold"
        }
        let candidates = [ProcessInfo.processInfo.environment["LLAVERO_COLD"], beside].compactMap(\.self)
        program = candidates.first { access($0, X_OK) == 0 }
    }

    /// Finds in a new process, in a keychain that no other process has open.
    func coldFind(in keychain: OurKeychain, items: Int) throws -> [Row] {
        var row = Row(
            name: "cold process: open and find", items: items, target: items == 10_000 ? .ours(atMost: 6000) : nil)
        guard let program else {
            row.note = "llavero-cold is not built"
            return [row]
        }
        let home = try keychain.copiedHome()
        let nothing = Child(program: Child.find("true") ?? "/bin/true", arguments: [], environment: [])
        var times: (ours: [Double], nothing: [Double]) = ([], [])
        for run in 0..<plan.processes {
            let account = BenchItem(number: run * 7919 % items).account
            let ours = Child(program: program, arguments: [account], environment: ["LLAVERO_HOME=\(home.path)"])
            times.nothing.append(try nothing.microseconds())
            times.ours.append(try ours.microseconds())
        }
        row.ours = times.ours.median
        return [row, Row(name: "cold process: /bin/true", items: 0, ours: times.nothing.median)]
    }

    /// The memory of a new process after a thousand finds.
    func memory(in keychain: OurKeychain, items: Int) throws -> Row {
        var row = Row(
            name: "memory after 1000 finds", items: items, unit: .megabytes,
            target: items == 100_000 ? .ours(atMost: 40) : nil)
        guard let program else {
            row.note = "llavero-cold is not built"
            return row
        }
        let home = try keychain.copiedHome()
        let child = Child(
            program: program, arguments: ["--memory", "\(items)"], environment: ["LLAVERO_HOME=\(home.path)"])
        let output = try child.output().trimmingCharacters(in: .whitespacesAndNewlines)
        guard let kilobytes = Double(output) else { throw WrongResult("llavero-cold says \(output)") }
        row.ours = kilobytes / 1024
        return row
    }

    /// The most memory of a new process that stores a secret of 64 MB, and of one that finds it.
    func largeSecret() throws -> [Row] {
        guard let program else { return [] }
        let home = try TemporaryFolder()
        let environment = ["LLAVERO_HOME=\(home.path)/home"]
        return try [("add", "--large-add"), ("find", "--large-find")].map { name, option in
            let child = Child(program: program, arguments: [option, "64"], environment: environment)
            let output = try child.output().trimmingCharacters(in: .whitespacesAndNewlines)
            guard let kilobytes = Double(output) else { throw WrongResult("llavero-cold says \(output)") }
            return Row(
                name: "a secret of 64 MB: \(name), most memory", items: 1, ours: kilobytes / 1024, unit: .megabytes,
                target: .ours(atMost: 192))
        }
    }

    /// New class keys for every item, in a new process: how long it takes, and the most memory it has meanwhile.
    func rotation(in keychain: OurKeychain, items: Int) throws -> [Row] {
        var time = Row(name: "rotation, per item", items: items)
        var memory = Row(
            name: "rotation, most memory", items: items, unit: .megabytes,
            target: items == 100_000 ? .ours(atMost: 60) : nil)
        guard let program else {
            time.note = "llavero-cold is not built"
            return [time]
        }
        let home = try keychain.copiedHome()
        let child = Child(
            program: program, arguments: ["--rotate", "\(items)"], environment: ["LLAVERO_HOME=\(home.path)"])
        let figures = try child.output().split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        try WrongResult.unless(figures.count == 3, "llavero-cold does not say what rotation took")
        memory.ours = figures[0] / 1024
        time.ours = figures[1] / Double(items)
        time.note = "told of its progress \(Int(figures[2])) times"
        return [time, memory]
    }
}
