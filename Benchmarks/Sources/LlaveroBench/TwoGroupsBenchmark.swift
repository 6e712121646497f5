// SPDX-License-Identifier: Apache-2.0

import Security

/// All items in one service, half of them in each of the caller's two access groups.
///
/// A planner that walks the service in row order to spare itself a sort takes milliseconds here.
struct TwoGroupsBenchmark {
    let plan: Plan

    func run() throws -> [Row] {
        let size = plan.twoGroups
        let groups = ["bench.one", "bench.two"]
        let ours = try OurKeychain(groups: groups)
        let folder = try TemporaryFolder(beside: ours.folder?.deletingLastPathComponent())
        let limit = try Limit(folder: folder)
        let items = (0..<size.items).map { BenchItem(number: $0, group: groups[$0 % 2]) }
        for item in items { try limit.add(Array(item.account.utf8), date: item.number) }
        try ours.add(items)

        var random = SplitMix(seed: 2)
        var finds: (limit: [Double], ours: [Double]) = ([], [])
        var firsts: (limit: [Double], ours: [Double]) = ([], [])
        for _ in 0..<size.rounds {
            let wanted = (0..<plan.finds).compactMap { _ in items.randomElement(using: &random) }
            let accounts = wanted.map { Array($0.account.utf8) }
            finds.limit.append(
                try Stopwatch.each(accounts.count) { for account in accounts { try limit.find(account) } })
            finds.ours.append(try ours.find(wanted))
            firsts.limit.append(try Stopwatch.each(plan.finds) { for _ in 0..<plan.finds { try limit.findFirst() } })
            firsts.ours.append(try ours.findFirst(times: plan.finds))
            _ = try ours.findAsAnAppDoes(Array(wanted.prefix(100)))
        }
        let target: Row.Target? = size.items == 10_000 ? .ratio(atMost: 1.3) : nil
        return [
            Row(
                name: "one service, two groups: find", items: size.items, ours: finds.ours.median,
                limit: finds.limit.median, target: target),
            Row(
                name: "one service, two groups: first of the service", items: size.items, ours: firsts.ours.median,
                limit: firsts.limit.median, target: target),
        ]
    }
}
