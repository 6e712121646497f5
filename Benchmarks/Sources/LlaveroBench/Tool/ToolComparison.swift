// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `security` beside `secret-tool`, which asks gnome-keyring: a look-up from start to end, by turns, each in a keychain of its own.
struct ToolComparison {
    let tool: InstalledTool

    static let insideFlag = "--tool-inside-a-bus"
    /// What gnome-keyring holds; ours has ten thousand.
    private static let theirItems = 1000
    private static let samples = 60

    /// `environment` names our keychain.
    func row(_ environment: [String], items: Int) -> Row {
        var row = Row(name: "security find, beside secret-tool lookup", items: items, target: .share(atMost: 0.5))
        do {
            let lines = try GnomeKeyring.measure(
                ToolComparison.insideFlag, environment + ["LLAVERO_TOOL=\(tool.path)", "ITEMS=\(items)"])
            guard let line = lines?.first else {
                row.note = "gnome-keyring is not installed"
                return row
            }
            let figures = line.split(separator: " ").compactMap { Double($0) }
            try WrongResult.unless(figures.count == 4, "the inner process says \(line)")
            (row.ours, row.peer) = (figures[0], figures[1])
            row.note =
                "at least \(Int(figures[2])) and \(Int(figures[3])) µs; theirs has \(ToolComparison.theirItems) items"
        } catch { row.note = "not measured: \(error)" }
        return row
    }

    /// What the inner process does: prints both medians, then the least of both.
    static func runInside() throws {
        guard let tool = try InstalledTool(),
            let items = ProcessInfo.processInfo.environment["ITEMS"].flatMap({ Int($0) }), items > 0
        else { throw WrongResult("this is not called by people") }
        try GnomeKeyring.withDaemon { environment, service in
            for number in 0..<theirItems { try service.add("account\(number)") }
            var times: (ours: [Double], theirs: [Double]) = ([], [])
            for sample in 0..<samples {
                let theirs = try GnomeKeyring.lookup("account\(sample * 37 % theirItems)", environment)
                times.theirs.append(try theirs.microseconds())
                times.ours.append(
                    try tool.find(BenchItem(number: sample * 7919 % items), environment).microseconds())
            }
            let figures = [times.ours.median, times.theirs.median, times.ours.min(), times.theirs.min()]
            print(figures.map { "\($0 ?? 0)" }.joined(separator: " "))
        }
    }
}
