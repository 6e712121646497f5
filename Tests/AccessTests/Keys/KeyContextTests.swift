// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security
import Testing

/// Contexts that keys are made and found with.
@Suite struct KeyContextTests {
    @Test("a key is made under the password of the context that is given, and goes on with that context")
    func generation() throws {
        let keychain = try AccessKeychain(Person(.isAway))
        try keychain.use {
            let terms: Password.Terms = [kSecUseAuthenticationContext: LAContext(password: Person.password)]
            let attributes: Password.Terms = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecPrivateKeyAttrs: [
                    kSecAttrIsPermanent: true,
                    kSecAttrAccessControl: try SecAccessControl.demanding(.applicationPassword),
                ] as Password.Terms,
            ]
            let key = try #require(SecKeyCreateRandomKey(attributes.merging(terms) { $1 } as CFDictionary, nil))
            #expect(EnclaveKey.sign(with: key) == errSecSuccess)
            let control = try SecAccessControl.demanding([.privateKeyUsage, .applicationPassword])
            #expect(EnclaveKey("in the enclave").make(control, terms) == errSecSuccess)
        }
    }

    @Test("a key keeps the context it was found with, and lets it go")
    func keptContext() throws {
        let keychain = try AccessKeychain(Person(.isAway))
        try keychain.use {
            let made = EnclaveKey("a key")
            #expect(made.make(try .demanding([.privateKeyUsage, .devicePasscode])) == errSecSuccess)
            var context: LAContext? = LAContext(passcode: Passcodes.first)
            weak let watched = context
            var key = made.reference([kSecUseAuthenticationContext: try #require(context)]).key
            context = nil
            #expect(EnclaveKey.sign(with: try #require(key)) == errSecSuccess)
            key = nil
            #expect(watched == nil)
        }
    }
}
