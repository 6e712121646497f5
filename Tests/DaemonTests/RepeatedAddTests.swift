// SPDX-License-Identifier: Apache-2.0

import KeychainConnection
import KeychainModel
import KeychainRequest
import Security
import Testing

/// An Add that comes a second time, because nobody knew what became of the first.
@Suite struct RepeatedAddTests {
    private let keychain: IsolatedKeychain

    init() throws { keychain = try IsolatedKeychain() }

    private func add(_ account: String, _ token: AddToken?, value: String = "x") throws -> PersistentID? {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        var request = AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
            protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false,
            secret: SecretValue(copying: Array(value.utf8)), returning: .persistentReference, origin: .caller)
        request.token = token
        return try keychain.host.session().add(request)?.persistentID
    }

    @Test("with the same token it is told what the first was; with another, or with none, it is one too many")
    func repeated() throws {
        let token = AddToken.fresh()
        let first = try #require(try add("a", token))
        #expect(try add("a", token) == first)
        #expect(throws: KeychainError.self) { _ = try add("a", .fresh()) }
        #expect(throws: KeychainError.self) { _ = try add("a", nil) }
    }

    @Test("a token of one item says nothing about another")
    func otherItem() throws {
        let token = AddToken.fresh()
        let first = try #require(try add("a", token))
        _ = try add("b", nil)
        #expect(throws: KeychainError.self) { _ = try add("b", token) }
        // What the first one left is as it was.
        #expect(try add("a", token, value: "y") == first)
    }
}
