// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// One query that finds items with different demands.
@Suite struct SeveralItemsTests {
    private static let demands: [SecAccessControlCreateFlags] = [
        [], .devicePasscode, .biometryAny, .applicationPassword, [.devicePasscode, .applicationPassword],
        [.biometryAny, .devicePasscode, .and],
    ]
    private static let passwords = demands.indices.map { Password("item \($0)") }

    private static func keychain() throws -> AccessKeychain {
        let keychain = try AccessKeychain()
        keychain.use {
            let given: Password.Terms = [kSecUseAuthenticationContext: LAContext(password: Person.password)]
            for (password, flags) in zip(passwords, demands) { #expect(password.add(flags, given) == errSecSuccess) }
        }
        return keychain
    }

    private static func findAll(_ terms: Password.Terms = [:]) -> (status: OSStatus, secrets: [Data]?) {
        var result: CFTypeRef?
        let query: Password.Terms = [
            kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
        ]
        let status = SecItemCopyMatching(query.merging(terms) { $1 } as CFDictionary, &result)
        return (status, result as? [Data])
    }

    @Test("all are found when everything was shown, each thing once")
    func all() throws {
        let keychain = try Self.keychain()
        keychain.use {
            let (status, secrets) = Self.findAll()
            #expect(status == errSecSuccess && secrets == Self.passwords.map(\.secret))
            #expect(keychain.person.asked.map(\.kind).sorted() == ["finger", "passcode", "password"])
        }
    }

    @Test("none is found when one thing is not shown", arguments: ["finger", "passcode", "password"])
    func none(missing: String) throws {
        let keychain = try Self.keychain()
        keychain.person.behave(
            missing == "finger" ? .right : .refuses, fingers: missing == "finger" ? .refuses : .right)
        keychain.use {
            let credentials = LAContext(
                passcode: missing == "passcode" ? nil : Passcodes.first,
                password: missing == "password" ? nil : Person.password)
            let (status, secrets) = Self.findAll([kSecUseAuthenticationContext: credentials])
            #expect(status == errSecUserCanceled && secrets == nil)
        }
    }

    @Test("with a skip those are found that demand nothing, and nobody is asked")
    func skip() throws {
        let keychain = try Self.keychain()
        keychain.use {
            let (status, secrets) = Self.findAll([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
            #expect(status == errSecSuccess && secrets == [Self.passwords[0].secret])
            #expect(Self.passwords[0].delete() == errSecSuccess)
            #expect(Self.findAll([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]).status == errSecItemNotFound)
            #expect(
                Self.findAll([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]).status
                    == errSecInteractionNotAllowed)
        }
        #expect(keychain.person.asked == [])
    }

    @Test("what needs no secret asks nobody: attributes, references, and whether there is something")
    func withoutSecrets() throws {
        let keychain = try Self.keychain()
        keychain.use {
            for wish in [kSecReturnAttributes, kSecReturnPersistentRef, nil] {
                var query: Password.Terms = [
                    kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll,
                ]
                if let wish { query[wish] = true }
                var result: CFTypeRef?
                #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
                if wish != nil { #expect((result as? [Any])?.count == Self.demands.count) }
            }
        }
        #expect(keychain.person.asked == [])
    }
}
