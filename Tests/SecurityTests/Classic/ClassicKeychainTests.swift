// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Synchronization
import Testing

/// What the classic functions say of the process, of keychains and of access lists.
@Suite struct ClassicKeychainTests {
    @Test("where the process allows no prompt, an item that requires somebody is refused at once")
    func interaction() async {
        await #expect(processExitsWith: .success) {
            let person = ScriptedPerson(usually: .types("1234"))
            let keychain = try IsolatedKeychain(person: person)
            try keychain.use {
                try Llavero.keybag.setPasscode(Llavero.Passcode("1234"), erasingAfter: nil)
                let control = try #require(
                    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .devicePasscode, nil))
                let item: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada", kSecValueData: Data([1]),
                    kSecAttrAccessControl: control,
                ]
                #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
                let query = [kSecClass: kSecClassGenericPassword, kSecReturnData: true] as [CFString: Any]
                var (result, state): (CFTypeRef?, DarwinBoolean) = (nil, true)
                #expect(SecKeychainSetUserInteractionAllowed(false) == errSecSuccess)
                #expect(SecKeychainGetUserInteractionAllowed(&state) == errSecSuccess)
                #expect(state.boolValue == false)
                #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecInteractionNotAllowed)
                #expect(SecKeychainSetUserInteractionAllowed(true) == errSecSuccess)
                #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            }
        }
    }

    @Test("a callback is told of what this process does with keychains until it is removed")
    func callbacks() throws {
        let folder = try KeychainsFolder()
        var keychain: SecKeychain?
        #expect(SecKeychainCreate(folder.path("told"), 4, "1234", false, nil, &keychain) == errSecSuccess)
        let told = Told()
        let context = Unmanaged.passUnretained(told).toOpaque()
        let callback: SecKeychainCallback = { event, info, context in
            guard let context = context else { return errSecParam }
            let told = Unmanaged<Told>.fromOpaque(context).takeUnretainedValue()
            told.add(event, info.pointee.keychain?.takeUnretainedValue())
            return errSecSuccess
        }
        let mask: SecKeychainEventMask = [.lockEventMask, .unlockEventMask]
        #expect(SecKeychainAddCallback(callback, .dataAccessEventMask, nil) == errSecParam)
        #expect(SecKeychainAddCallback(callback, mask, context) == errSecSuccess)
        #expect(SecKeychainAddCallback(callback, mask, context) == errSecDuplicateCallback)
        #expect(SecKeychainLock(keychain) == errSecSuccess)
        #expect(told.wait(for: .lockEvent, of: keychain))
        #expect(SecKeychainUnlock(keychain, 4, "1234", true) == errSecSuccess)
        #expect(told.wait(for: .unlockEvent, of: keychain))
        #expect(SecKeychainRemoveCallback(callback) == errSecSuccess)
        #expect(SecKeychainRemoveCallback(callback) == errSecInvalidCallback)
    }

    /// What a callback was told of.
    private final class Told: Sendable {
        private let events = Mutex<[(SecKeychainEvent, SecKeychain?)]>([])
        private let arrival = DispatchSemaphore(value: 0)

        func add(_ event: SecKeychainEvent, _ keychain: SecKeychain?) {
            events.withLock { $0.append((event, keychain)) }
            arrival.signal()
        }

        /// Other tests lock keychains too.
        func wait(for event: SecKeychainEvent, of keychain: SecKeychain?) -> Bool {
            while !events.withLock({ $0.contains { $0.0 == event && $0.1 == keychain } }) {
                if arrival.wait(timeout: .now() + 60) == .timedOut { return false }
            }
            return true
        }
    }

    @Test("without a daemon nobody tells of items")
    func noDaemon() throws {
        let keychain = try IsolatedKeychain()
        keychain.use {
            let callback: SecKeychainCallback = { _, _, _ in errSecSuccess }
            #expect(SecKeychainAddCallback(callback, .addEventMask, nil) == errSecNotAvailable)
        }
    }

    @Test("an access list is made and looked into, and no item has one")
    func accessLists() throws {
        var (access, program): (SecAccess?, SecTrustedApplication?)
        #expect(SecTrustedApplicationCreateFromPath("/bin/sh", &program) == errSecSuccess)
        #expect(SecTrustedApplicationCreateFromPath("/no/such/program", &program) == errSecParam)
        let trusted = [try #require(program)]
        #expect(SecAccessCreate("mail" as CFString, trusted as CFArray, &access) == errSecSuccess)
        let made = try #require(access)
        var list: CFArray?
        #expect(SecAccessCopyACLList(made, &list) == errSecSuccess)
        #expect((list as? [SecACL])?.count == 3)
        let decrypting = SecAccessCopyMatchingACLList(made, kSecACLAuthorizationDecrypt)
        let part = try #require((decrypting as? [SecACL])?.first)
        var (programs, text): (CFArray?, CFString?)
        var prompts = SecKeychainPromptSelector.unsigned
        #expect(SecACLCopyContents(part, &programs, &text, &prompts) == errSecSuccess)
        #expect((programs as? [SecTrustedApplication])?.first == program)
        #expect(text as String? == "mail")
        #expect(SecACLUpdateAuthorizations(part, [kSecACLAuthorizationSign] as CFArray) == errSecSuccess)
        #expect(SecAccessCopyMatchingACLList(made, kSecACLAuthorizationDecrypt) == nil)
        #expect(SecACLRemove(part) == errSecSuccess)
        #expect(SecAccessCopyACLList(made, &list) == errSecSuccess)
        #expect(CFArrayGetCount(list) == 2)
        #expect(SecAccessCreate("x" as CFString, [1] as CFArray, &access) == errSecParam)
        let keychain = try IsolatedKeychain()
        try keychain.use {
            var item: SecKeychainItem?
            #expect(SecKeychainAddGenericPassword(nil, 1, "s", 1, "a", 1, "p", &item) == errSecSuccess)
            let stored = try #require(item)
            #expect(SecKeychainItemCopyAccess(stored, &access) == errSecNoAccessForItem)
            #expect(SecKeychainItemSetAccess(stored, made) == errSecUnimplemented)
        }
    }

    @Test("the user's domain is the only one")
    func domains() {
        var domain = SecPreferencesDomain.system
        #expect(SecKeychainGetPreferenceDomain(&domain) == errSecSuccess)
        #expect(domain == .user)
        #expect(SecKeychainSetPreferenceDomain(.system) == errSecUnimplemented)
        var list: CFArray?
        #expect(SecKeychainCopyDomainSearchList(.user, &list) == errSecSuccess)
        #expect(SecKeychainCopyDomainSearchList(.common, &list) == errSecUnimplemented)
    }
}
