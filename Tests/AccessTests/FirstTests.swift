// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

@Suite struct FirstTests {
    private func item(_ flags: SecAccessControlCreateFlags, _ more: [CFString: Any] = [:]) throws -> [CFString: Any] {
        let control = try #require(
            SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
        return [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a", kSecAttrAccessControl: control,
            kSecValueData: Data("secret".utf8),
        ].merging(more) { $1 }
    }

    private static var query: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a", kSecReturnData: true]
    }

    private func find(_ more: [CFString: Any] = [:]) -> (OSStatus, Data?) {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(Self.query.merging(more) { $1 } as CFDictionary, &result)
        return (status, result as? Data)
    }

    @Test("an application password opens its item, and no other does")
    func applicationPassword() throws {
        try IsolatedKeychain().use {
            let context = LAContext()
            #expect(context.setCredential(Data("right".utf8), type: .applicationPassword))
            #expect(context.isCredentialSet(.applicationPassword))
            let added = SecItemAdd(
                try item(.applicationPassword, [kSecUseAuthenticationContext: context]) as CFDictionary, nil)
            #expect(added == errSecSuccess)
            #expect(find([kSecUseAuthenticationContext: context]) == (errSecSuccess, Data("secret".utf8)))
            #expect(find() == (errSecInteractionNotAllowed, nil))
            let wrong = LAContext()
            wrong.setCredential(Data("wrong".utf8), type: .applicationPassword)
            #expect(find([kSecUseAuthenticationContext: wrong]) == (errSecAuthFailed, nil))
            #expect(find([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]) == (errSecItemNotFound, nil))
            #expect(find([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]) == (errSecInteractionNotAllowed, nil))
        }
    }

    @Test("the passcode opens an item that demands it, typed or given, and only while it is there")
    func passcode() throws {
        let person = ScriptedPerson(answers: [.types("1234"), .types("no"), .types("1234"), .refuses])
        let keychain = try IsolatedKeychain(person: person)
        try keychain.use {
            try Llavero.keybag.setPasscode(Llavero.Passcode("1234"), erasingAfter: nil)
            #expect(SecItemAdd(try item(.devicePasscode) as CFDictionary, nil) == errSecSuccess)
            #expect(find() == (errSecSuccess, Data("secret".utf8)))
            // Once wrong, then right.
            #expect(find() == (errSecSuccess, Data("secret".utf8)))
            #expect(find() == (errSecUserCanceled, nil))
            #expect(find([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]) == (errSecInteractionNotAllowed, nil))
            let context = LAContext()
            context.setCredential(Data("1234".utf8), type: .passcode)
            context.interactionNotAllowed = true
            #expect(find([kSecUseAuthenticationContext: context]) == (errSecSuccess, Data("secret".utf8)))
            #expect(find([kSecUseAuthenticationContext: context]) == (errSecSuccess, Data("secret".utf8)))
            context.invalidate()
            #expect(find([kSecUseAuthenticationContext: context]).0 != errSecSuccess)
        }
    }

    @Test("a finger opens an item for any finger, one for these fingers only while they are enrolled")
    func fingers() throws {
        let person = ScriptedPerson(
            fingers: [.enrolled, .unknown, .enrolled, .enrolled], enrolled: "left index")
        let keychain = try IsolatedKeychain(person: person)
        try keychain.use {
            try Llavero.keybag.setPasscode(Llavero.Passcode("1234"), erasingAfter: nil)
            #expect(SecItemAdd(try item(.biometryAny) as CFDictionary, nil) == errSecSuccess)
            #expect(find() == (errSecSuccess, Data("secret".utf8)))
            #expect(find() == (errSecAuthFailed, nil))
            #expect(
                SecItemDelete([kSecClass: kSecClassGenericPassword] as [CFString: Any] as CFDictionary) == errSecSuccess
            )
            #expect(SecItemAdd(try item(.biometryCurrentSet) as CFDictionary, nil) == errSecSuccess)
            #expect(find() == (errSecSuccess, Data("secret".utf8)))
            person.enroll("another thumb")
            #expect(find() == (errSecAuthFailed, nil))
            #expect(
                SecItemDelete([kSecClass: kSecClassGenericPassword] as [CFString: Any] as CFDictionary) == errSecSuccess
            )
        }
    }

    @Test("a key of the enclave that demands somebody signs when they were there")
    func key() throws {
        let person = ScriptedPerson(answers: [.types("1234"), .refuses])
        let keychain = try IsolatedKeychain(person: person)
        try keychain.use {
            try Llavero.keybag.setPasscode(Llavero.Passcode("1234"), erasingAfter: nil)
            let control = try #require(
                SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .devicePasscode], nil))
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs: [kSecAttrAccessControl: control, kSecAttrLabel: "k"] as [CFString: Any],
            ]
            var error: Unmanaged<CFError>?
            let key = try #require(SecKeyCreateRandomKey(attributes as CFDictionary, &error))
            let signature = SecKeyCreateSignature(
                key, .ecdsaSignatureMessageX962SHA256, Data("m".utf8) as CFData, &error)
            #expect(signature != nil)
            #expect(
                SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, Data("m".utf8) as CFData, &error) == nil)
            #expect(CFErrorGetCode(error?.takeRetainedValue()) == CFIndex(errSecUserCanceled))
        }
    }
}
