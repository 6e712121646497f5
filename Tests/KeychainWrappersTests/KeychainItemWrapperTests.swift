// SPDX-License-Identifier: Apache-2.0

import KeychainWrappers
import Security
import Testing

@Suite struct KeychainItemWrapperTests {
    private let shownKeys = [kSecAttrAccount, kSecAttrLabel, kSecAttrDescription, kSecValueData]

    private func shown(_ wrapper: KeychainItemWrapper) -> [String?] {
        shownKeys.map { wrapper.object(forKey: $0) as? String }
    }

    @Test("account, label, description and password are empty at first, and nothing is stored")
    func defaults() throws {
        try onFreshKeychain { _ in
            let wrapper = try KeychainItemWrapper(identifier: "W")
            #expect(shown(wrapper) == ["", "", "", ""])
            #expect(wrapper.object(forKey: kSecAttrGeneric) as? String == "W")
            #expect(wrapper.object(forKey: kSecAttrComment) == nil)
            #expect(stored().isEmpty)
        }
    }

    @Test("the first change stores an item with the identifier as generic attribute and service")
    func layout() throws {
        try onFreshKeychain { _ in
            let wrapper = try KeychainItemWrapper(identifier: "W", accessGroup: "G2")
            try wrapper.setObject("pässword", forKey: kSecValueData)
            #expect(stored().count == 1)
            #expect(stored().first?[kSecAttrGeneric] as? String == "W")
            #expect(stored().first?[kSecAttrService] as? String == "W")
            #expect(stored().first?[kSecAttrAccount] as? String == "")
            #expect(stored().first?[kSecAttrAccessGroup] as? String == "G2")
            #expect(stored().first?[kSecValueData] as? Data == Data("pässword".utf8))
            #expect(wrapper.object(forKey: kSecValueData) as? String == "pässword")
        }
    }

    @Test("every change is stored at once, and another wrapper of the identifier reads it")
    func writeThrough() throws {
        try onFreshKeychain { _ in
            let wrapper = try KeychainItemWrapper(identifier: "W")
            let values = ["ada", "Mail", "mail password", "secret"]
            for (key, value) in zip(shownKeys, values) {
                try wrapper.setObject(value, forKey: key)
                #expect(try KeychainItemWrapper(identifier: "W").object(forKey: key) as? String == value)
            }
            #expect(shown(try KeychainItemWrapper(identifier: "W")) == values)
            #expect(stored().count == 1)
        }
    }

    @Test("setting nil, or what is already there, writes nothing")
    func unchanged() throws {
        try onFreshKeychain { keychain in
            keychain.setClock(Date(timeIntervalSinceReferenceDate: 0))
            let wrapper = try KeychainItemWrapper(identifier: "W")
            try wrapper.setObject("", forKey: kSecAttrAccount)
            try wrapper.setObject(nil, forKey: kSecValueData)
            #expect(stored().isEmpty)
            try wrapper.setObject("ada", forKey: kSecAttrAccount)
            try wrapper.setObject("secret", forKey: kSecValueData)
            let written = stored().first?[kSecAttrModificationDate] as? Date
            keychain.advanceClock(by: 60)
            try wrapper.setObject("ada" as NSString, forKey: kSecAttrAccount)
            try wrapper.setObject("secret", forKey: kSecValueData)
            try wrapper.setObject(nil, forKey: kSecAttrAccount)
            #expect(stored().first?[kSecAttrModificationDate] as? Date == written)
            #expect(wrapper.object(forKey: kSecAttrAccount) as? String == "ada")
        }
    }

    @Test("two wrappers in one group do not collide")
    func twoWrappers() throws {
        try onFreshKeychain { _ in
            let first = try KeychainItemWrapper(identifier: "A", accessGroup: "G1")
            let second = try KeychainItemWrapper(identifier: "B", accessGroup: "G1")
            try first.setObject("ada", forKey: kSecAttrAccount)
            try second.setObject("ada", forKey: kSecAttrAccount)
            try first.setObject("a", forKey: kSecValueData)
            try second.setObject("b", forKey: kSecValueData)
            #expect(stored().count == 2)
            try first.resetKeychainItem()
            let again = try KeychainItemWrapper(identifier: "B", accessGroup: "G1")
            #expect(again.object(forKey: kSecValueData) as? String == "b")
        }
    }

    @Test("an item that older code stored without a service is found, changed in place and reset")
    func olderItem() throws {
        try onFreshKeychain { _ in
            addDirectly([kSecAttrGeneric: "W", kSecAttrAccount: "ada", kSecValueData: Data("old".utf8)])
            let wrapper = try KeychainItemWrapper(identifier: "W")
            #expect(shown(wrapper) == ["ada", "", "", "old"])
            try wrapper.setObject("new", forKey: kSecValueData)
            #expect(stored().map { $0[kSecValueData] as? Data } == [Data("new".utf8)])
            try wrapper.resetKeychainItem()
            #expect(stored().isEmpty)
        }
    }

    @Test("a service that the caller sets is stored, and the item is still found by its identifier")
    func ownService() throws {
        try onFreshKeychain { _ in
            let wrapper = try KeychainItemWrapper(identifier: "W")
            try wrapper.setObject("secret", forKey: kSecValueData)
            try wrapper.setObject("mail", forKey: kSecAttrService)
            #expect(stored().map { $0[kSecAttrService] as? String } == ["mail"])
            let again = try KeychainItemWrapper(identifier: "W")
            #expect(again.object(forKey: kSecValueData) as? String == "secret")
            #expect(again.object(forKey: kSecAttrService) as? String == "mail")
        }
    }

    @Test("an entry of Keychain whose key is the identifier is not taken for the wrapper's item")
    func otherLayout() throws {
        try onFreshKeychain { _ in
            let keychain = Keychain(service: "S")
            try keychain.insert(Data("entry".utf8), forKey: "W")
            let wrapper = try KeychainItemWrapper(identifier: "W")
            #expect(shown(wrapper) == ["", "", "", ""])
            try wrapper.setObject("secret", forKey: kSecValueData)
            try wrapper.resetKeychainItem()
            #expect(try keychain.find("W") == Data("entry".utf8))
        }
    }

    @Test("reset deletes the item and shows the defaults; identifier and group stay, and nothing to delete is fine")
    func reset() throws {
        try onFreshKeychain { _ in
            let wrapper = try KeychainItemWrapper(identifier: "W", accessGroup: "G2")
            try wrapper.resetKeychainItem()
            for key in shownKeys { try wrapper.setObject("set", forKey: key) }
            try wrapper.setObject("set", forKey: kSecAttrComment)
            try wrapper.resetKeychainItem()
            #expect(stored().isEmpty)
            #expect(shown(wrapper) == ["", "", "", ""])
            #expect(wrapper.object(forKey: kSecAttrComment) == nil)
            #expect(wrapper.object(forKey: kSecAttrGeneric) as? String == "W")
            try wrapper.setObject("again", forKey: kSecValueData)
            #expect(stored().map { $0[kSecAttrAccessGroup] as? String } == ["G2"])
        }
    }

    @Test("a wrapper made before the item existed changes and resets the item that another one stored")
    func staleWrapper() throws {
        try onFreshKeychain { _ in
            let stale = try KeychainItemWrapper(identifier: "W")
            let other = try KeychainItemWrapper(identifier: "W")
            try other.setObject("ada", forKey: kSecAttrAccount)
            try stale.setObject("secret", forKey: kSecValueData)
            #expect(stored().count == 1)
            #expect(stale.object(forKey: kSecAttrAccount) as? String == "ada")
            try other.resetKeychainItem()
            try other.setObject("back", forKey: kSecValueData)
            try stale.resetKeychainItem()
            #expect(stored().isEmpty)
        }
    }

    @Test("an item that vanished is stored anew with all that the wrapper shows")
    func vanishedItem() throws {
        try onFreshKeychain { _ in
            let wrapper = try KeychainItemWrapper(identifier: "W")
            try wrapper.setObject("ada", forKey: kSecAttrAccount)
            #expect(SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary) == errSecSuccess)
            try wrapper.setObject("secret", forKey: kSecValueData)
            #expect(shown(try KeychainItemWrapper(identifier: "W")) == ["ada", "", "", "secret"])
            let loaded = try KeychainItemWrapper(identifier: "W")
            #expect(SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary) == errSecSuccess)
            try loaded.setObject("other", forKey: kSecValueData)
            #expect(shown(try KeychainItemWrapper(identifier: "W")) == ["ada", "", "", "other"])
        }
    }
}
