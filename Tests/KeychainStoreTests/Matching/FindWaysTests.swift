// SPDX-License-Identifier: Apache-2.0

import KeychainAuthorization
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainStore
import Testing

/// A find by the whole unique key takes a fast way; a filter that every row passes sends the same find the general way.
@Suite struct FindWaysTests {
    /// What there is of the account that is looked for.
    enum Scene: String, CaseIterable, Sendable {
        case nothing
        case one
        case twins
        case damaged
        case damagedFirstTwin
        case damagedSecondTwin
        case ownDigest
        case otherDigest
        case demanding
        case demandingTwin
    }

    /// What a find ends with, as its caller and the caller's observer learn it.
    private struct Outcome: Equatable {
        var items: [PersistentID] = []
        var secrets: [[UInt8]?] = []
        var error: StoreError?
        var damaged = 0
        var events: [ItemEvent] = []
    }

    private let store: ConstrainedStore

    init() throws { store = try ConstrainedStore() }

    private func add(_ account: String, isSynchronizable: Bool, demands: Bool = false) throws {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        attributes[.service] = .string("mail")
        let control = try ConstrainedStore.control(demands ? .applicationPassword : [])
        let request = AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
            protection: .accessControl(control), isSynchronizable: isSynchronizable, isTombstone: false,
            secret: SecretValue(copying: Array("secret".utf8)), returning: [], origin: .caller)
        let shown = ShownFactors(
            secrets: store.person, currentFingers: nil, areFingersKnown: true, passwordCost: ConstrainedStore.cost)
        _ = try store.connection.add(
            try Authorization.authorize(request, from: store.caller), shown, at: store.moment)
    }

    /// Rows count from 1: another account, then the one that is looked for, and its twin.
    private func make(_ scene: Scene) throws {
        try add("other", isSynchronizable: false)
        guard scene != .nothing else { return }
        try add("ada", isSynchronizable: false, demands: scene == .demanding || scene == .demandingTwin)
        switch scene {
        case .twins, .damagedFirstTwin, .damagedSecondTwin, .demandingTwin: try add("ada", isSynchronizable: true)
        case .nothing, .one, .damaged, .ownDigest, .otherDigest, .demanding: break
        }
        switch scene {
        case .damaged, .damagedFirstTwin: try damage(2)
        case .damagedSecondTwin: try damage(3)
        case .nothing, .one, .twins, .ownDigest, .otherDigest, .demanding, .demandingTwin: break
        }
    }

    private func damage(_ row: Int64) throws {
        var blob = try store.blob(row)
        blob[blob.count - 1] ^= 1
        try store.setBlob(blob, row)
    }

    private func find(
        _ digest: AttributeValue?, _ limit: MatchLimit, isGeneral: Bool, _ returning: ReturnTypes = .data
    ) throws -> (outcome: Outcome, found: [Found]) {
        var attributes = AttributeList()
        attributes[.account] = .string("ada")
        attributes[.service] = .string("mail")
        if let digest { attributes[.digest] = digest }
        let everyRow = MatchFilter.text(
            .account, TextPattern("ada", at: .whole, matching: TextMatching(ignoring: [])))
        let predicate = ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes, groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none,
            filters: isGeneral ? [everyRow] : [])
        let request = MatchRequest(predicate: predicate, returning: returning, limit: limit)
        var outcome = Outcome()
        var found: [Found] = []
        store.connection.events = []
        do throws(StoreError) {
            found = try store.connection.match(
                try authorized(request), .none, unmet: .told, now: { 0 })
        } catch { outcome.error = error }
        for case .item(let item) in found {
            outcome.items.append(item.persistentID)
            outcome.secrets.append(item.secret.map { secret in secret.withUnsafeBytes { Array($0) } })
        }
        outcome.events = store.connection.events ?? []
        outcome.damaged = store.connection.damagedRows
        store.connection.events = nil
        return (outcome, found)
    }

    private func authorized(_ request: MatchRequest) throws(StoreError) -> Authorized<MatchRequest> {
        do throws(KeychainError) { return try Authorization.authorize(request, from: store.caller) } catch {
            throw .operationForbidden
        }
    }

    @Test(
        "the fast way and the general way of a find end alike", arguments: Scene.allCases,
        [MatchLimit.single, .all])
    func alike(scene: Scene, limit: MatchLimit) throws {
        try make(scene)
        var digest: AttributeValue?
        if scene == .ownDigest || scene == .otherDigest {
            let whole = try find(nil, .single, isGeneral: true, [.attributes, .data]).found
            guard case .item(let item)? = whole.first, case .data(var bytes)? = item.attributes?[.digest] else {
                Issue.record("the item has no digest")
                return
            }
            if scene == .otherDigest { bytes[0] ^= 1 }
            digest = .data(bytes)
        }
        let fast = try find(digest, limit, isGeneral: false).outcome
        let general = try find(digest, limit, isGeneral: true).outcome
        #expect(fast == general)
        // Each item that was found was noted, once.
        #expect(fast.events.map(\.id) == fast.items)
        switch scene {
        case .nothing, .damaged, .otherDigest: #expect(fast.error == .notFound)
        case .one, .ownDigest, .damagedFirstTwin: #expect(fast.items.count == 1)
        case .twins: #expect(fast.items.count == (limit == .all ? 2 : 1))
        case .damagedSecondTwin: #expect(fast.items.count == 1)
        case .demanding, .demandingTwin:
            guard case .demands? = fast.error else {
                Issue.record("nothing was demanded")
                return
            }
        }
    }

    @Test("damaged rows are taken for one report: what is counted once is not told again")
    func reported() throws {
        try make(.damaged)
        _ = try find(nil, .all, isGeneral: false)
        #expect(store.connection.takeDamagedRows() == 1)
        _ = try store.connection.check(from: nil, atMost: 10, copyOfKeybag: nil)
        #expect(store.connection.takeDamagedRows() == 0)
        let delete = DeleteRequest(
            predicate: ItemPredicate(
                queriedClass: .stored(.key), attributes: AttributeList(), groups: .everyGroupOfCaller,
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: []),
            tombstones: .never)
        #expect(throws: StoreError.notFound) {
            try store.connection.delete(
                try Authorization.authorize(delete, from: store.caller), .none, at: store.moment)
        }
        #expect(store.connection.takeDamagedRows() == 0)
    }
}
