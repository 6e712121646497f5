// SPDX-License-Identifier: Apache-2.0

import KeychainWrappers
import Security
import Testing

@Suite struct KeychainItemWrapperFailureTests {
    @Test("a group that is not the program's is refused with errSecMissingEntitlement")
    func foreignGroup() throws {
        try onFreshKeychain { _ in
            #expect(throws: KeychainWrapperError.status(errSecMissingEntitlement)) {
                try KeychainItemWrapper(identifier: "W", accessGroup: "G3")
            }
        }
    }

    @Test("a locked keychain is not taken for an empty one, and a refused change is not shown")
    func locked() throws {
        try onFreshKeychain { keychain in
            let refusal = KeychainWrapperError.status(errSecInteractionNotAllowed)
            let wrapper = try KeychainItemWrapper(identifier: "W")
            try wrapper.setObject("old", forKey: kSecValueData)
            keychain.lockState = .locked
            #expect(throws: refusal) { try KeychainItemWrapper(identifier: "W") }
            #expect(throws: refusal) { try wrapper.setObject("new", forKey: kSecValueData) }
            #expect(wrapper.object(forKey: kSecValueData) as? String == "old")
            keychain.lockState = .unlocked
            try wrapper.setObject("new", forKey: kSecValueData)
            #expect(wrapper.object(forKey: kSecValueData) as? String == "new")
        }
    }

    @Test("an empty identifier is refused")
    func emptyIdentifier() throws {
        try onFreshKeychain { _ in
            #expect(throws: KeychainWrapperError.emptyName) { try KeychainItemWrapper(identifier: "") }
        }
    }

    @Test("the password has to be a String")
    func passwordType() throws {
        try onFreshKeychain { _ in
            let wrapper = try KeychainItemWrapper(identifier: "W")
            #expect(throws: KeychainWrapperError.unsuitableValue(key: kSecValueData as String)) {
                try wrapper.setObject(Data("secret".utf8), forKey: kSecValueData)
            }
            #expect(stored().isEmpty)
        }
    }

    @Test("identifier and group cannot be changed, and only attributes can be set")
    func fixedKeys() throws {
        try onFreshKeychain { _ in
            let wrapper = try KeychainItemWrapper(identifier: "W", accessGroup: "G1")
            for key in [kSecAttrGeneric, kSecAttrAccessGroup, kSecClass, kSecReturnData, kSecMatchLimit] {
                #expect(throws: KeychainWrapperError.keyCannotBeSet(key: key as String)) {
                    try wrapper.setObject("other", forKey: key)
                }
            }
            try wrapper.setObject("W", forKey: kSecAttrGeneric)
            try wrapper.setObject("G1", forKey: kSecAttrAccessGroup)
            #expect(stored().isEmpty)
        }
    }

    @Test("an attribute the keychain refuses is an error with its status, and is not shown")
    func refusedAttribute() throws {
        try onFreshKeychain { _ in
            let wrapper = try KeychainItemWrapper(identifier: "W")
            #expect(throws: KeychainWrapperError.status(errSecNoSuchAttr)) {
                try wrapper.setObject("server", forKey: kSecAttrServer)
            }
            #expect(wrapper.object(forKey: kSecAttrServer) == nil)
            #expect(stored().isEmpty)
        }
    }

    @Test("a stored password that is not text is an error, and the item stays")
    func passwordIsNotText() throws {
        try onFreshKeychain { _ in
            addDirectly([kSecAttrGeneric: "W", kSecValueData: Data([0xFF])])
            #expect(throws: KeychainWrapperError.passwordIsNotText) { try KeychainItemWrapper(identifier: "W") }
            #expect(stored().count == 1)
        }
    }

    @Test("many tasks may use one wrapper at once, and nothing is lost")
    func manyTasks() async throws {
        let keychain = try IsolatedKeychain(.inMemory, entitlements: Entitlements(keychainAccessGroups: ["G1"]))
        try await keychain.use {
            let wrapper = try KeychainItemWrapper(identifier: "W")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<40 {
                    group.addTask {
                        try wrapper.setObject("value \(index)", forKey: index % 2 == 0 ? kSecAttrLabel : kSecValueData)
                    }
                }
                try await group.waitForAll()
            }
            let again = try KeychainItemWrapper(identifier: "W")
            for key in [kSecAttrLabel, kSecValueData] {
                #expect(again.object(forKey: key) as? String == wrapper.object(forKey: key) as? String)
            }
            #expect(stored().count == 1)
        }
        #expect(try keychain.check() == [])
    }
}
