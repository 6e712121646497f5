// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// Keys of the enclave that demand somebody; that each demand is enforced is what `KeyTableTests` show.
@Suite struct EnclaveKeyTests {
    private static let key = EnclaveKey("a key")

    private static func keychain(
        _ flags: SecAccessControlCreateFlags = [.privateKeyUsage, .devicePasscode]
    ) throws -> AccessKeychain {
        let keychain = try AccessKeychain()
        try keychain.use {
            let control = try SecAccessControl.demanding(flags, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
            #expect(key.make(control) == errSecSuccess)
        }
        // It is made without anybody.
        #expect(keychain.person.asked == [])
        return keychain
    }

    @Test("each use asks anew; uses with one context ask once")
    func context() throws {
        let keychain = try Self.keychain()
        try keychain.use {
            let alone = try #require(Self.key.reference().key)
            for _ in 0..<2 { #expect(EnclaveKey.sign(with: alone) == errSecSuccess) }
            #expect(keychain.person.asked.count == 2)
            let context = LAContext()
            let key = try #require(Self.key.reference([kSecUseAuthenticationContext: context]).key)
            for _ in 0..<3 { #expect(EnclaveKey.sign(with: key) == errSecSuccess) }
            #expect(keychain.person.asked.count == 3)
            // What the context was shown for a signature opens what else demands it.
            let item = Password("an item")
            #expect(item.add(.devicePasscode) == errSecSuccess)
            #expect(item.find(context) == item.found)
            #expect(keychain.person.asked.count == 3)
        }
    }

    @Test("a context with the passcode signs without a person; one with a wrong passcode does not")
    func given() throws {
        let keychain = try Self.keychain()
        keychain.person.behave(.isAway)
        keychain.use {
            let right = LAContext(passcode: Passcodes.first)
            let wrong = LAContext(passcode: "something else")
            #expect(Self.key.sign([kSecUseAuthenticationContext: right]) == errSecSuccess)
            #expect(Self.key.sign([kSecUseAuthenticationContext: wrong]) == errSecAuthFailed)
            #expect(Self.key.sign() == errSecInteractionNotAllowed)
            right.interactionNotAllowed = true
            #expect(Self.key.sign([kSecUseAuthenticationContext: right]) == errSecSuccess)
        }
    }

    @Test("a finger or a passcode shown to a policy before signs")
    func evaluated() async throws {
        let keychain = try Self.keychain([.privateKeyUsage, .userPresence])
        await keychain.use {
            let context = LAContext()
            #expect(await context.failure(of: .deviceOwnerAuthentication) == nil)
            #expect(Self.key.sign([kSecUseAuthenticationContext: context]) == errSecSuccess)
            #expect(keychain.person.asked == [.finger("to test")])
        }
    }

    @Test("whatever the private half does asks; the public half asks nobody")
    func operations() throws {
        let keychain = try Self.keychain()
        try keychain.use {
            let key = try #require(Self.key.reference([kSecUseOperationPrompt: "to test"]).key)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let plain = "a message".data as CFData
            let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorX963SHA256AESGCM
            let sealed = try #require(SecKeyCreateEncryptedData(publicKey, algorithm, plain, nil))
            #expect(SecKeyCopyExternalRepresentation(publicKey, nil) != nil)
            #expect(SecKeyCopyAttributes(key) != nil)
            #expect(keychain.person.asked == [])
            func operations() -> [(name: String, status: OSStatus)] {
                var errors: [Unmanaged<CFError>?] = [nil, nil, nil]
                let opened = SecKeyCreateDecryptedData(key, algorithm, sealed, &errors[0])
                #expect(opened == nil || opened as Data? == plain as Data)
                let shared = SecKeyCopyKeyExchangeResult(
                    key, .ecdhKeyExchangeCofactor, publicKey, [:] as CFDictionary, &errors[1])
                let signed = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, plain, &errors[2])
                return [("decrypt", opened as AnyObject?), ("exchange", shared), ("sign", signed)].enumerated().map {
                    ($1.0, $1.1 == nil ? EnclaveKey.status(of: errors[$0]) : errSecSuccess)
                }
            }
            for (name, status) in operations() { #expect(status == errSecSuccess, "\(name)") }
            #expect(keychain.person.asked == Array(repeating: .passcode("to test"), count: 3))
            keychain.person.behave(.refuses)
            for (name, status) in operations() { #expect(status == errSecUserCanceled, "\(name)") }
            keychain.person.behave(.isAway)
            for (name, status) in operations() { #expect(status == errSecInteractionNotAllowed, "\(name)") }
        }
    }

    @Test("a key that demands somebody is there after a restart, a rotation and another passcode")
    func changes() throws {
        let keychain = try Self.keychain()
        func check() throws {
            keychain.person.behave(.isAway)
            #expect(keychain.use { Self.key.sign() } == errSecInteractionNotAllowed)
            keychain.person.behave(.right)
            #expect(keychain.use { Self.key.sign() } == errSecSuccess)
        }
        keychain.restart()
        try keychain.unlock(Passcodes.first)
        try check()
        try keychain.use {
            try Llavero.keybag.rotateKeys(passcode: Llavero.Passcode(Passcodes.first))
            try Llavero.keybag.reseal()
        }
        try check()
        try keychain.changePasscode(from: Passcodes.first, to: Passcodes.second)
        keychain.person.learn(passcode: Passcodes.second)
        try check()
        try keychain.lock()
        #expect(keychain.use { Self.key.sign() } == errSecInteractionNotAllowed)
        try keychain.unlock(Passcodes.second)
        try check()
    }
}
