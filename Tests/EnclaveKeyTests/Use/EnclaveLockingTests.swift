// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Keys of the enclave while the keychain is locked.
@Suite struct EnclaveLockingTests {
    /// A lock state, and the classes whose keys can be used in it.
    private static var table: [(IsolatedKeychain.LockState, Set<String>)] {
        let always = Set([kSecAttrAccessibleAlways, kSecAttrAccessibleAlwaysThisDeviceOnly].map { $0 as String })
        let afterFirst = [kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly]
        return [
            (.unlocked, Set(classes.map { $0 as String })),
            (.locked, always.union(afterFirst.map { $0 as String })), (.beforeFirstUnlock, always),
            (.unlocked, Set(classes.map { $0 as String })),
        ]
    }

    private static var classes: [CFString] {
        [
            kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlock,
            kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, kSecAttrAccessibleAlways,
            kSecAttrAccessibleAlwaysThisDeviceOnly,
        ]
    }

    @Test("they can be used when their class can, and not otherwise", arguments: Ground.all, [false, true])
    func locking(ground: Ground, hasControl: Bool) throws {
        let scene = try Scene(ground)
        // A passcode, which one of the classes needs.
        scene.keychain.lockState = .locked
        scene.keychain.lockState = .unlocked
        let keys = try scene.use {
            try Self.classes.map { protection in
                let more: [CFString: Any] =
                    hasControl
                    ? [kSecAttrAccessControl: try Keys.control(.privateKeyUsage, protection)]
                    : [kSecAttrAccessible: protection]
                return (protection, try Keys.inEnclave(more))
            }
        }
        for (state, open) in Self.table {
            scene.keychain.lockState = state
            for (protection, key) in keys {
                let isOpen = open.contains(protection as String)
                let expected = isOpen ? errSecSuccess : errSecInteractionNotAllowed
                let what: Comment = "\(protection) while \(state)"
                #expect((Refusal.ofSigning(with: key)?.status ?? errSecSuccess) == expected, what)
                #expect(agrees(key) == expected && decrypts(key) == expected, what)
                let found = scene.use { Items.find([kSecClass: kSecClassKey, kSecValueRef: key], kSecReturnRef) }
                #expect(found.status == expected && (found.result != nil) == isOpen, what)
                // What is public of it can be had from the reference all the time.
                #expect(SecKeyCopyPublicKey(key) != nil && SecKeyCopyAttributes(key) != nil, what)
            }
        }
    }

    @Test("none is made into a class that is locked", arguments: Ground.all)
    func making(ground: Ground) throws {
        let scene = try Scene(ground)
        scene.keychain.lockState = .locked
        scene.use {
            let parameters = Keys.ofEnclave as CFDictionary
            #expect(Refusal.status { _ = SecKeyCreateRandomKey(parameters, $0) } == errSecInteractionNotAllowed)
        }
        scene.keychain.lockState = .unlocked
        scene.use { #expect(Items.countKeys() == 0) }
    }

    @Test("with the passcode goes the class that needs one, and its keys", arguments: Ground.all)
    func withoutPasscode(ground: Ground) throws {
        let scene = try Scene(ground)
        scene.keychain.lockState = .locked
        scene.keychain.lockState = .unlocked
        let passcode = try Llavero.Passcode(IsolatedKeychain.devicePasscode)
        let (bound, free) = try scene.use {
            (
                try Keys.inEnclave([kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]),
                try Keys.inEnclave()
            )
        }
        #expect(try scene.use { try Llavero.keybag.removePasscode(passcode) } == 1)
        #expect(Refusal.ofSigning(with: bound)?.status == errSecItemNotFound)
        #expect(try Keys.signs(free))
    }

    private func agrees(_ key: SecKey) -> OSStatus {
        guard let other = try? Keys.publicHalf(Keys.software()) else { return errSecInternalError }
        return Refusal.status { error in
            _ = SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeCofactor, other, [:] as CFDictionary, error)
        }
    }

    private func decrypts(_ key: SecKey) -> OSStatus {
        let algorithm = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
        guard let other = SecKeyCopyPublicKey(key),
            let sealed = SecKeyCreateEncryptedData(other, algorithm, Data("text".utf8) as CFData, nil)
        else { return errSecInternalError }
        return Refusal.status { _ = SecKeyCreateDecryptedData(key, algorithm, sealed, $0) }
    }
}
