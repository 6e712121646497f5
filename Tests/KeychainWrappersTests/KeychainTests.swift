// SPDX-License-Identifier: Apache-2.0

import KeychainWrappers
import Security
import Testing

@Suite struct KeychainTests {
    @Test("an entry's account and generic attribute are the key's bytes, always readable on this device")
    func layout() throws {
        try onFreshKeychain { _ in
            try Keychain(service: "S", group: "G2").insert(Data("value".utf8), forKey: "clé")
            let items = stored()
            #expect(items.count == 1)
            #expect(items.first?[kSecAttrAccount] as? Data == Data("clé".utf8))
            #expect(items.first?[kSecAttrGeneric] as? Data == Data("clé".utf8))
            #expect(items.first?[kSecAttrService] as? String == "S")
            #expect(items.first?[kSecAttrAccessGroup] as? String == "G2")
            #expect(items.first?[kSecValueData] as? Data == Data("value".utf8))
            #expect(items.first?[kSecAttrAccessible] as? NSString == kSecAttrAccessibleAlwaysThisDeviceOnly)
        }
    }

    @Test("the accessibility can be set, counts for later inserts, and hides nothing inserted before")
    func accessibility() throws {
        try onFreshKeychain { _ in
            let keychain = Keychain(service: "S")
            try keychain.insert(Data("1".utf8), forKey: "before")
            keychain.accessible = kSecAttrAccessibleWhenUnlocked
            #expect(keychain.accessible == kSecAttrAccessibleWhenUnlocked)
            #expect(try keychain.find("before") == Data("1".utf8))
            try keychain.update(Data("2".utf8), forKey: "before")
            #expect(stored().first?[kSecAttrAccessible] as? NSString == kSecAttrAccessibleAlwaysThisDeviceOnly)
            try keychain.insert(Data("3".utf8), forKey: "before")
            #expect(stored().count == 1)
            #expect(stored().first?[kSecAttrAccessible] as? NSString == kSecAttrAccessibleWhenUnlocked)
        }
    }

    @Test("inserting a key that exists updates it")
    func insertTwice() throws {
        try onFreshKeychain { _ in
            let keychain = Keychain(service: "S")
            try keychain.insert(Data("old".utf8), forKey: "key")
            try keychain.insert(Data("new".utf8), forKey: "key")
            #expect(try keychain.find("key") == Data("new".utf8))
            #expect(stored().count == 1)
        }
    }

    @Test("each call runs its completion exactly once, before it returns, when it works and when it fails")
    func completions() throws {
        try onFreshKeychain { _ in
            let keychain = Keychain(service: "S")
            let notFound = KeychainWrapperError.status(errSecItemNotFound)
            var runs: [String] = []
            let data = Data("value".utf8)

            keychain.insert(data, forKey: "key") { runs.append("insert \($0.failure == nil)") }
            keychain.insert(data, forKey: "key") { runs.append("insert \($0.failure == nil)") }
            keychain.update(data, forKey: "key") { runs.append("update \($0.failure == nil)") }
            keychain.update(data, forKey: "no") { runs.append("update \($0.failure == notFound)") }
            keychain.find("key") { runs.append("find \((try? $0.get()) == data)") }
            keychain.find("no") { runs.append("find \($0 == .success(nil))") }
            keychain.remove("key") { runs.append("remove \($0.failure == nil)") }
            keychain.remove("key") { runs.append("remove \($0.failure == notFound)") }

            let calls = ["insert", "insert", "update", "update", "find", "find", "remove", "remove"]
            #expect(runs == calls.map { $0 + " true" })
        }
    }

    @Test("a group that is not the program's is refused, and the completion says so once")
    func foreignGroup() throws {
        try onFreshKeychain { _ in
            let keychain = Keychain(service: "S", group: "G3")
            let refusal = KeychainWrapperError.status(errSecMissingEntitlement)
            #expect(throws: refusal) { try keychain.insert(Data(), forKey: "key") }
            #expect(throws: refusal) { try keychain.find("key") }
            #expect(throws: refusal) { try keychain.update(Data(), forKey: "key") }
            #expect(throws: refusal) { try keychain.remove("key") }
            var answers: [KeychainWrapperError?] = []
            keychain.insert(Data(), forKey: "key") { answers.append($0.failure) }
            #expect(answers == [refusal])
        }
    }

    @Test("the same key in two services, or in two groups, is two entries")
    func apart() throws {
        try onFreshKeychain { _ in
            let keychains = [("S", "G1"), ("T", "G1"), ("S", "G2")].map { Keychain(service: $0.0, group: $0.1) }
            for (index, keychain) in keychains.enumerated() { try keychain.insert(Data([UInt8(index)]), forKey: "key") }
            try keychains[0].remove("key")
            #expect(try keychains.map { try $0.find("key") } == [nil, Data([1]), Data([2])])
        }
    }

    @Test("an entry without data is found as empty data, and empty data too")
    func emptyData() throws {
        try onFreshKeychain { _ in
            addDirectly([kSecAttrService: "S", kSecAttrAccount: Data("none".utf8)])
            let keychain = Keychain(service: "S")
            try keychain.insert(Data(), forKey: "empty")
            #expect(try keychain.find("none") == Data())
            #expect(try keychain.find("empty") == Data())
        }
    }

    @Test("while the keychain is locked an entry that needs it unlocked is refused, not missing")
    func locked() throws {
        try onFreshKeychain { isolated in
            let keychain = Keychain(service: "S")
            keychain.accessible = kSecAttrAccessibleWhenUnlocked
            try keychain.insert(Data("value".utf8), forKey: "key")
            isolated.lockState = .locked
            #expect(throws: KeychainWrapperError.status(errSecInteractionNotAllowed)) { try keychain.find("key") }
            isolated.lockState = .unlocked
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        switch self {
        case .success: nil
        case .failure(let failure): failure
        }
    }
}
