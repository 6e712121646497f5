// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a script pays that calls the command line tool: each call is a process of its own, start and end included.
struct ToolBenchmark {
    let plan: Plan
    private let tool: InstalledTool?
    private var items: Int { plan.isSmoke ? 100 : 10_000 }

    init(plan: Plan) throws {
        self.plan = plan
        tool = try InstalledTool()
    }

    /// In a keychain that no daemon has; beside the desktop's own tool too, in the long form.
    func rows() throws -> [Row] {
        guard let tool else { return [Row(name: ToolBenchmark.find, items: items, note: ToolBenchmark.notBuilt)] }
        let home = try filledHome()
        let environment = ["LLAVERO_HOME=\(home.path)"]
        var rows = [try find(tool, environment, ToolBenchmark.find, most: 5000), try list(tool, environment)]
        // As people make one; its name is in an index.
        _ = try tool.llavero(["add", "mine", "--generate"], environment).microseconds()
        let account = "\(BenchItem.service)/\(BenchItem(number: 65).account)"
        rows += [
            try run(tool, environment, "mine", "llavero run --env X=NAME, beyond /bin/true"),
            // What it may be the label of is looked for before, in every item.
            try run(tool, environment, account, "llavero run --env X=SERVICE/ACCOUNT, as above"),
        ]
        if !plan.isSmoke { rows.append(ToolComparison(tool: tool).row(environment, items: items)) }
        return rows
    }

    /// The same find, through a daemon that has the keychain.
    func row(of daemon: RunningDaemon, items: Int) throws -> Row {
        let name = "security find-generic-password -w, by llaverod"
        guard let tool else { return Row(name: name, items: items, note: ToolBenchmark.notBuilt) }
        return try find(tool, daemon.environment, name, most: 8000, secret: Password.ofClient)
    }

    /// The group of what people keep with the tool: both names of it look there.
    private func filledHome() throws -> TemporaryFolder {
        let keychain = try OurKeychain(groups: ["llavero.passwords"])
        for start in stride(from: 0, to: items, by: 1000) {
            try keychain.add((start..<min(start + 1000, items)).map { BenchItem(number: $0) })
        }
        return try keychain.copiedHome()
    }

    private enum Password {
        /// Of the item with the number 65, as the tool prints them.
        static let ofBenchItem = String(repeating: "A", count: 32) + "\n"
        /// What llavero-client stores cannot be printed.
        static let ofClient = String(repeating: "07", count: 32) + "\n"
    }

    private func find(
        _ tool: InstalledTool, _ environment: [String], _ name: String, most: Double,
        secret: String = Password.ofBenchItem
    ) throws -> Row {
        let found = try tool.find(BenchItem(number: 65), environment).output()
        try WrongResult.unless(found == secret, "security finds another password")
        let times = try (0..<plan.processes).map {
            try tool.find(BenchItem(number: $0 * 7919 % items), environment).microseconds()
        }
        return Row(
            name: name, items: items, ours: times.median, target: plan.isSmoke ? nil : .ours(atMost: most),
            note: ToolBenchmark.least(times))
    }

    private func list(_ tool: InstalledTool, _ environment: [String]) throws -> Row {
        let child = tool.llavero(["list", "--plain"], environment)
        let lines = try child.output().split(separator: "\n").count
        try WrongResult.unless(lines == items, "llavero list has \(lines) lines, not \(items)")
        let times = try (0..<(plan.isSmoke ? 2 : 9)).map { _ in try child.microseconds() }
        return Row(
            name: "llavero list", items: items, ours: times.median,
            target: plan.isSmoke ? nil : .ours(atMost: 500_000), note: ToolBenchmark.least(times))
    }

    /// What a command takes longer to end that gets a secret, the two by turns.
    private func run(_ tool: InstalledTool, _ environment: [String], _ item: String, _ name: String) throws -> Row {
        let program = Child.find("true") ?? "/bin/true"
        let nothing = Child(program: program, arguments: [], environment: [])
        let child = tool.llavero(["run", "--env", "X=\(item)", "--", program], environment)
        var times: (run: [Double], nothing: [Double]) = ([], [])
        for _ in 0..<plan.processes {
            times.nothing.append(try nothing.microseconds())
            times.run.append(try child.microseconds())
        }
        let added = times.run.median.flatMap { run in times.nothing.median.map { run - $0 } }
        return Row(
            name: name, items: items, ours: added, target: plan.isSmoke ? nil : .ours(atMost: 15_000),
            note: "with it " + ToolBenchmark.least(times.run))
    }

    private static func least(_ times: [Double]) -> String { "at least \(Int(times.min() ?? 0)) µs" }

    private static let find = "security find-generic-password -w"
    private static let notBuilt = "llavero is not built; make release does"
}
