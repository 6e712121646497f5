// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Measures us beside what SQLite and OpenSSL allow, in one process and by turns.
@main
struct LlaveroBench {
    static func main() {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.count == 5, arguments[0] == "--count" { return try count(arguments) }
            if arguments.count == 2, arguments[0] == "--long-list", let items = Int(arguments[1]), items > 0 {
                return try printLongList(of: items)
            }
            if arguments.count == 2, arguments[0] == "--keeping", let items = Int(arguments[1]), items > 0 {
                print(Table(rows: try KeepingBenchmark(items: items).rows()).text)
                return
            }
            switch arguments {
            case []: try run(.full)
            case ["--smoke"]: try run(.smoke)
            case ["--daemon"]: print(Table(rows: try DaemonBenchmark(plan: .full).rows()).text)
            case ["--tool"]: try printTool()
            case ["--long-list"]: try printLongList(of: 1_000_000)
            case [GnomeKeyring.insideFlag]: try GnomeKeyring.runInside()
            case [ToolComparison.insideFlag]: try ToolComparison.runInside()
            default:
                say(
                    "usage: llavero-bench [--smoke | --daemon | --tool | --long-list [ITEMS] | --keeping ITEMS | --count FOLDER ITEMS OPERATION TIMES]"
                )
                exit(2)
            }
        } catch {
            say("llavero-bench: \(error)")
            exit(1)
        }
    }

    private static func run(_ plan: Plan) throws {
        let processes = ProcessBenchmark(plan)
        // The size the targets are for; the largest there is, in the short form.
        let coldItems = plan.isSmoke ? plan.sizes.map(\.items).max() : 10_000
        var rows: [Row] = []
        var tail: [Row] = []
        for size in plan.sizes {
            say("==> \(size.items) items")
            var benchmark = try SizeBenchmark(plan, size)
            rows += try benchmark.run()
            if size.items == coldItems { tail += try processes.coldFind(in: benchmark.ours, items: size.items) }
            if size.items == plan.sizes.last?.items {
                tail.append(try processes.memory(in: benchmark.ours, items: size.items))
                tail += try processes.rotation(in: benchmark.ours, items: size.items)
            }
        }
        if !plan.isSmoke { tail += try processes.largeSecret() }
        rows += Growth.rows(from: 1000, to: 100_000, in: rows)
        say("==> one service, two groups")
        rows += try TwoGroupsBenchmark(plan: plan).run() + tail
        say("==> locking")
        rows += try LockBenchmark(plan: plan).rows()
        say("==> items that demand somebody")
        rows += try ConstraintBenchmark(plan: plan).rows()
        say("==> keys")
        rows += try KeyBenchmark(plan: plan).rows()
        say("==> the command line tool")
        rows += try ToolBenchmark(plan: plan).rows()
        say("==> what is kept")
        rows += try KeepingBenchmark(items: plan.isSmoke ? 100 : 100_000).rows()
        say("==> the daemon")
        rows += try DaemonBenchmark(plan: plan).rows()
        if !plan.isSmoke {
            say("==> other products")
            rows += SQLCipher.rows(beside: rows) + GnomeKeyring.rows(beside: rows)
        }
        print(Table(rows: rows).text)
        let name = plan.isSmoke ? ".build/results-smoke.json" : "results.json"
        try ResultsFile.write(rows, to: URL(fileURLWithPath: name))
        print("written: \(name)")
    }

    /// `--count FOLDER ITEMS fill 0` first; then the operations.
    private static func count(_ arguments: [String]) throws {
        guard let items = Int(arguments[2]), let times = Int(arguments[4]) else {
            throw WrongResult("--count takes numbers of items and times")
        }
        let counting = try Counting(folder: arguments[1], items: items)
        if arguments[3] == "fill" { return try counting.fill() }
        guard let operation = Counting.Operation(rawValue: arguments[3]) else {
            throw WrongResult("there is no operation \(arguments[3])")
        }
        try counting.run(operation, times: times)
    }

    /// What the tool's rows are alone, through a daemon and without one.
    private static func printTool() throws {
        let benchmark = try ToolBenchmark(plan: .full)
        var rows = try benchmark.rows()
        if let daemon = try RunningDaemon(items: 10_000) { rows.append(try benchmark.row(of: daemon, items: 10_000)) }
        print(Table(rows: rows).text)
    }

    /// What lists of very many items take.
    private static func printLongList(of items: Int) throws {
        say("==> storing \(items) items")
        print(Table(rows: try LongListBenchmark(items: items).rows()).text)
    }

    private static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
