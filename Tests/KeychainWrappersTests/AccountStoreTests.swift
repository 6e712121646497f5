// SPDX-License-Identifier: Apache-2.0

import KeychainWrappers
import Security
import Testing

@Suite struct AccountStoreTests {
    private let store = AccountStore()

    private func keep(_ password: String, updateExisting: Bool = true) throws -> Bool {
        try store.storeUsername("ada", andPassword: password, forServiceName: "S", updateExisting: updateExisting)
    }

    private func password() throws -> String? { try store.getPassword(forUsername: "ada", andServiceName: "S") }

    @Test("an account is stored under its name, with the service as service and label")
    func layout() throws {
        try onFreshKeychain { _ in
            try #expect(keep("pässword"))
            #expect(stored().count == 1)
            #expect(stored().first?[kSecAttrAccount] as? String == "ada")
            #expect(stored().first?[kSecAttrService] as? String == "S")
            #expect(stored().first?[kSecAttrLabel] as? String == "S")
            #expect(stored().first?[kSecValueData] as? Data == Data("pässword".utf8))
            try #expect(password() == "pässword")
        }
    }

    @Test("a password that is not there is nil")
    func nothingThere() throws {
        try onFreshKeychain { _ in try #expect(password() == nil) }
    }

    @Test("a different password is replaced only when existing ones may be updated")
    func updateExisting() throws {
        try onFreshKeychain { _ in
            try #expect(keep("first", updateExisting: false))
            try #expect(keep("second", updateExisting: false) == false)
            try #expect(password() == "first")
            try #expect(keep("second", updateExisting: true))
            try #expect(password() == "second")
            #expect(stored().count == 1)
        }
    }

    @Test("storing the password that is there writes nothing")
    func unchanged() throws {
        try onFreshKeychain { keychain in
            keychain.setClock(Date(timeIntervalSinceReferenceDate: 0))
            try #expect(keep("same"))
            keychain.advanceClock(by: 60)
            try #expect(keep("same", updateExisting: true))
            try #expect(keep("same", updateExisting: false))
            #expect(stored().first?[kSecAttrModificationDate] as? Date == Date(timeIntervalSinceReferenceDate: 0))
        }
    }

    @Test("an account without a password gets one, whether or not existing ones may be updated")
    func withoutPassword() throws {
        try onFreshKeychain { _ in
            addDirectly([kSecAttrService: "S", kSecAttrAccount: "ada"])
            try #expect(password() == nil)
            try #expect(keep("first", updateExisting: false))
            try #expect(password() == "first")
            #expect(stored().count == 1)
        }
    }

    @Test("a password that is not text is an error, and can be replaced")
    func notText() throws {
        try onFreshKeychain { _ in
            addDirectly([kSecAttrService: "S", kSecAttrAccount: "ada", kSecValueData: Data([0xFF])])
            #expect(throws: KeychainWrapperError.passwordIsNotText) { try password() }
            try #expect(keep("text", updateExisting: false) == false)
            try #expect(keep("text", updateExisting: true))
            try #expect(password() == "text")
        }
    }

    @Test("deleting removes the account, and without one says that there is none")
    func deleting() throws {
        try onFreshKeychain { _ in
            try #expect(keep("first"))
            try store.deleteItem(forUsername: "ada", andServiceName: "S")
            #expect(stored().isEmpty)
            #expect(throws: KeychainWrapperError.status(errSecItemNotFound)) {
                try store.deleteItem(forUsername: "ada", andServiceName: "S")
            }
        }
    }

    @Test("an empty name is refused", arguments: [("", "S"), ("ada", "")])
    func emptyNames(username: String, service: String) throws {
        try onFreshKeychain { _ in
            #expect(throws: KeychainWrapperError.emptyName) {
                try store.getPassword(forUsername: username, andServiceName: service)
            }
            #expect(throws: KeychainWrapperError.emptyName) {
                try store.storeUsername(
                    username, andPassword: "p", forServiceName: service, updateExisting: true)
            }
            #expect(throws: KeychainWrapperError.emptyName) {
                try store.deleteItem(forUsername: username, andServiceName: service)
            }
            #expect(stored().isEmpty)
        }
    }

    @Test("a group that is not the program's is refused")
    func foreignGroup() throws {
        try onFreshKeychain { _ in
            let refusal = KeychainWrapperError.status(errSecMissingEntitlement)
            let store = AccountStore(accessGroup: "G3")
            #expect(throws: refusal) { try store.getPassword(forUsername: "ada", andServiceName: "S") }
            #expect(throws: refusal) {
                try store.storeUsername("ada", andPassword: "p", forServiceName: "S", updateExisting: true)
            }
        }
    }

    @Test("an error says what failed, with its number")
    func description() {
        #expect(KeychainWrapperError.status(errSecItemNotFound).description.contains("-25300"))
        let error: any Error = KeychainWrapperError.emptyName
        #expect(error.localizedDescription == KeychainWrapperError.emptyName.description)
    }
}
