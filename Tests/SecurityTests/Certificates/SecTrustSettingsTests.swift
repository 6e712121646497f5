// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("What a user says of a certificate counts")
struct SecTrustSettingsTests {
    private let chain: MadeChain
    private let keychain: IsolatedKeychain

    init() throws {
        chain = try MadeChain()
        keychain = try IsolatedKeychain(.temporaryFolder)
    }

    private func trust(_ policy: SecPolicy? = nil) throws -> SecTrust {
        let trust = try chain.bareTrust(policy)
        SecTrustSetVerifyDate(trust, NSDate(timeIntervalSinceNow: 5))
        return trust
    }

    @Test("a private root is believed, until that is taken back")
    func root() throws {
        try keychain.use {
            #expect(try trust().code == errSecCreateChainFailed)
            var found: CFArray?
            #expect(SecTrustSettingsCopyTrustSettings(chain.root, .user, &found) == errSecItemNotFound)
            #expect(SecTrustSettingsCopyCertificates(.user, nil) == errSecNoTrustSettings)
            #expect(SecTrustSettingsSetTrustSettings(chain.root, .user, nil) == errSecSuccess)
            let trusted = try trust(SecPolicyCreateSSL(true, "www.example.com"))
            #expect(trusted.code == 0)
            #expect(trusted.result == .proceed)
            // Only what the policy says besides.
            let other = try trust(SecPolicyCreateSSL(true, "www.example.net")).code
            #expect(other == errSecHostNameMismatch)
            // Who set anchors of their own wants no others.
            let own = try trust()
            SecTrustSetAnchorCertificates(own, [] as NSArray)
            #expect(own.code == errSecCreateChainFailed)

            #expect(SecTrustSettingsCopyTrustSettings(chain.root, .user, &found) == errSecSuccess && found == [])
            #expect(SecTrustSettingsCopyCertificates(.user, &found) == errSecSuccess)
            #expect(found as? [SecCertificate] == [chain.root])
            var date: CFDate?
            #expect(SecTrustSettingsCopyModificationDate(chain.root, .user, &date) == errSecSuccess)
            #expect(abs(date?.timeIntervalSinceNow ?? .infinity) < 600)
            #expect(SecTrustSettingsRemoveTrustSettings(chain.root, .user) == errSecSuccess)
            #expect(SecTrustSettingsRemoveTrustSettings(chain.root, .user) == errSecItemNotFound)
            let after = try trust().code
            #expect(after == errSecCreateChainFailed)
        }
    }

    @Test("for a policy, a host, or against everything")
    func narrowed() throws {
        try keychain.use {
            let ssl: NSDictionary = [
                kSecTrustSettingsPolicy: SecPolicyCreateSSL(true, nil),
                kSecTrustSettingsPolicyString: "www.example.com", kSecTrustSettingsResult: 1,
            ]
            #expect(SecTrustSettingsSetTrustSettings(chain.root, .user, ssl) == errSecSuccess)
            var found: CFArray?
            #expect(SecTrustSettingsCopyTrustSettings(chain.root, .user, &found) == errSecSuccess)
            #expect((found?[0] as? NSDictionary)?[kSecTrustSettingsPolicyString] as? String == "www.example.com")
            let codes = [
                try trust(SecPolicyCreateSSL(true, "www.example.com")).code,
                try trust(SecPolicyCreateSSL(true, "a.example.org")).code, try trust().code,
            ]
            #expect(codes == [0, errSecCreateChainFailed, errSecCreateChainFailed])

            #expect(SecTrustSettingsSetTrustSettings(chain.root, .user, [] as NSArray) == errSecSuccess)
            #expect(
                SecTrustSettingsSetTrustSettings(chain.middle, .user, [kSecTrustSettingsResult: 3] as NSDictionary) == 0
            )
            let denied = try trust()
            #expect(denied.code == errSecTrustSettingDeny)
            #expect(denied.result == .deny)
            #expect(
                SecTrustSettingsSetTrustSettings(chain.middle, .user, [kSecTrustSettingsResult: 2] as NSDictionary) == 0
            )
            #expect(SecTrustSettingsRemoveTrustSettings(chain.root, .user) == 0)
            let asRoot = try trust().code
            #expect(asRoot == 0)
        }
    }

    @Test("what an error is that is overlooked")
    func allowedError() throws {
        try keychain.use {
            #expect(SecTrustSettingsSetTrustSettings(chain.root, .user, nil) == 0)
            #expect(
                SecTrustSettingsSetTrustSettings(
                    chain.leaf, .user,
                    [
                        [kSecTrustSettingsAllowedError: errSecHostNameMismatch, kSecTrustSettingsResult: 4]
                            as NSDictionary
                    ] as NSArray) == 0)
            let code = try trust(SecPolicyCreateSSL(true, "www.example.net")).code
            #expect(code == 0)
        }
    }

    @Test("by a search for what is trusted, too")
    func search() throws {
        keychain.use {
            let now = Date(timeIntervalSinceNow: 5)
            for certificate in [chain.leaf, chain.middle] {
                #expect(SecCertificateAddToKeychain(certificate, nil) == errSecSuccess)
            }
            #expect(SecCertificateAddToKeychain(chain.leaf, nil) == errSecDuplicateItem)
            let query: NSDictionary = [
                kSecClass: kSecClassCertificate, kSecMatchTrustedOnly: true, kSecMatchLimit: kSecMatchLimitAll,
                kSecReturnRef: true, kSecMatchValidOnDate: now,
            ]
            var found: CFTypeRef?
            #expect(SecItemCopyMatching(query, &found) == errSecItemNotFound)
            #expect(SecTrustSettingsSetTrustSettings(chain.root, .user, nil) == errSecSuccess)
            // The root is no item; it is an anchor by the settings alone.
            #expect(SecItemCopyMatching(query, &found) == errSecSuccess)
            #expect((found as? NSArray)?.count == 2)
        }
    }

    @Test("and can be carried elsewhere, whole or not at all")
    func external() throws {
        let data = try keychain.use {
            var data: CFData?
            #expect(SecTrustSettingsCreateExternalRepresentation(.user, &data) == errSecNoTrustSettings)
            #expect(SecTrustSettingsSetTrustSettings(chain.root, .user, nil) == errSecSuccess)
            #expect(SecTrustSettingsCreateExternalRepresentation(.user, &data) == errSecSuccess)
            return try #require(data) as Data
        }
        let other = try IsolatedKeychain(.temporaryFolder)
        try other.use {
            for wrong in [Data(), data.dropLast(), data + [0], Data("x".utf8)] {
                #expect(SecTrustSettingsImportExternalRepresentation(.user, wrong as CFData) == errSecDecode)
            }
            let before = try trust().code
            #expect(before == errSecCreateChainFailed)
            #expect(SecTrustSettingsImportExternalRepresentation(.user, data as CFData) == errSecSuccess)
            let after = try trust().code
            #expect(after == 0)
        }
    }

    @Test("unless they cannot be read: then nothing is trusted")
    func damaged() throws {
        try keychain.use {
            #expect(SecTrustSettingsSetTrustSettings(chain.root, .user, nil) == errSecSuccess)
            let folder = try #require(keychain.folder).deletingLastPathComponent()
            let file = folder.appendingPathComponent(".trust-settings")
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            try Data("damage".utf8).write(to: file)
            let damaged = try trust().code
            #expect(damaged == errSecInvalidTrustSettings)
            #expect(SecTrustSettingsSetTrustSettings(chain.root, .user, nil) == errSecDecode)
        }
    }

    @Test("what makes no sense is refused")
    func refusals() throws {
        keychain.use {
            let wrong: [(SecCertificate, CFTypeRef?, OSStatus)] = [
                (chain.leaf, nil, errSecParam), (chain.root, [kSecTrustSettingsResult: 2] as NSDictionary, errSecParam),
                (chain.root, [kSecTrustSettingsResult: 0] as NSDictionary, errSecParam),
                (chain.root, ["x": 1] as NSDictionary, errSecParam), (chain.root, "x" as NSString, errSecParam),
                (chain.root, [kSecTrustSettingsPolicy: "x"] as NSDictionary, errSecParam),
                (chain.root, [kSecTrustSettingsApplication: "x"] as NSDictionary, errSecUnimplemented),
            ]
            for (certificate, settings, status) in wrong {
                #expect(SecTrustSettingsSetTrustSettings(certificate, .user, settings) == status)
            }
            #expect(SecTrustSettingsSetTrustSettings(chain.root, .system, nil) == errSecReadOnly)
            #expect(SecTrustSettingsCopyCertificates(.user, nil) == errSecNoTrustSettings)
        }
        let memory = try IsolatedKeychain()
        memory.use { #expect(SecTrustSettingsSetTrustSettings(chain.root, .user, nil) == errSecNotAvailable) }
    }
}
