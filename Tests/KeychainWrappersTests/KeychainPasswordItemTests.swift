// SPDX-License-Identifier: Apache-2.0

import KeychainWrappers
import Security
import Testing

@Suite struct KeychainPasswordItemTests {
    private typealias Failure = KeychainPasswordItem.KeychainError

    @Test("a password is saved, read, and saved again in its place")
    func saving() throws {
        try onFreshKeychain { _ in
            let item = KeychainPasswordItem(service: "S", account: "ada", accessGroup: "G2")
            try item.savePassword("first")
            #expect(try item.readPassword() == "first")
            try item.savePassword("zweite ✓")
            #expect(try item.readPassword() == "zweite ✓")
            #expect(stored().count == 1)
            #expect(stored().first?[kSecAttrAccessGroup] as? String == "G2")
        }
    }

    @Test("without an item there is no password")
    func noPassword() throws {
        try onFreshKeychain { _ in
            let item = KeychainPasswordItem(service: "S", account: "ada")
            #expect(throws: Failure.noPassword) { try item.readPassword() }
        }
    }

    @Test("a password that is not text, or missing from its item, is unexpected data", arguments: [true, false])
    func unexpectedPasswordData(hasData: Bool) throws {
        try onFreshKeychain { _ in
            var attributes: [CFString: Any] = [kSecAttrService: "S", kSecAttrAccount: "ada"]
            if hasData { attributes[kSecValueData] = Data([0xC0, 0xAF]) }
            addDirectly(attributes)
            let item = KeychainPasswordItem(service: "S", account: "ada")
            #expect(throws: Failure.unexpectedPasswordData) { try item.readPassword() }
        }
    }

    @Test("renaming the account keeps the password and moves the item")
    func renaming() throws {
        try onFreshKeychain { _ in
            var item = KeychainPasswordItem(service: "S", account: "ada")
            try item.savePassword("secret")
            try item.renameAccount("grace")
            #expect(item.account == "grace")
            #expect(try item.readPassword() == "secret")
            #expect(stored().map { $0[kSecAttrAccount] as? String } == ["grace"])
        }
    }

    @Test("renaming an item that does not exist changes the name alone")
    func renamingNothing() throws {
        try onFreshKeychain { _ in
            var item = KeychainPasswordItem(service: "S", account: "ada")
            try item.renameAccount("grace")
            #expect(item.account == "grace")
            #expect(stored().isEmpty)
        }
    }

    @Test("renaming onto another account fails and leaves both as they were")
    func renamingOntoAnother() throws {
        try onFreshKeychain { _ in
            var item = KeychainPasswordItem(service: "S", account: "ada")
            let other = KeychainPasswordItem(service: "S", account: "grace")
            try item.savePassword("a")
            try other.savePassword("g")
            #expect(throws: Failure.unhandledError(status: errSecDuplicateItem)) { try item.renameAccount("grace") }
            #expect(item.account == "ada")
            #expect(try item.readPassword() == "a")
            #expect(try other.readPassword() == "g")
        }
    }

    @Test("deleting removes the item, and deleting nothing is fine")
    func deleting() throws {
        try onFreshKeychain { _ in
            let item = KeychainPasswordItem(service: "S", account: "ada")
            try item.savePassword("secret")
            try item.deleteItem()
            #expect(stored().isEmpty)
            try item.deleteItem()
        }
    }

    @Test("a service's items are listed in the order they were added, and no others")
    func listing() throws {
        try onFreshKeychain { _ in
            #expect(try KeychainPasswordItem.passwordItems(forService: "S") == [])
            for (service, account, group) in [("S", "b", "G1"), ("S", "a", "G2"), ("T", "c", "G1")] {
                try KeychainPasswordItem(service: service, account: account, accessGroup: group).savePassword("p")
            }
            let all = try KeychainPasswordItem.passwordItems(forService: "S")
            #expect(all.map(\.account) == ["b", "a"])
            #expect(try all.map { try $0.readPassword() } == ["p", "p"])
            let second = try KeychainPasswordItem.passwordItems(forService: "S", accessGroup: "G2")
            #expect(second == [KeychainPasswordItem(service: "S", account: "a", accessGroup: "G2")])
        }
    }

    @Test("an account that is not text makes the list unexpected")
    func unexpectedItemData() throws {
        try onFreshKeychain { _ in
            addDirectly([kSecAttrService: "S", kSecAttrAccount: Data([0xFF])])
            #expect(throws: Failure.unexpectedItemData) { try KeychainPasswordItem.passwordItems(forService: "S") }
        }
    }

    @Test("a group that is not the program's is an unhandled error with its status")
    func foreignGroup() throws {
        try onFreshKeychain { _ in
            let refusal = Failure.unhandledError(status: errSecMissingEntitlement)
            let item = KeychainPasswordItem(service: "S", account: "ada", accessGroup: "G3")
            #expect(throws: refusal) { try item.savePassword("p") }
            #expect(throws: refusal) { try item.readPassword() }
            #expect(throws: refusal) { try item.deleteItem() }
            #expect(throws: refusal) {
                try KeychainPasswordItem.passwordItems(forService: "S", accessGroup: "G3")
            }
        }
    }
}
