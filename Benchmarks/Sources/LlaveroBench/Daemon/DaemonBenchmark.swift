// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What programs pay that ask a daemon, alone and at the same time, and what the daemon costs that nobody asks.
struct DaemonBenchmark {
    let plan: Plan

    private var items: Int { plan.isSmoke ? 100 : 10_000 }
    private var rounds: Int { plan.isSmoke ? 3 : 7 }
    private var seconds: Double { plan.isSmoke ? 0.2 : 1 }

    func rows() throws -> [Row] {
        guard let daemon = try RunningDaemon(items: items) else {
            return [Row(name: DaemonBenchmark.find, items: items, note: "llaverod and llavero-client are not built")]
        }
        var rows = try idle(daemon) + finds(daemon) + mixed(daemon)
        rows.append(try ToolBenchmark(plan: plan).row(of: daemon, items: items))
        rows += try DisturbanceBenchmark(plan: plan, daemon: daemon, items: items).rows()
        return rows
    }

    /// A daemon that has stored everything and found a thousand items, and has been left alone for a while by those who are connected.
    private func idle(_ daemon: RunningDaemon) throws -> [Row] {
        let client = try daemon.start("finds", items: items)
        _ = try DaemonClient.work([client], seconds: seconds)
        // It lets go of what it keeps for speed when nobody has called for three to six seconds.
        sleep(7)
        let memory = try daemon.kilobytes("VmRSS:") / 1024
        let before = try daemon.sleeps()
        sleep(plan.isSmoke ? 1 : 5)
        let after = try daemon.sleeps()
        return [
            Row(
                name: "daemon: memory when idle", items: items, ours: memory, unit: .megabytes,
                target: .ours(atMost: 20)),
            Row(
                name: "daemon: wake-ups in \(plan.isSmoke ? 1 : 5) idle s", items: items,
                ours: after.sum - before.sum, unit: .nothing, target: .ours(atMost: 0),
                note: "\(after.threads) threads"),
        ]
    }

    private func finds(_ daemon: RunningDaemon) throws -> [Row] {
        let clients = try (0..<8).map { _ in try daemon.start("finds", items: items) }
        var medians: [Double] = []
        var throughput: [Int: [Double]] = [:]
        for _ in 0..<rounds {
            for count in [1, 2, 8] {
                let figures = try DaemonClient.work(Array(clients.prefix(count)), seconds: seconds)
                if count == 1 { medians += figures.map(\.median) }
                throughput[count, default: []].append(figures.map(\.calls).reduce(0, +) / seconds)
            }
        }
        let one = throughput[1]?.median
        // A client and the daemon's thread for it keep two processors awake: more clients find free ones from four on.
        let hasRoom = ProcessInfo.processInfo.activeProcessorCount >= 4
        func gain(_ count: Int, _ target: Row.Target?) -> Row {
            let gain = throughput[count]?.median.flatMap { many in one.map { many / $0 } }
            let calls = throughput[count]?.median.map { "\(Int($0)) calls a second" } ?? ""
            return Row(
                name: "daemon: finds, \(count) clients beside one", items: items, ours: gain, unit: .times,
                target: hasRoom ? target : nil,
                note: hasRoom || target == nil ? calls : "\(calls); needs four processors")
        }
        return [
            Row(name: DaemonBenchmark.find, items: items, ours: medians.median, target: .ours(atMost: 35)),
            gain(2, .atLeast(1.7)), gain(8, nil),
        ]
    }

    /// Many programs that find, add, update and delete.
    private func mixed(_ daemon: RunningDaemon) throws -> [Row] {
        let count = plan.isSmoke ? 8 : 64
        let clients = try (0..<count).map { _ in try daemon.start("mixed", items: items) }
        let figures = try DaemonClient.work(clients, seconds: plan.isSmoke ? 1 : 10)
        let calls = figures.map(\.calls).reduce(0, +)
        return [
            Row(
                name: "daemon: mixed, \(count) clients, 99th percentile", items: items,
                ours: figures.map(\.p99).max(), note: "of the slowest client; \(Int(calls)) calls in all")
        ]
    }

    private static let find = "daemon: find, one client"
}
