// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// What happens to a whole keychain, and the items in it that demand somebody.
@Suite struct KeychainChangeTests {
    @Test("they are there after a restart, and before the first unlock as little as any other")
    func restart() throws {
        let keychain = try AccessKeychain()
        let items = try GuardedItems(in: keychain)
        let always = try GuardedItems(in: keychain, kSecAttrAccessibleAlways)
        keychain.restart()
        #expect(items.statuses(in: keychain) == [errSecInteractionNotAllowed])
        // What is always accessible needs no unlocking, only what it demands.
        always.check(in: keychain)
        try keychain.unlock(Passcodes.first)
        items.check(in: keychain)
        let other = AccessKeychain(beside: keychain)
        try other.unlock(Passcodes.first)
        items.check(in: other)
        #expect(try keychain.check() == [])
    }

    @Test("a locked keychain keeps them closed whoever is there; typing the passcode for one unlocks nothing else")
    func locking() throws {
        let keychain = try AccessKeychain()
        let items = try GuardedItems(in: keychain)
        let always = try GuardedItems(in: keychain, kSecAttrAccessibleAlwaysThisDeviceOnly)
        try keychain.lock()
        #expect(items.statuses(in: keychain) == [errSecInteractionNotAllowed])
        #expect(keychain.person.asked == [])
        always.check(in: keychain)
        #expect(try keychain.use { try Llavero.keybag.status().lockState } == .locked)
        #expect(items.statuses(in: keychain) == [errSecInteractionNotAllowed])
        try keychain.unlock(Passcodes.first)
        items.check(in: keychain)
        #expect(try keychain.check() == [])
    }

    @Test("a rotation of keys and the sealing anew leave them as they were")
    func rotation() throws {
        let keychain = try AccessKeychain()
        let items = try GuardedItems(in: keychain)
        try keychain.use { try Llavero.keybag.rotateKeys(passcode: Llavero.Passcode(Passcodes.first)) }
        items.check(in: keychain)
        let later = try GuardedItems(in: keychain, kSecAttrAccessibleAfterFirstUnlock)
        try keychain.use { try Llavero.keybag.reseal() }
        #expect(try keychain.use { try Llavero.keybag.status().isResealing } == false)
        for items in [items, later] { items.check(in: keychain) }
        keychain.restart()
        try keychain.unlock(Passcodes.first)
        for items in [items, later] { items.check(in: keychain) }
        #expect(try keychain.check() == [])
    }

    @Test("after a change of the passcode the new one is demanded, and the old one opens nothing")
    func passcodeChange() throws {
        let keychain = try AccessKeychain()
        let items = try GuardedItems(in: keychain)
        let item = Password("one more")
        #expect(keychain.use { item.add(.devicePasscode) } == errSecSuccess)
        try keychain.changePasscode(from: Passcodes.first, to: Passcodes.second)
        keychain.use {
            #expect(item.find(LAContext(passcode: Passcodes.first)) == .nothing(errSecAuthFailed))
            #expect(item.find(LAContext(passcode: Passcodes.second)) == item.found)
        }
        keychain.person.learn(passcode: Passcodes.second)
        items.check(in: keychain)
        keychain.restart()
        try keychain.unlock(Passcodes.second)
        items.check(in: keychain)
        #expect(try keychain.check() == [])
    }

    @Test("without a passcode what demands it is closed and kept; the next passcode opens it again")
    func passcodeRemoval() throws {
        let keychain = try AccessKeychain()
        let items = try GuardedItems(in: keychain)
        let bound = try GuardedItems(in: keychain, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
        let kept = Password("kept")
        #expect(keychain.use { kept.add(.devicePasscode) } == errSecSuccess)
        // Those of the class that is only there with a passcode go with it (decision D21).
        #expect(try keychain.removePasscode(Passcodes.first) == 8)
        let typed = Password("typed")
        keychain.use {
            #expect(kept.find() == .nothing(errSecAuthFailed))
            // Nor can anything be stored that demands it.
            for flags in [SecAccessControlCreateFlags.devicePasscode, .userPresence, [.biometryAny, .devicePasscode]] {
                #expect(typed.add(flags) == errSecAuthFailed)
            }
        }
        #expect(keychain.person.asked == [])
        keychain.restart()
        try keychain.setPasscode(Passcodes.second)
        keychain.person.learn(passcode: Passcodes.second)
        items.check(in: keychain)
        #expect(keychain.use { kept.find() } == kept.found)
        #expect(bound.statuses(in: keychain) == [errSecItemNotFound])
        #expect(try keychain.check() == [])
    }

    @Test("a rotation while there is no passcode loses nothing that demands one")
    func rotationWithoutPasscode() throws {
        let keychain = try AccessKeychain()
        let items = try GuardedItems(in: keychain)
        _ = try keychain.removePasscode(Passcodes.first)
        try keychain.use {
            try Llavero.keybag.rotateKeys(passcode: nil)
            try Llavero.keybag.reseal()
        }
        keychain.restart()
        try keychain.setPasscode(Passcodes.second)
        keychain.person.learn(passcode: Passcodes.second)
        items.check(in: keychain)
        #expect(try keychain.check() == [])
    }
}
