// SPDX-License-Identifier: Apache-2.0

import KeychainConnection
import KeychainModel
import KeychainRequest
import Security
import TestDaemon
import Testing

/// Reading as of one moment, asked of the engine of this process and of a daemon.
@Suite struct HeldViewTests {
    private let keychain: IsolatedKeychain
    private let served: ServedKeychain

    init() throws {
        keychain = try IsolatedKeychain(.temporaryFolder)
        served = try ServedKeychain(keychain.host)
    }

    private func sessions() throws -> [any KeychainSession] {
        [try keychain.host.session(), try served.host.session()]
    }

    private func add(_ account: String) throws {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        _ = try keychain.host.session().add(
            AddRequest(
                itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
                protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false,
                secret: SecretValue(copying: Array("secret".utf8)), returning: [], origin: .caller))
    }

    private func removeAll() throws {
        try keychain.host.session().delete(DeleteRequest(predicate: Self.everything, tombstones: .whenSynchronizable))
    }

    private static let everything = ItemPredicate(
        queriedClass: .stored(.genericPassword), attributes: AttributeList(), groups: .everyGroupOfCaller,
        synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])

    private func count(_ session: any KeychainSession, in view: ViewID?) throws -> Int {
        let match = MatchRequest(predicate: Self.everything, returning: [.attributes, .data], limit: .all)
        return try session.match(try #require(MatchPageRequest(match, from: nil, in: view))).found.count
    }

    private func hold(_ session: any KeychainSession) throws -> ViewID {
        guard case .view(let view?) = try session.perform(.holdView) else { throw Missing() }
        return view
    }

    private func stamps(_ session: any KeychainSession, in view: ViewID?) throws -> [RowStamp] {
        guard case .stamps(let stamps) = try session.perform(.stamps(.genericPassword, behind: .min, in: view)) else {
            throw Missing()
        }
        return stamps
    }

    private struct Missing: Error {}

    @Test("what is stored and removed meanwhile does not show in a view, and shows beside it")
    func moment() throws {
        for session in try sessions() {
            try add("a")
            try add("b")
            let view = try hold(session)
            let before = try stamps(session, in: view)
            #expect(before.count == 2)
            try add("c")
            #expect(try count(session, in: view) == 2 && count(session, in: nil) == 3)
            try removeAll()
            #expect(try count(session, in: view) == 2)
            #expect(try stamps(session, in: view) == before && stamps(session, in: nil).isEmpty)
            _ = try session.perform(.letGoOfView(view))
            #expect(throws: KeychainError.self) { try count(session, in: view) }
            #expect(try count(session, in: nil) == 0)
        }
    }

    @Test("a stamp changes with its item, and with no other")
    func stamped() throws {
        try add("a")
        try add("b")
        let session = try keychain.host.session()
        let before = try stamps(session, in: nil)
        var predicate = Self.everything
        predicate.attributes[.account] = .string("b")
        var changed = AttributeList()
        changed[.comment] = .string("changed")
        let changes = ItemChanges(
            attributes: changed, group: nil, accessControl: nil, isSynchronizable: nil, secret: nil)
        try session.update(UpdateRequest(predicate: predicate, changes: changes, tombstones: .whenSynchronizable))
        let after = try stamps(session, in: nil)
        #expect(after.map(\.id) == before.map(\.id) && after[0] == before[0] && after[1].stamp != before[1].stamp)
    }

    @Test("new keys end a view; only so many are held at once")
    func bounds() throws {
        try add("a")
        for session in try sessions() {
            let views = try (0..<4).map { _ in try hold(session) }
            #expect(throws: KeychainError.self) { _ = try hold(session) }
            #expect(try count(session, in: views[3]) == 1)
            _ = try keychain.host.session().perform(.rotateKeys(.unlocked))
            for view in views { #expect(throws: KeychainError.self) { try count(session, in: view) } }
            _ = try session.perform(.letGoOfView(try hold(session)))
        }
    }
}
