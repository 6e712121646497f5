// SPDX-License-Identifier: Apache-2.0

/// Lists of very many items: the tool reads them in parts and prints as it reads, the library returns all at once.
///
/// The keychain and its copy take about a kilobyte for each item.
struct LongListBenchmark {
    let items: Int

    /// Rows of the tool, through no daemon, and of the library in this process.
    func rows() throws -> [Row] {
        let keychain = try OurKeychain(groups: ["llavero.passwords"])
        for start in stride(from: 0, to: items, by: 1000) {
            try keychain.add((start..<min(start + 1000, items)).map { BenchItem(number: $0) })
        }
        return try toolRows(keychain) + libraryRows(keychain)
    }

    private func toolRows(_ keychain: OurKeychain) throws -> [Row] {
        guard let tool = try InstalledTool() else {
            return [Row(name: "llavero list, per item", items: items, note: "llavero is not built; make release does")]
        }
        let home = try keychain.copiedHome()
        let environment = ["LLAVERO_HOME=\(home.path)"]
        var rows: [Row] = []
        let forms: [(String, [String])] = [("", []), (" --plain", ["--plain"]), (" --json", ["--json"])]
        for (form, arguments) in forms {
            let list = tool.llavero(["list"] + arguments, environment)
            let (microseconds, megabytes) = try list.timeAndMemory()
            rows += [
                Row(
                    name: "llavero list\(form), per item", items: items, ours: microseconds / Double(items),
                    target: isTarget ? .ours(atMost: 15) : nil),
                Row(
                    name: "llavero list\(form), most memory", items: items, ours: megabytes, unit: .megabytes,
                    target: isTarget ? .ours(atMost: 60) : nil),
            ]
        }
        let lines = try tool.llavero(["list", "--plain"], environment).lines()
        try WrongResult.unless(lines == items, "llavero list has \(lines) lines, not \(items)")
        return rows
    }

    private func libraryRows(_ keychain: OurKeychain) throws -> [Row] {
        let time = try keychain.list(expecting: items)
        return [
            Row(name: RowName.list, items: items, ours: time, target: isTarget ? .ours(atMost: 12) : nil),
            Row(
                name: "the same, most memory", items: items, ours: Child.mostMemory(of: "self"), unit: .megabytes,
                target: isTarget ? .ours(atMost: 1200) : nil),
        ]
    }

    /// The targets are for this number.
    private var isTarget: Bool { items == 1_000_000 }
}
