// SPDX-License-Identifier: Apache-2.0

import KeychainAuthorization
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainStore
import Synchronization
import Testing

/// How much room a find asks for: what its answer takes, and no more.
@Suite struct AnswerRoomTests {
    private static let large = String(repeating: "x", count: 100_000)
    /// An item's attributes, keys and seals take less.
    private static let almostNothing = 2000

    /// Three passwords of one service; the first has a synchronizable twin.
    private static func store() throws -> ConstrainedStore {
        let store = try ConstrainedStore()
        for (account, isSynchronizable) in [("a", false), ("a", true), ("b", false), ("c", false)] {
            var attributes = AttributeList()
            attributes[.account] = .string(account)
            attributes[.service] = .string("mail")
            let request = AddRequest(
                itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
                protection: .accessControl(try ConstrainedStore.control([])), isSynchronizable: isSynchronizable,
                isTombstone: false, secret: SecretValue(copying: Array((account + large).utf8)), returning: [],
                origin: .caller)
            let shown = ShownFactors(
                secrets: store.person, currentFingers: nil, areFingersKnown: true, passwordCost: ConstrainedStore.cost)
            _ = try store.connection.add(
                try Authorization.authorize(request, from: store.caller), shown, at: store.moment)
        }
        return store
    }

    /// What a find gives out, and how many bytes it asked room for.
    private static func find(
        _ attributes: AttributeList, _ returning: ReturnTypes, in store: ConstrainedStore
    ) throws -> (items: [FoundItem], bytes: Int) {
        let predicate = ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes, groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
        let request = MatchRequest(predicate: predicate, returning: returning, limit: .all)
        let bytes = Mutex(0)
        let found = try store.connection.match(
            try Authorization.authorize(request, from: store.caller), store.person, unmet: .told,
            budget: { count in
                bytes.withLock { $0 = count }
                return .enough
            }, now: { 0 })
        let items = found.compactMap { found -> FoundItem? in if case .item(let item) = found { item } else { nil } }
        return (items, bytes.withLock(\.self))
    }

    @Test("an item whose twin is found too counts once")
    func twins() throws {
        var attributes = AttributeList()
        attributes[.account] = .string("a")
        attributes[.service] = .string("mail")
        let found = try Self.find(attributes, .data, in: try Self.store())
        #expect(found.items.count == 2)
        #expect(2 * Self.large.utf8.count..<2 * Self.large.utf8.count + Self.almostNothing ~= found.bytes)
    }

    @Test("what a search by value passes over does not count")
    func searchedByValue() throws {
        let store = try Self.store()
        var attributes = AttributeList()
        attributes[.account] = .string("c")
        attributes[.service] = .string("mail")
        let wanted = try #require(try Self.find(attributes, [.attributes, .data], in: store).items.first)
        var digest = AttributeList()
        digest[.digest] = try #require(wanted.attributes?[.digest])
        let found = try Self.find(digest, .data, in: store)
        #expect(found.items.count == 1)
        #expect(Self.large.utf8.count..<Self.large.utf8.count + Self.almostNothing ~= found.bytes)
    }
}
