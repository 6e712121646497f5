// SPDX-License-Identifier: Apache-2.0

import Security

/// Every operation on keychains of one size, the limit's and ours by turns.
struct SizeBenchmark {
    private let plan: Plan
    private let size: Plan.Size
    private let limit: Limit
    private let folder: TemporaryFolder
    let ours: OurKeychain
    private var samples: [Measure: [Double]] = [:]
    private var random = SplitMix(seed: 1)

    private enum Measure {
        case limitFind, find, appFind, limitAdd, add, update, limitDelete, delete, limitList, list
    }

    /// Makes both keychains and fills them, one durable transaction an item.
    init(_ plan: Plan, _ size: Plan.Size) throws {
        self.plan = plan
        self.size = size
        ours = try OurKeychain()
        // On the same file system.
        folder = try TemporaryFolder(beside: ours.folder?.deletingLastPathComponent())
        limit = try Limit(folder: folder)
        for start in stride(from: 0, to: size.items, by: 1000) {
            let items = (start..<min(start + 1000, size.items)).map { BenchItem(number: $0) }
            for item in items { try limit.add(Array(item.account.utf8), date: item.number) }
            try ours.add(items)
        }
    }

    /// Measures; the rows are in the order of the report.
    mutating func run() throws -> [Row] {
        for round in 0...size.rounds {
            try measure(round)
            // The first one warms up.
            if round == 0 { samples = [:] }
        }
        try ours.check()
        return rows
    }

    private mutating func measure(_ round: Int) throws {
        let finds = (0..<plan.finds).map { _ in BenchItem(number: Int.random(in: 0..<size.items, using: &random)) }
        let accounts = finds.map { Array($0.account.utf8) }
        try take(.limitFind, Stopwatch.each(accounts.count) { for account in accounts { try limit.find(account) } })
        try take(.find, ours.find(finds))
        try take(.appFind, ours.findAsAnAppDoes(finds))

        // Behind the items there are, and deleted again, so that the size stays.
        let first = size.items + round * plan.writes
        let additions = (first..<first + plan.writes).map { BenchItem(number: $0) }
        let newAccounts = additions.map { Array($0.account.utf8) }
        try take(
            .limitAdd,
            Stopwatch.each(additions.count) {
                for (offset, account) in newAccounts.enumerated() { try limit.add(account, date: first + offset) }
            })
        try take(.add, ours.add(additions))
        try take(.update, ours.update(Array(finds.prefix(plan.writes))))
        try take(
            .limitDelete,
            Stopwatch.each(additions.count) { for account in newAccounts { try limit.delete(account) } })
        try take(.delete, ours.delete(additions))

        var listed = 0
        try take(.limitList, Stopwatch.each(size.items) { listed = try limit.list() })
        try WrongResult.unless(listed == size.items, "the limit lists \(listed) items")
        try take(.list, ours.list(expecting: size.items))
    }

    private mutating func take(_ measure: Measure, _ time: Double) {
        samples[measure, default: []].append(time)
    }

    private var rows: [Row] {
        // The targets are for this size.
        let isTarget = size.items == 10_000
        func row(
            _ name: String, _ ours: Measure, _ limit: Measure, _ target: Row.Target? = nil, note: String? = nil
        ) -> Row {
            Row(
                name: name, items: size.items, ours: samples[ours]?.median, limit: samples[limit]?.median,
                target: isTarget ? target : nil, note: note)
        }
        return [
            row(RowName.find, .find, .limitFind, .ratio(atMost: 1.25)),
            row(RowName.appFind, .appFind, .limitFind, .ratio(atMost: 1.9)),
            row(RowName.add, .add, .limitAdd, .ratio(atMost: 1.2)),
            row(RowName.update, .update, .limitAdd, .ratio(atMost: 2)),
            row(RowName.delete, .delete, .limitDelete),
            row(RowName.list, .list, .limitList, .ours(atMost: 9)),
        ]
    }
}
