// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSQLite
import KeychainStore
import TestProcesses

/// What a circle costs a keychain, beside the same rows and seals by SQLite and OpenSSL alone.
enum StoreCosts {
    private static let view = someView()
    static let atOnce = 1000
    private static let times = 3000

    private static func someView() -> SyncView { SyncView([UInt8](repeating: 7, count: 16)) ?? someView() }

    static func run(_ count: Int) throws {
        let folder = try TestFolder()
        let device = try RealDevice(folder: folder.path)
        try programs(device)
        let limit = try LimitKeychain.time(count)
        let circle = device.session
        let first = try Figure.time { try apply(count, round: 1, circle) }
        Figure.say("taking \(count) new items", first, "adding them at the limit", limit)
        let second = try Figure.time { try apply(count, round: 2, circle) }
        Figure.say("taking \(count) changes", second, "adding them at the limit", limit)
        _ = try circle.perform(.sync(.markAll))
        var (mark, items): (UInt64, Int) = (0, 0)
        let third = try Figure.time {
            while case .sync(.changes(let changes, _)) = try circle.perform(
                .sync(.changes(behind: mark, limit: atOnce))), let last = changes.last
            {
                (mark, items) = (last.mark, items + changes.count)
            }
        }
        Figure.say("reading \(items) changes", third, "adding them at the limit", limit)
        guard case .sync(.live(_, let live)) = try circle.perform(.sync(.live(of: view, among: []))), live == count
        else { throw Trouble("not all are there") }
    }

    /// What programs do, in a circle and in none, in turn, so that both meet the same machine.
    private static func programs(_ device: RealDevice) throws {
        let (circle, program) = (device.session, device.program)
        var (adds, updates): ([[Double]], [[Double]]) = ([[], []], [[], []])
        // It ends in a circle.
        for part in 0..<12 {
            let isOn = part % 2
            _ = try circle.perform(.sync(isOn == 1 ? .begin(state: [0], base: []) : .end))
            let accounts = (0..<(times / 12)).map { "add \(part) \($0)" }
            adds[isOn].append(
                try Figure.time { for account in accounts { _ = try program.add(Sample.added(account)) } })
            updates[isOn].append(
                try Figure.time {
                    for account in accounts {
                        let changes = ItemChanges(
                            attributes: AttributeList(), group: nil, accessControl: nil, isSynchronizable: nil,
                            secret: SecretValue(copying: Array("another of \(account)".utf8)))
                        try program.update(
                            UpdateRequest(
                                predicate: Sample.predicate(account), changes: changes, tombstones: .whenSynchronizable)
                        )
                    }
                })
        }
        for (what, figures) in [("add", adds), ("update", updates)] {
            let each = figures.map { ($0.min() ?? 0) / Double(times / 12) }
            Figure.say("\(what) in a circle", each[1], "in none", each[0], atMost: 1.1)
        }
    }

    // MARK: Finds, counted by callgrind

    static func fill(_ folder: String, items: Int, isInCircle: Bool) throws {
        let device = try RealDevice(folder: folder)
        let (state, base) = ([UInt8](repeating: 1, count: 1000), [UInt8](repeating: 1, count: 4000))
        if isInCircle { _ = try device.session.perform(.sync(.begin(state: state, base: base))) }
        for number in 0..<items { _ = try device.program.add(Sample.added("item \(number)")) }
    }

    static func find(_ folder: String, items: Int, times: Int) throws {
        let device = try RealDevice(folder: folder)
        for number in 0..<times {
            // Spread, and the same in each process.
            let account = "item \((number &* 7919) % items)"
            let found = try device.program.match(
                MatchRequest(predicate: Sample.predicate(account), returning: .data, limit: .single))
            guard found.count == 1 else { throw Trouble("it was not found") }
        }
    }

    // MARK: The circle

    private static func apply(_ count: Int, round: Int, _ session: any KeychainSession) throws {
        for start in stride(from: 0, to: count, by: atOnce) {
            guard case .sync(.state(let state?)) = try session.perform(.sync(.state())) else { return }
            var batch = SyncBatch(version: state.version)
            batch.state = [UInt8](repeating: 1, count: 1000)
            batch.incoming = (start..<min(start + atOnce, count)).map { index in
                SyncIncoming(view: view, leaf: leaf(index, round), content: .item(Sample.item(index, round)))
            }
            _ = try session.perform(.sync(.apply(batch)))
        }
    }

    private static func leaf(_ index: Int, _ round: Int) -> SyncLeaf {
        // As spread as an HMAC is.
        let digest = (try? Digest.sha256(of: Array("\(index)".utf8))) ?? []
        let id = SyncRecordID(Array(digest.prefix(16))) ?? leaf(index, round).id
        return SyncLeaf(id: id, head: UInt64(round), digest: digest)
    }
}
