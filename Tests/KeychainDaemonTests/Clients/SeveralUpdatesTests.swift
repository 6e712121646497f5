// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainRequest
import KeychainTransport
import TestDaemon
import Testing

@Suite struct SeveralUpdatesTests {
    private let scene: KeychainScene
    private let client: SocketSession

    init() throws {
        scene = try KeychainScene()
        try scene.make("login")
        client = try scene.served.client("login")
        try client.add("a")
        try client.add("b")
    }

    private static func update(_ account: String, label: String) -> UpdateRequest {
        var (attributes, changes) = (AttributeList(), AttributeList())
        attributes[.account] = .string(account)
        changes[.label] = .string(label)
        return UpdateRequest(
            predicate: ItemPredicate(
                queriedClass: .stored(.genericPassword), attributes: attributes, groups: .everyGroupOfCaller,
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: []),
            changes: ItemChanges(
                attributes: changes, group: nil, accessControl: nil, isSynchronizable: nil, secret: nil),
            tombstones: .never)
    }

    private func labels() throws -> [AttributeValue?] {
        try ["a", "b"].map { account in
            let request = MatchRequest(
                predicate: Self.update(account, label: "").predicate, returning: .attributes, limit: .single)
            guard case .item(let item)? = try client.match(request).first else { return nil }
            return item.attributes?[.label]
        }
    }

    @Test("several updates are made as one")
    func all() throws {
        try client.update(UpdateAllRequest([Self.update("a", label: "1"), Self.update("b", label: "2")]))
        #expect(try labels() == [.string("1"), .string("2")])
    }

    @Test("where one of several updates finds nothing, none is made")
    func none() throws {
        let updates = [Self.update("a", label: "1"), Self.update("c", label: "3"), Self.update("b", label: "2")]
        #expect {
            try client.update(UpdateAllRequest(updates))
        } throws: {
            ($0 as? KeychainError)?.reason == .itemNotFound
        }
        #expect(try labels() == [nil, nil])
    }

    @Test("a later one of several updates sees what an earlier one made")
    func order() throws {
        var rename = Self.update("a", label: "1")
        var changes = rename.changes
        changes.attributes[.account] = .string("z")
        rename = UpdateRequest(predicate: rename.predicate, changes: changes, tombstones: .never)
        try client.update(UpdateAllRequest([rename, Self.update("z", label: "last")]))
        #expect(try client.count("z") == 1 && client.count("a") == 0)
    }
}
