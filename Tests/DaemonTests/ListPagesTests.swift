// SPDX-License-Identifier: Apache-2.0

import KeychainConnection
import KeychainModel
import KeychainRequest
import Security
import TestDaemon
import Testing

/// A list in parts, asked of the engine of this process and of a daemon.
@Suite struct ListPagesTests {
    private let keychain: IsolatedKeychain
    private let served: ServedKeychain

    init() throws {
        keychain = try IsolatedKeychain(.inMemory)
        served = try ServedKeychain(keychain.host)
    }

    private func sessions() throws -> [any KeychainSession] {
        [try keychain.host.session(), try served.host.session()]
    }

    private func add(_ accounts: [String]) throws {
        for account in accounts {
            var attributes = AttributeList()
            attributes[.account] = .string(account)
            _ = try keychain.host.session().add(
                AddRequest(
                    itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
                    protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false,
                    secret: SecretValue(copying: Array("secret".utf8)), returning: [], origin: .caller))
        }
    }

    private func request(_ limit: MatchLimit) -> MatchRequest {
        let predicate = ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
        return MatchRequest(predicate: predicate, returning: [.attributes, .data], limit: limit)
    }

    private func pages(of rows: Int, _ session: any KeychainSession) throws -> [Found] {
        var found: [Found] = []
        var position: MatchPosition?
        repeat {
            let part = try #require(
                MatchPageRequest(request(rows > 1 ? .atMost(rows) : .single), from: position))
            let page = try session.match(part)
            #expect(page.found.count <= rows)
            found += page.found
            position = page.next
        } while position != nil && found.count < 100
        return found
    }

    @Test("parts of any size are the whole list", arguments: [1, 2, 4, 5, 1000])
    func alike(rows: Int) throws {
        try add(["a", "b", "c", "d", "e"])
        for session in try sessions() {
            let whole = try session.match(request(.all)).map(\.persistentReference)
            #expect(whole.count == 5)
            #expect(try pages(of: rows, session).map(\.persistentReference) == whole)
        }
    }

    @Test("a part of nothing is empty, and no error")
    func empty() throws {
        for session in try sessions() { #expect(try pages(of: 10, session).isEmpty) }
    }

    @Test("a program gets of each part what it may see at that moment")
    func rights() throws {
        try add(["a", "b"])
        let session = try served.host.session()
        let part = try #require(MatchPageRequest(request(.single), from: nil))
        let first = try session.match(part)
        #expect(first.found.count == 1)
        keychain.entitlements = Entitlements(
            keychainAccessGroups: ["other"], applicationIdentifier: nil, applicationGroups: [])
        let rest = try #require(MatchPageRequest(request(.all), from: first.next))
        #expect(try session.match(rest).found.isEmpty)
    }
}
