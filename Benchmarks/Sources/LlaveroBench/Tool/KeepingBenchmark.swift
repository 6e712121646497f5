// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// What it costs to keep things: earlier versions of people's passwords, backups of everything.
struct KeepingBenchmark {
    let items: Int

    func rows() throws -> [Row] {
        let keychain = try OurKeychain(groups: ["llavero.passwords"])
        let folder = try TemporaryFolder(beside: keychain.folder?.deletingLastPathComponent())
        let limit = try Limit(folder: folder)
        for start in stride(from: 0, to: items, by: 1000) {
            let part = (start..<min(start + 1000, items)).map { BenchItem(number: $0) }
            try limit.inOneTransaction { () throws(WrongResult) in
                for item in part { try limit.add(Array(item.account.utf8), date: item.number) }
            }
            try keychain.add(part)
        }
        return try historyRows(keychain) + backupRows(keychain, limit)
    }

    /// Updates that keep what was there before, beside the same in a program's group, which keeps nothing.
    private func historyRows(_ people: OurKeychain) throws -> [Row] {
        let program = try OurKeychain()
        for start in stride(from: 0, to: items, by: 1000) {
            try program.add((start..<min(start + 1000, items)).map { BenchItem(number: $0) })
        }
        var random = SplitMix(seed: 3)
        var times: (kept: [Double], plain: [Double]) = ([], [])
        for _ in 0..<15 {
            let changed = (0..<200).map { _ in BenchItem(number: Int.random(in: 0..<items, using: &random)) }
            times.plain.append(try program.update(changed))
            times.kept.append(try people.update(changed))
        }
        try people.check()
        return [
            Row(
                name: "update that keeps the version before, beside one that does not", items: items,
                ours: times.kept.median, peer: times.plain.median, target: .share(atMost: 1.3))
        ]
    }

    /// The tool's, by a key of the device: stretching a passphrase takes half a second and 133 MB more, on purpose.
    private func backupRows(_ keychain: OurKeychain, _ limit: Limit) throws -> [Row] {
        guard let tool = try InstalledTool() else {
            return [Row(name: "llavero backup", items: items, note: "llavero is not built; make release does")]
        }
        let home = try keychain.copiedHome()
        let folder = try TemporaryFolder()
        let environment = ["LLAVERO_HOME=\(home.path)"]
        let file = folder.path + "/all.backup"
        func measured(_ words: [String], _ environment: [String]) throws -> (microseconds: Double, megabytes: Double) {
            try tool.llavero(words, environment).timeAndMemory()
        }
        let full = try measured(["backup", file, "--device-only"], environment)
        let verified = try measured(["backup", "--verify", file], environment)
        let restored = try measured(["restore", file, "--replace", "--yes"], environment)
        let chain = folder.path + "/chain"
        try WrongResult.unless(mkdir(chain, 0o700) == 0, "no folder for backups")
        let into = ["backup", "--into", chain, "--device-only"]
        let first = try measured(into, environment)
        let second = try measured(into + ["--incremental"], environment)

        let start = Stopwatch.now()
        let listed = try limit.list()
        let more = try TemporaryFolder(beside: keychain.folder?.deletingLastPathComponent())
        let other = try Limit(folder: more)
        try other.inOneTransaction { () throws(WrongResult) in
            for number in 0..<listed { try other.add(Array(BenchItem(number: number).account.utf8), date: number) }
        }
        let least = Stopwatch.now() - start

        func rows(_ name: String, _ figures: (microseconds: Double, megabytes: Double)) -> [Row] {
            [
                Row(
                    name: name + ", beside listing and adding all at the limit", items: items,
                    ours: figures.microseconds, limit: least, target: .ratio(atMost: 3)),
                Row(
                    name: name + ", most memory", items: items, ours: figures.megabytes, unit: .megabytes,
                    target: .ours(atMost: 60)),
            ]
        }
        return rows("llavero backup", full) + rows("llavero backup --verify", verified)
            + rows("llavero restore --replace", restored) + [
                Row(
                    name: "llavero backup --incremental without a change, beside a full one", items: items,
                    ours: second.microseconds, peer: first.microseconds, target: .share(atMost: 0.3))
            ]
    }
}
