// SPDX-License-Identifier: Apache-2.0

import KeychainAuthorization
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSQLite
import KeychainStore
import Testing

@Suite("what is damaged is found, in whatever parts one looks")
struct CheckPartsTests {
    private let store: ConstrainedStore

    init() throws {
        store = try ConstrainedStore()
        let free = AccessControl(protection: .whenUnlocked)
        let guarded = try ConstrainedStore.control(.userPresence)
        for (account, control) in [("a", free), ("b", guarded), ("c", free), ("d", guarded), ("e", free)] {
            try store.add(account, "secret", control)
        }
    }

    /// Of one row the end of its secret, or the beginning of its attributes.
    private func damage(_ row: Int64, secretAlone: Bool) throws {
        var blob = try store.blob(row)
        // A bit that is turned differs from what was there, whatever that was.
        blob[secretAlone ? blob.count - 1 : 61] ^= 1
        try store.setBlob(blob, row)
    }

    @Test("every row once, and the same findings", arguments: [1, 2, 3, 5, 6, 100])
    func parts(most: Int) throws {
        try damage(1, secretAlone: true)
        try damage(4, secretAlone: false)
        var (findings, rows, calls): ([String], Int, Int) = ([], 0, 0)
        var start: CheckPosition?
        repeat {
            let part = try store.connection.check(from: start, atMost: most, copyOfKeybag: nil)
            // The sum over all items says so, too, once.
            findings += part.findings.map(\.description).filter { !$0.contains("outside Llavero") }
            rows += part.rows
            calls += 1
            #expect(part.rows <= most)
            #expect(part.total == 5)
            #expect(part.locked == 0)
            start = part.next
        } while start != nil && calls < 20
        // What is wrong with several items of one part is told once.
        let together = ["generic passwords 1 and 4: cannot be read"]
        let apart = ["generic password 1: cannot be read", "generic password 4: cannot be read"]
        #expect(findings == (most >= 4 ? together : apart))
        #expect(rows == 5)
    }

    private func found(_ returning: ReturnTypes) throws -> [Found] {
        let predicate = ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
        let caller = Caller(
            groups: [try #require(AccessGroup(ConstrainedStore.group))], seesEveryGroup: false, administersKeys: false,
            program: nil)
        let request = MatchRequest(predicate: predicate, returning: returning, limit: .all)
        return try store.connection.match(
            try Authorization.authorize(request, from: caller), .none, unmet: .told, now: { 0 })
    }

    @Test("who asks for what is damaged gets it behind the others, and nobody else hears of it")
    func asked() throws {
        try damage(2, secretAlone: true)
        try damage(3, secretAlone: false)
        // Nobody is asked for what only wants to know whether it is whole.
        let all = try found([.attributes, .damaged])
        #expect(all.count == 5)
        guard case .damaged(let second) = all[3], case .damaged(let third) = all[4] else {
            Issue.record("the damaged ones come last, in the order of their rows")
            return
        }
        #expect(second.rest?.attributes?[.account] == .string("b"))
        #expect(second.rest?.secret == nil)
        #expect(third.rest == nil)
        #expect(third.persistentID != nil)
        #expect(store.connection.damagedRows == 0)
        // As programs ask: the attributes of one are whole, the other is passed over.
        #expect(try found(.attributes).count == 4)
        #expect(store.connection.damagedRows == 1)
    }
}
