// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainModel
import KeychainRequest
import Security

/// The same rounds of a circle in every run, and what a keychain holds after the first `n` of its operations.
enum SyncCrash {
    private static let rounds = 12
    private static let group = AccessGroup("test.shared") ?? .open
    private static let view = someView()

    private static func someView() -> SyncView { SyncView([UInt8](repeating: 7, count: 16)) ?? someView() }

    /// A program's add before each round, and then the round itself.
    static let operations = rounds * 2

    /// Works through them and prints the number of each once its call has returned.
    static func write() -> Int32 {
        do {
            let list = getenv("LLT_KILL_LOG").map { open(String(cString: $0), O_WRONLY | O_APPEND | O_CREAT, 0o600) }
            let (circle, program) = try sessions()
            if let list { say("part begin\n", to: list) }
            _ = try circle.perform(.sync(.begin(state: [0], base: base(before: 0))))
            say("0\n", to: 1)
            if let list { say("part rounds\n", to: list) }
            for round in 0..<rounds {
                _ = try program.add(added("local\(round)", secret("local", round)))
                say("\(2 * round + 1)\n", to: 1)
                try apply(round, circle)
                say("\(2 * round + 2)\n", to: 1)
            }
            return 0
        } catch {
            say("failed: \(error)\n", to: 1)
            return 1
        }
    }

    /// Says what is wrong with a keychain that a writer left: nothing if nothing is.
    static func verify(acknowledged: Int?) -> Int32 {
        var complaints: [String] = []
        do {
            let (circle, program) = try sessions()
            let found = try Snapshot(circle, program)
            let last = acknowledged ?? -1
            let allowed = [last, last + 1].map(Snapshot.init(after:))
            if !allowed.contains(found) {
                complaints.append("after \(last) operations, not what they made of it: \(found)")
                complaints.append("expected \(allowed[0])")
            }
            complaints += try Llavero.check()
            // And it still takes what comes; with nothing in it, so that whoever looks next finds the same.
            if case .sync(.state(let state?)) = try circle.perform(.sync(.state())) {
                guard case .sync(.applied) = try circle.perform(.sync(.apply(SyncBatch(version: state.version)))) else {
                    throw Surprise()
                }
            }
        } catch { complaints.append("\(error)") }
        for complaint in complaints { print(complaint) }
        return complaints.isEmpty ? 0 : 1
    }

    struct Surprise: Error {}

    // MARK: What is done

    private static func sessions() throws -> (circle: any KeychainSession, program: any KeychainSession) {
        let host = try ProcessHost.host().embedded
        var circle = Caller(groups: [], seesEveryGroup: false, administersKeys: false, program: nil)
        circle.synchronizes = true
        let program = Caller(groups: [group], seesEveryGroup: false, administersKeys: false, program: nil)
        return (try host.session(for: circle), try host.session(for: program))
    }

    private static func apply(_ round: Int, _ session: any KeychainSession) throws {
        guard case .sync(.state(let state?)) = try session.perform(.sync(.state())),
            case .sync(.changes(let changes, _)) = try session.perform(.sync(.changes(behind: 0, limit: 100)))
        else { throw Surprise() }
        var batch = SyncBatch(version: state.version)
        batch.state = [UInt8(round + 1)]
        if round % 3 == 1 { batch.base = base(before: round + 1) }
        batch.incoming = (0..<6).map { place in
            SyncIncoming(view: view, leaf: leaf("c\(place)", round), content: .item(item(place, round)))
        }
        batch.sent = changes.map { change in
            SyncSent(mark: change.mark, leaf: (view, leaf(account(change.item), round)))
        }
        batch.heads = [(view, SyncHead(number: UInt64(round + 1), body: [UInt8](repeating: 1, count: 5000)))]
        guard case .sync(.applied) = try session.perform(.sync(.apply(batch))) else { throw Surprise() }
    }

    /// The base that there is before a round: every third one writes another, of many pages.
    private static func base(before round: Int) -> [UInt8] {
        [UInt8](repeating: UInt8((round + 1) / 3), count: 20_000)
    }

    private static func isDeleted(_ place: Int, _ round: Int) -> Bool { (place + round) % 5 == 0 }

    private static func secret(_ name: String, _ round: Int) -> String {
        "\(name) \(round) " + String(repeating: "abcdefghij", count: 20 + round * 300)
    }

    private static func account(_ item: SyncItem) -> String {
        guard case .string(let account)? = item.attributes[.account] else { return "" }
        return account
    }

    private static func item(_ place: Int, _ round: Int) -> SyncItem {
        var attributes = AttributeList()
        attributes[.account] = .string("c\(place)")
        attributes[.accessGroup] = .string(group.name)
        attributes[.accessible] = .string("ck")
        attributes[.synchronizable] = .number(1)
        attributes[.tombstone] = .number(isDeleted(place, round) ? 1 : 0)
        attributes[.creationDate] = .date(1000)
        attributes[.modificationDate] = .date(1000 + Double(round))
        return SyncItem(
            itemClass: .genericPassword, attributes: attributes,
            secret: isDeleted(place, round) ? nil : SecretValue(copying: Array(secret("c\(place)", round).utf8)))
    }

    private static func added(_ account: String, _ secret: String) -> AddRequest {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        return AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
            protection: .accessControl(AccessControl(protection: .whenUnlocked)), isSynchronizable: true,
            isTombstone: false, secret: SecretValue(copying: Array(secret.utf8)), returning: [], origin: .caller)
    }

    private static func leaf(_ account: String, _ round: Int) -> SyncLeaf {
        SyncLeaf(
            id: record(account), head: UInt64(round + 1), digest: [UInt8](repeating: UInt8(round + 1), count: 32))
    }

    private static func record(_ account: String) -> SyncRecordID {
        let bytes = Array(account.utf8.prefix(16))
        return SyncRecordID(bytes + [UInt8](repeating: 0, count: 16 - bytes.count)) ?? record("")
    }

    private static func say(_ text: String, to file: Int32) {
        let bytes = Array(text.utf8)
        _ = Foundation.write(file, bytes, bytes.count)
    }

    // MARK: What is there

    /// Everything that a batch writes, as it is or has to be.
    private struct Snapshot: Equatable, CustomStringConvertible {
        var isInCircle = false
        var state: [UInt8] = []
        var base: [UInt8] = []
        var secrets: [String: String] = [:]
        var leaves: [[UInt8]: UInt64] = [:]
        var heads: [UInt64] = []
        var marked: [String] = []

        var description: String {
            "state \(state) on \(base.first ?? 0), items \(secrets.mapValues(\.count)), \(leaves.count) leaves, heads \(heads), marked \(marked)"
        }

        /// After so many operations; -1: before the circle was begun.
        init(after operations: Int) {
            guard operations >= 0 else { return }
            isInCircle = true
            (state, base) = ([0], SyncCrash.base(before: 0))
            for operation in 0..<operations {
                let round = operation / 2
                guard operation % 2 == 1 else {
                    secrets["local\(round)"] = SyncCrash.secret("local", round)
                    marked.append("local\(round)")
                    continue
                }
                for place in 0..<6 {
                    leaves[record("c\(place)").bytes] = UInt64(round + 1)
                    secrets["c\(place)"] = isDeleted(place, round) ? nil : SyncCrash.secret("c\(place)", round)
                }
                for account in marked { leaves[record(account).bytes] = UInt64(round + 1) }
                (marked, state, base) = ([], [UInt8(round + 1)], SyncCrash.base(before: round + 1))
                heads.insert(UInt64(round + 1), at: 0)
            }
        }

        init(_ circle: any KeychainSession, _ program: any KeychainSession) throws {
            guard case .sync(.state(let state)) = try circle.perform(.sync(.state())) else { throw Surprise() }
            guard let state else { return }
            (isInCircle, self.state, base) = (true, state.bytes, state.base ?? [])
            guard
                case .sync(.leaves(let leaves)) = try circle.perform(.sync(.leaves(of: view, behind: nil, limit: 999))),
                case .sync(.heads(let heads)) = try circle.perform(.sync(.heads(of: view, before: nil, limit: 999))),
                case .sync(.changes(let changes, _)) = try circle.perform(.sync(.changes(behind: 0, limit: 999)))
            else { throw Surprise() }
            self.leaves = Dictionary(uniqueKeysWithValues: leaves.map { ($0.id.bytes, $0.head) })
            self.heads = heads.map { $0.number }
            marked = changes.map { account($0.item) }
            let predicate = ItemPredicate(
                queriedClass: .stored(.genericPassword), attributes: AttributeList(), groups: .everyGroupOfCaller,
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
            do {
                let request = MatchRequest(predicate: predicate, returning: [.attributes, .data], limit: .all)
                for found in try program.match(request) {
                    guard case .item(let item) = found, case .string(let account)? = item.attributes?[.account],
                        let secret = item.secret
                    else { throw Surprise() }
                    secrets[account] = secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
                }
            } catch let error as KeychainError where error.reason == .itemNotFound {}
        }
    }
}
