// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// Keys outside the enclave that demand somebody.
@Suite struct SoftwareKeyTests {
    /// A kind of key.
    enum Kind: Sendable, CaseIterable {
        case ec, rsa

        var type: CFString { self == .ec ? kSecAttrKeyTypeECSECPrimeRandom : kSecAttrKeyTypeRSA }
        var bits: Int { self == .ec ? 256 : 2048 }

        func sign(_ key: SecKey) -> OSStatus {
            EnclaveKey.sign(
                with: key, self == .ec ? .ecdsaSignatureMessageX962SHA256 : .rsaSignatureMessagePSSSHA256)
        }

        /// Makes a key and stores it.
        func make(_ flags: SecAccessControlCreateFlags) throws -> SecKey {
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits,
                kSecPrivateKeyAttrs: [
                    kSecAttrIsPermanent: true, kSecAttrLabel: "a key",
                    kSecAttrAccessControl: try SecAccessControl.demanding(flags),
                ] as [CFString: Any],
            ]
            return try #require(SecKeyCreateRandomKey(attributes as CFDictionary, nil))
        }
    }

    @Test("it signs when what it demands was shown, and not before", arguments: Kind.allCases)
    func signing(kind: Kind) throws {
        for flags in [SecAccessControlCreateFlags.devicePasscode, .userPresence, .biometryCurrentSet] {
            let keychain = try AccessKeychain()
            try keychain.use {
                _ = try kind.make(flags)
                #expect(keychain.person.asked == [])
                let key = try #require(EnclaveKey("a key").reference().key)
                for (manner, status) in [
                    (Person.Manner.right, errSecSuccess), (.refuses, errSecUserCanceled),
                    (.isAway, errSecInteractionNotAllowed),
                ] {
                    keychain.person.behave(manner)
                    #expect(kind.sign(key) == status)
                }
                keychain.person.behave(.right)
                let terms: Password.Terms = [kSecUseAuthenticationContext: LAContext()]
                let asked = keychain.person.asked.count
                let contextual = try #require(EnclaveKey("a key").reference(terms).key)
                for _ in 0..<2 { #expect(kind.sign(contextual) == errSecSuccess) }
                #expect(keychain.person.asked.count == asked + 1)
            }
            #expect(try keychain.check() == [])
        }
    }

    @Test("its bytes come out to nobody who shows nothing", arguments: Kind.allCases)
    func bytes(kind: Kind) throws {
        let keychain = try AccessKeychain(Person(.isAway))
        try keychain.use {
            let key = try kind.make(.devicePasscode)
            var error: Unmanaged<CFError>?
            #expect(SecKeyCopyExternalRepresentation(key, &error) == nil)
            error?.release()
            var result: CFTypeRef?
            let query: Password.Terms = [kSecClass: kSecClassKey, kSecAttrLabel: "a key", kSecReturnData: true]
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecInteractionNotAllowed && result == nil)
        }
    }

    @Test(
        "one with privateKeyUsage is stored and cannot be used, and the explanation says so (decision D32)",
        arguments: Kind.allCases)
    func enclaveFlag(kind: Kind) throws {
        let demands: [SecAccessControlCreateFlags] = [.privateKeyUsage, [.privateKeyUsage, .devicePasscode]]
        for flags in demands {
            let keychain = try AccessKeychain()
            try keychain.use {
                let key = try kind.make(flags)
                #expect(kind.sign(key) == errSecParam)
                #expect(Llavero.lastFailure?.contains("enclave") == true)
                let (status, found) = EnclaveKey("a key").reference()
                #expect(status == errSecSuccess)
                #expect(found.map(kind.sign) == errSecParam)
                #expect(keychain.person.asked == [])
            }
        }
    }
}
