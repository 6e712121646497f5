// SPDX-License-Identifier: Apache-2.0

import KeychainAuthorization
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainStore
import Testing

/// A list in parts has what the list has that is read at once, whatever happens between two parts.
@Suite struct PagedMatchingTests {
    private let store: ConstrainedStore

    init() throws { store = try ConstrainedStore() }

    private func add(_ accounts: [String], _ secret: String = "secret") throws {
        for account in accounts {
            try store.add(account, secret, AccessControl(protection: .whenUnlocked))
        }
    }

    private func request(
        _ returning: ReturnTypes, _ limit: MatchLimit, _ filters: [MatchFilter] = []
    ) -> MatchRequest {
        let predicate = ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: filters)
        return MatchRequest(predicate: predicate, returning: returning, limit: limit)
    }

    private func page(
        _ match: MatchRequest, _ start: MatchPosition?,
        _ budget: (@Sendable (Int) -> AnswerBudget)? = nil
    ) throws -> MatchPage {
        let request = try #require(MatchPageRequest(match, from: start))
        return try store.connection.match(
            try Authorization.authorize(request, from: store.caller), store.person, unmet: .told, budget: budget,
            now: { 0 })
    }

    /// The parts of a list, at most so many rows each.
    private func parts(
        of rows: Int, _ returning: ReturnTypes = .attributes, _ filters: [MatchFilter] = [],
        _ budget: (@Sendable (Int) -> AnswerBudget)? = nil, between: (Int) throws -> Void = { _ in }
    ) throws -> [[Found]] {
        let match = request(returning, rows > 1 ? .atMost(rows) : .single, filters)
        var parts: [[Found]] = []
        var position: MatchPosition?
        repeat {
            let page = try page(match, position, budget)
            parts.append(page.found)
            position = page.next
            try between(parts.count)
        } while position != nil && parts.count < 100
        return parts
    }

    private func accounts(_ found: [Found]) -> [String] {
        found.map { found in
            switch found {
            case .item(let item):
                if case .string(let account)? = item.attributes?[.account] { account } else { "without an account" }
            case .damaged: "damaged"
            case .identity: "identity"
            }
        }
    }

    private func remove(_ account: String) throws {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        let predicate = ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes, groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
        try store.connection.delete(
            try Authorization.authorize(DeleteRequest(predicate: predicate, tombstones: .never), from: store.caller),
            .none, at: store.moment)
    }

    @Test("parts of any size are the whole list, in its order", arguments: [1, 2, 3, 6, 7, 8, 100])
    func whole(rows: Int) throws {
        try add(["a", "b", "c", "d", "e", "f", "g"])
        // A row that is passed over, and a gap.
        var blob = try store.blob(3)
        blob[blob.count - 1] ^= 1
        try store.setBlob(blob, 3)
        try remove("e")
        let all = try store.connection.match(
            try Authorization.authorize(request([.attributes, .damaged], .all), from: store.caller), .none,
            unmet: .told, now: { 0 })
        let parts = try parts(of: rows, [.attributes, .damaged])
        #expect(parts.allSatisfy { $0.count <= rows })
        let found = accounts(parts.flatMap(\.self))
        #expect(found.filter { $0 != "damaged" } == accounts(all).filter { $0 != "damaged" })
        #expect(found.count { $0 == "damaged" } == 1)
        #expect(store.connection.damagedRows == 0)
    }

    @Test(
        "what is there all the time comes once, whatever is stored and removed between two parts", arguments: [1, 2, 3])
    func changing(rows: Int) throws {
        try add(["a", "b", "c", "d", "e", "f"])
        let change = { (number: Int) throws in
            switch number {
            // The row that the part ended with, and one that comes.
            case 1: for account in [["a"], ["b"], ["c"]][rows - 1] + ["e"] { try remove(account) }
            case 2: try add(["g", "h"])
            default: break
            }
        }
        let parts = try parts(of: rows, between: change)
        let found = accounts(parts.flatMap(\.self))
        #expect(Set(found).count == found.count)
        for account in ["d", "f"] { #expect(found.contains(account)) }
        #expect(!found.contains("e"))
        // Stored while the list was read, behind where it was.
        #expect(rows == 3 || found.suffix(2) == ["g", "h"])
    }

    @Test("rows that are passed over count: a part may be empty, and others follow")
    func filtered() throws {
        try add(["a", "b", "c", "d", "z"])
        let pattern = TextPattern("z", at: .whole, matching: TextMatching(ignoring: []))
        let parts = try parts(of: 2, .attributes, [.text(.account, pattern)])
        #expect(parts.map(accounts) == [[], [], ["z"]])
    }

    @Test("an empty list is one empty part")
    func empty() throws {
        #expect(try parts(of: 10).map(accounts) == [[]])
    }

    @Test("large secrets make small parts")
    func large() throws {
        try add(["a", "b", "c", "d"], String(repeating: "x", count: 300_000))
        #expect(try parts(of: 100, [.attributes, .data]).map(accounts) == [["a", "b"], ["c", "d"], []])
        #expect(try parts(of: 100).map(accounts) == [["a", "b", "c", "d"]])
    }

    @Test("an item without room beside others begins the next part; one without room alone is refused")
    func noRoom() throws {
        try add(["a", "b"], String(repeating: "x", count: 200_000))
        let parts = try parts(of: 100, [.attributes, .data], [], { $0 > 300_000 ? .taken : .enough })
        #expect(parts.map(accounts) == [["a"], ["b"]])
        #expect(throws: StoreError.answerTooLarge) {
            try page(request(.data, .all), nil) { $0 > 100_000 ? .tooLarge : .enough }
        }
    }

    @Test("identities, items that are named, and nothing at all have no parts")
    func refused() {
        var predicate = request(.attributes, .all).predicate
        predicate.queriedClass = .identity
        #expect(MatchPageRequest(MatchRequest(predicate: predicate, returning: [], limit: .all), from: nil) == nil)
        predicate.queriedClass = .stored(.key)
        predicate.restriction = .items([])
        #expect(MatchPageRequest(MatchRequest(predicate: predicate, returning: [], limit: .all), from: nil) == nil)
        #expect(MatchPageRequest(request(.attributes, .nothing), from: nil) == nil)
    }
}
