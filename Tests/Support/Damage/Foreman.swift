// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Starts the workers, again after each case that ends one, and makes a table of what they found.
struct Foreman {
    private let plan: Plan
    private let damages: [Damage]

    init(_ plan: Plan) throws {
        self.plan = plan
        damages = Damage.all(try SampleKeychain.names.map { try SampleKeychain($0, in: plan.ground) }, plan)
    }

    /// What the cases of one line of the table came to.
    struct Row {
        var cases = 0
        var (allRight, refused, wrong, missing, second, short) = (0, 0, 0, 0, 0, 0)
        var (crash, hang) = (0, 0)
        var statuses: [Int32: Int] = [:]
        var (saved, least, beyond, atFull) = (0, Int.max, 0, 0)
    }

    func run() throws -> Bool {
        print("\(damages.count) cases, \(damages.count { $0.isRepaired }) of them repaired, in \(plan.jobs) processes")
        let clock = ContinuousClock()
        let began = clock.now
        let (plan, count) = (plan, damages.count)
        let group = DispatchGroup()
        for worker in 0..<plan.jobs {
            group.enter()
            Thread.detachNewThread {
                Self.attend(worker, plan, count)
                group.leave()
            }
        }
        group.wait()
        return try report(took: clock.now - began)
    }

    /// Has one worker do its share, whatever ends it on the way.
    private static func attend(_ worker: Int, _ plan: Plan, _ count: Int) {
        let results = Worker.results(plan, worker)
        _ = FileManager.default.createFile(atPath: results.path, contents: nil)
        while true {
            let done = (try? Data(contentsOf: results))?.count { $0 == UInt8(ascii: "\n") } ?? 0
            let next = worker + done * plan.jobs
            guard next < count else { return }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = plan.arguments(ofWorker: worker, from: next)
            process.standardInput = FileHandle.nullDevice
            do { try process.run() } catch { return print("worker \(worker): \(error)") }
            process.waitUntilExit()
            if process.terminationReason == .exit, process.terminationStatus == 0 { return }
            let isHang = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGALRM
            let said = (try? String(contentsOf: Worker.complaints(plan, worker), encoding: .utf8)) ?? ""
            var verdict = Verdict()
            verdict.violations = ["\(isHang ? "hang" : "crash") \(process.terminationStatus): \(said.prefix(600))"]
            guard let file = FileHandle(forWritingAtPath: results.path) else { return }
            file.seekToEndOfFile()
            file.write(Data((verdict.line + "\n").utf8))
            try? file.close()
        }
    }

    private func report(took: Duration) throws -> Bool {
        var rows: [String: Row] = [:]
        var order: [String] = []
        var (violations, notes): ([String], [String]) = ([], [])
        let lines = try (0..<plan.jobs).map { worker in
            try String(contentsOf: Worker.results(plan, worker), encoding: .utf8).split(separator: "\n")
        }
        for (number, damage) in damages.enumerated() {
            let key =
                "\(damage.keychain) \(damage.file.split(separator: "/").last ?? "") \(damage.kind.rawValue)"
                + (damage.isRepaired ? " repaired" : "")
            let share = lines[number % plan.jobs]
            guard number / plan.jobs < share.count, let verdict = Verdict(share[number / plan.jobs]) else {
                violations.append("\(damage.name): no result")
                continue
            }
            if rows[key] == nil { order.append(key) }
            rows[key, default: Row()].count(verdict)
            violations += verdict.violations.map { "\(damage.name): \($0)" }
            notes += verdict.notes.map { "\(damage.name): \($0)" }
        }
        if !plan.notes.isEmpty {
            try (notes.joined(separator: "\n") + "\n").write(toFile: plan.notes, atomically: true, encoding: .utf8)
        }
        printTable(order, rows)
        for text in violations.prefix(200) { print("VIOLATION \(text)") }
        print("\(damages.count) cases in \(took.components.seconds) s, \(violations.count) violations")
        return violations.isEmpty
    }

    private func printTable(_ order: [String], _ rows: [String: Row]) {
        func line(_ name: String, _ cells: [String]) {
            let padded = cells.map { String(repeating: " ", count: max(9 - $0.count, 0)) + $0 }
            print(name.padding(toLength: 34, withPad: " ", startingAt: 0) + padded.joined())
        }
        line("used", ["cases", "right", "refused", "wrong", "not found", "second", "crash", "hang", "short"])
        for name in order where !name.hasSuffix("repaired") {
            guard let row = rows[name] else { continue }
            let counts = [
                row.cases, row.allRight, row.refused, row.wrong, row.missing, row.second, row.crash, row.hang,
                row.short,
            ]
            let statuses = row.statuses.sorted { $0.value > $1.value }.map { "\($0.key): \($0.value)" }
            line(name, counts.map(String.init) + ["   " + statuses.joined(separator: ", ")])
        }
        line("repaired", ["cases", "all back", "average", "least", "beyond"])
        for name in order where name.hasSuffix("repaired") {
            guard let row = rows[name] else { continue }
            let average = String(format: "%.2f", Double(row.saved) / Double(max(row.cases, 1)))
            line(name, ["\(row.cases)", "\(row.atFull)", average, "\(row.least)", "\(row.beyond)"])
        }
    }
}

extension Foreman.Row {
    fileprivate mutating func count(_ verdict: Verdict) {
        cases += 1
        if verdict.isRight { allRight += 1 }
        // A case counts once, by the worst of it.
        if verdict.violations.contains(where: { $0.hasPrefix("crash") }) {
            crash += 1
        } else if verdict.violations.contains(where: { $0.hasPrefix("hang") }) {
            hang += 1
        } else if verdict.wrong > 0 {
            wrong += 1
        } else if verdict.second > 0 {
            second += 1
        } else if verdict.missing > 0 {
            missing += 1
        } else if verdict.refused > 0 {
            refused += 1
        }
        if verdict.short > 0 { short += 1 }
        for status in verdict.statuses { statuses[status, default: 0] += 1 }
        saved += verdict.saved
        least = min(least, verdict.saved)
        beyond += verdict.beyond
        if verdict.saved == SampleKeychain.count { atFull += 1 }
    }
}
