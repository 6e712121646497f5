// SPDX-License-Identifier: Apache-2.0

import KeychainAuthorization
import KeychainModel
import KeychainRequest
import KeychainStore
import Testing

/// A restore that makes a keychain what it was, where items have each other's names by now.
@Suite("items that a restore puts back in others' places") struct RestoringTests {
    private let store: ConstrainedStore
    private let scope: GroupFilter
    private let caller: Caller

    init() throws {
        store = try ConstrainedStore()
        scope = .only([.passwords])
        caller = Caller(groups: [.passwords], seesEveryGroup: false, administersKeys: false, program: nil)
    }

    private func moment(_ now: Double) -> WriteContext {
        WriteContext(now: now) {
            var generator = SystemRandomNumberGenerator()
            return (generator.next(), generator.next(), generator.next(), generator.next())
        }
    }

    private var shown: ShownFactors {
        ShownFactors(
            secrets: store.person, currentFingers: nil, areFingersKnown: true, passwordCost: ConstrainedStore.cost)
    }

    private func predicate(_ account: String? = nil) -> ItemPredicate {
        var attributes = AttributeList()
        if let account { attributes[.account] = .string(account) }
        return ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes, groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
    }

    /// An item with its name as its secret.
    private func add(_ account: String, at now: Double = 100) throws {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        let request = AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
            protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false,
            secret: SecretValue(copying: Array(account.utf8)), returning: [], origin: .caller)
        _ = try store.connection.add(try Authorization.authorize(request, from: caller), shown, at: moment(now))
    }

    private func rename(_ account: String, _ other: String, at now: Double = 200) throws {
        var attributes = AttributeList()
        attributes[.account] = .string(other)
        let request = UpdateRequest(
            predicate: predicate(account),
            changes: ItemChanges(
                attributes: attributes, group: nil, accessControl: nil, isSynchronizable: nil, secret: nil),
            tombstones: .never)
        try store.connection.update([try Authorization.authorize(request, from: caller)], shown, at: moment(now))
    }

    /// All items as a backup has them, in the order of their names.
    private func items() throws -> [FoundItem] {
        let request = MatchRequest(
            predicate: predicate(), returning: [.attributes, .data, .persistentReference], limit: .all)
        let found = try store.connection.match(
            try Authorization.authorize(request, from: caller), store.person, unmet: .told, now: { 0 })
        return found.compactMap { if case .item(let item) = $0 { item } else { nil } }.sorted { name($0) < name($1) }
    }

    private func name(_ item: FoundItem) -> String {
        if case .string(let account)? = item.attributes?[.account] { account } else { "" }
    }

    /// Name, reference and secret of each, with whatever stands in its view hint.
    private func state() throws -> [String] {
        try items().map { item in
            "\(name(item)) \(item.persistentID) \(item.secret?.count ?? 0) \(item.attributes?[.viewHint] == nil)"
        }
    }

    private func restore(
        _ items: [FoundItem], isWhole: Bool = true, isRehearsal: Bool = false
    ) throws -> ([RestoreOutcome], removed: Int) {
        let (outcomes, removed) = try store.connection.restore(
            RestoreRequest(items: items, replaces: true, isWhole: isWhole, isRehearsal: isRehearsal), scope,
            at: moment(300))
        return (outcomes, removed.count)
    }

    private func versions() throws -> [PastVersion] {
        try store.connection.history(of: nil, before: nil, scope, at: 400)
    }

    @Test("an item gets its name back from one that the backup does not have, which goes")
    func removedFirst() throws {
        try add("a")
        let (backup, before) = (try items(), try state())
        try rename("a", "b")
        try add("a", at: 200)
        let (outcomes, removed) = try restore(backup)
        #expect(outcomes == [.changed])
        #expect(removed == 1)
        #expect(try state() == before)
        #expect(try versions().map(\.end) == [.changed, .removed, .changed])
    }

    @Test("items that have each other's names get their own back", arguments: [true, false])
    func swapped(isWhole: Bool) throws {
        let names = ["a", "bb", "ccc", "dddd", "eeeee"]
        for name in names { try add(name) }
        let (backup, before) = (try items(), try state())
        // Two circles: a, bb, ccc and dddd, eeeee.
        for (name, other) in [
            ("a", "x"), ("ccc", "a"), ("bb", "ccc"), ("x", "bb"), ("dddd", "x"), ("eeeee", "dddd"), ("x", "eeeee"),
        ] { try rename(name, other) }
        #expect(try state() != before)
        let kept = try versions().count
        #expect(try restore(backup, isWhole: isWhole, isRehearsal: true).0 == names.map { _ in .changed })
        #expect(try state() != before)
        #expect(try restore(backup, isWhole: isWhole).0 == names.map { _ in .changed })
        #expect(try state() == before)
        // One version of each, under the name that it had.
        let versions = try versions()
        #expect(versions.count == kept + names.count)
        #expect(versions.allSatisfy { $0.item.attributes?[.viewHint] == nil })
    }

    @Test("items that each moved up by one name get theirs back") func movedUp() throws {
        let names = ["a", "bb", "ccc", "dddd"]
        for name in names { try add(name) }
        let (backup, before) = (try items(), try state())
        for (name, other) in zip(names, names.dropFirst() + ["eeeee"]).reversed() { try rename(name, other) }
        #expect(try restore(backup).0 == names.map { _ in .changed })
        #expect(try state() == before)
        #expect(try restore(Array(backup.reversed())).0 == names.map { _ in .same })
    }

    @Test("of an item that is refused, for another one stays that has its name, no version is kept")
    func refused() throws {
        try add("a")
        let backup = try items()
        try rename("a", "b")
        try add("a", at: 200)
        let before = try state()
        let kept = try versions().count
        // As a part of a backup, of which nobody knows yet what it does not have.
        for _ in 0..<6 { #expect(try restore(backup, isWhole: false).0 == [.refused]) }
        #expect(try state() == before)
        #expect(try versions().count == kept)
    }
}
