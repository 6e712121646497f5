// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Keychains that a program names, beside its own.
@Suite struct SecKeychainTests {
    private let folder: KeychainsFolder

    init() throws { folder = try KeychainsFolder() }

    private func make(_ name: String, _ passcode: String = "") throws -> SecKeychain {
        var keychain: SecKeychain?
        let status = SecKeychainCreate(
            folder.path(name), UInt32(passcode.utf8.count), passcode, false, nil, &keychain)
        #expect(status == errSecSuccess, "\(Llavero.lastFailure ?? "")")
        return try #require(keychain)
    }

    private func item(_ account: String, _ value: String, in keychain: SecKeychain) -> OSStatus {
        SecItemAdd(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "named", kSecAttrAccount: account,
                kSecValueData: Data(value.utf8), kSecUseKeychain: keychain,
            ] as [CFString: Any] as CFDictionary, nil)
    }

    private func find(_ more: [CFString: Any]) -> (OSStatus, CFTypeRef?) {
        let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "named"]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query.merging(more) { $1 } as CFDictionary, &result)
        return (status, result)
    }

    private func state(_ keychain: SecKeychain) -> SecKeychainStatus {
        var status: SecKeychainStatus = 0
        #expect(SecKeychainGetStatus(keychain, &status) == errSecSuccess)
        return status
    }

    @Test("what is put into one keychain is in that one alone")
    func apart() throws {
        let (first, second) = (try make("first"), try make("second"))
        #expect(item("a", "1", in: first) == errSecSuccess)
        #expect(item("a", "2", in: second) == errSecSuccess)
        #expect(item("a", "3", in: second) == errSecDuplicateItem)
        let (_, one) = find([kSecReturnData: true, kSecUseKeychain: first])
        #expect(one as? Data == Data("1".utf8))
        let (_, other) = find([kSecReturnData: true, kSecMatchSearchList: [second]])
        #expect(other as? Data == Data("2".utf8))
        #expect(find([:]).0 == errSecItemNotFound)
    }

    @Test("a search list is searched in its order, until there are as many as are wanted")
    func searchList() throws {
        let (first, second) = (try make("first"), try make("second"))
        #expect(item("a", "1", in: first) == errSecSuccess)
        #expect(item("b", "2", in: second) == errSecSuccess)
        #expect(item("c", "3", in: second) == errSecSuccess)
        func values(_ list: [SecKeychain], _ limit: Any) -> [String] {
            let found = find([kSecReturnData: true, kSecMatchSearchList: list, kSecMatchLimit: limit]).1
            return ((found as? [Data]) ?? (found as? Data).map { [$0] } ?? []).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        #expect(values([first, second], kSecMatchLimitAll) == ["1", "2", "3"])
        #expect(values([second, first], kSecMatchLimitAll) == ["2", "3", "1"])
        #expect(values([second, first], 2) == ["2", "3"])
        #expect(values([second, first], kSecMatchLimitOne) == ["2"])
        #expect(find([kSecMatchSearchList: ["no keychain"]]).0 == errSecParam)
        #expect(find([kSecUseKeychain: "no keychain"]).0 == errSecParam)
    }

    @Test("a change is made in the keychain that is named, and takes no search list")
    func changes() throws {
        let (first, second) = (try make("first"), try make("second"))
        #expect(item("a", "1", in: first) == errSecSuccess)
        #expect(item("a", "1", in: second) == errSecSuccess)
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "named", kSecUseKeychain: second,
        ]
        #expect(SecItemUpdate(query as CFDictionary, [kSecAttrLabel: "new"] as CFDictionary) == errSecSuccess)
        func label(_ keychain: SecKeychain) -> String? {
            let found = find([kSecReturnAttributes: true, kSecUseKeychain: keychain]).1
            return (found as? [String: Any])?["labl"] as? String
        }
        #expect(label(second) == "new")
        #expect(label(first) != "new")
        #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
        #expect(SecItemDelete(query as CFDictionary) == errSecItemNotFound)
        #expect(find([kSecUseKeychain: first]).0 == errSecSuccess)
        query[kSecUseKeychain] = nil
        query[kSecMatchSearchList] = [first]
        #expect(SecItemDelete(query as CFDictionary) == errSecParam)
    }

    @Test("each has its own passcode: what is locked is not read, and is never said not to be there")
    func locked() throws {
        let (open, locked) = (try make("open"), try make("locked.keychain", "secret"))
        #expect(item("a", "1", in: open) == errSecSuccess)
        #expect(item("b", "2", in: locked) == errSecSuccess)
        #expect(state(locked) & kSecUnlockStateStatus != 0)
        #expect(SecKeychainLock(locked) == errSecSuccess)
        #expect(state(locked) & kSecUnlockStateStatus == 0)
        #expect(find([kSecReturnData: true, kSecUseKeychain: locked]).0 == errSecInteractionNotAllowed)
        let both: [CFString: Any] = [kSecReturnData: true, kSecMatchSearchList: [locked, open]]
        #expect(find(both).1 as? Data == Data("1".utf8))
        let onlyLocked = both.merging([kSecAttrAccount: "b"]) { $1 }
        #expect(find(onlyLocked).0 == errSecInteractionNotAllowed)
        #expect(SecKeychainUnlock(locked, 5, "wrong", true) == errSecAuthFailed)
        #expect(SecKeychainUnlock(locked, 6, "secret", true) == errSecSuccess)
        #expect(find(onlyLocked).1 as? Data == Data("2".utf8))
        // Without a passcode there is nothing to lock with.
        #expect(SecKeychainLock(open) == errSecSuccess)
        #expect(state(open) & kSecUnlockStateStatus != 0)
    }

    @Test("it is made once, at its path, and removed with everything in it")
    func life() throws {
        let keychain = try make("build.keychain")
        var length: UInt32 = 4096
        var path = [CChar](repeating: 0, count: 4096)
        #expect(SecKeychainGetPath(keychain, &length, &path) == errSecSuccess)
        let text = String(decoding: path.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // As a Mac names what it makes.
        #expect(text == folder.path("build.keychain-db"))
        #expect(FileManager.default.fileExists(atPath: text + "/keychain.db"))
        var again: SecKeychain?
        #expect(
            SecKeychainCreate(folder.path("build.keychain"), 0, nil, false, nil, &again) == errSecDuplicateKeychain)
        #expect(SecKeychainCreate(folder.path("other"), 0, nil, true, nil, &again) == errSecInteractionNotAllowed)
        var opened: SecKeychain?
        #expect(SecKeychainOpen(folder.path("build.keychain"), &opened) == errSecSuccess)
        #expect(opened == keychain)
        #expect(item("a", "1", in: keychain) == errSecSuccess)
        #expect(SecKeychainDelete(keychain) == errSecSuccess)
        #expect(!FileManager.default.fileExists(atPath: text))
        #expect(item("a", "1", in: keychain) == errSecNoSuchKeychain)
        #expect(SecKeychainDelete(keychain) == errSecNoSuchKeychain)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root).isEmpty)
    }

    @Test("its settings say when it locks by itself, and stay")
    func settings() throws {
        let keychain = try make("set")
        var settings = SecKeychainSettings()
        #expect(SecKeychainCopySettings(keychain, &settings) == errSecSuccess)
        #expect(settings == SecKeychainSettings(version: 1, lockOnSleep: true, useLockInterval: false, lockInterval: 0))
        settings = SecKeychainSettings(version: 1, lockOnSleep: false, useLockInterval: true, lockInterval: 300)
        #expect(SecKeychainSetSettings(keychain, &settings) == errSecSuccess)
        var read = SecKeychainSettings()
        #expect(SecKeychainCopySettings(keychain, &read) == errSecSuccess)
        #expect(read == settings)
        settings.lockInterval = 0
        #expect(SecKeychainSetSettings(keychain, &settings) == errSecParam)
    }
}

/// A folder of keychains that goes with the test.
final class KeychainsFolder {
    let root: String

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("keychains-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func path(_ name: String) -> String { root + "/" + name }
}
