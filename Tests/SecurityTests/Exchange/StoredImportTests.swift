// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("What is imported goes into the keychain, all of it or nothing")
struct StoredImportTests {
    private let workshop: ExchangeWorkshop
    private let keychain: IsolatedKeychain
    private let file: Data

    init() throws {
        workshop = try ExchangeWorkshop()
        keychain = try IsolatedKeychain(.inMemory)
        try workshop.makeChain()
        file = try workshop.pkcs12()
    }

    private func count(_ itemClass: CFString) -> Int {
        let query: [CFString: Any] = [
            kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
        ]
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return 0 }
        return (result as? [NSDictionary])?.count ?? 0
    }

    private func found(_ itemClass: CFString, _ more: [CFString: Any] = [:]) -> AnyObject? {
        var query: [CFString: Any] = [kSecClass: itemClass, kSecReturnRef: true]
        query.merge(more) { $1 }
        var result: CFTypeRef?
        return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess ? result : nil
    }

    @Test("nothing of PKCS#12 is stored unless an option says so")
    func inMemory() throws {
        keychain.use {
            for options in [[:], [kSecImportToMemoryOnly: true], [kSecUseDataProtectionKeychain: false]]
                as [[CFString: Any]]
            {
                #expect(Exchange.identities(file, "secret", options).status == errSecSuccess)
            }
            #expect(count(kSecClassKey) == 0 && count(kSecClassCertificate) == 0)
        }
    }

    @Test("an identity of PKCS#12 is found again", arguments: 0..<3)
    func stored(_ index: Int) throws {
        try keychain.use {
            var options: [CFString: Any] = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly]
            switch index {
            case 0: options[kSecImportToMemoryOnly] = false
            case 1: options[kSecUseDataProtectionKeychain] = true
            default: options[kSecImportExportKeychain] = Exchange.keychain
            }
            let items = try #require(Exchange.identities(file, "secret", options).items)
            let imported = try #require(items.first?[kSecImportItemIdentity] as? SecIdentity)
            #expect(found(kSecClassIdentity) as? SecIdentity == imported)
            #expect(found(kSecClassIdentity, [kSecAttrLabel: "Jürgen"]) as? SecIdentity == imported)
            // The other certificates are in the chain, and not stored.
            #expect(count(kSecClassCertificate) == 1 && count(kSecClassKey) == 1)
            #expect(found(kSecClassKey, [kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly]) != nil)
            #expect(Exchange.identities(file, "secret", options).status == errSecDuplicateItem)
        }
    }

    @Test("what was there stays, and the rest is added")
    func partly() throws {
        try keychain.use {
            let certificate = try workshop.certificate("leaf")
            let query: [CFString: Any] = [kSecValueRef: certificate, kSecAttrLabel: "before"]
            #expect(SecItemAdd(query as CFDictionary, nil) == errSecSuccess)
            #expect(Exchange.identities(file, "secret", [kSecImportToMemoryOnly: false]).status == errSecSuccess)
            #expect(found(kSecClassCertificate, [kSecAttrLabel: "before"]) as? SecCertificate == certificate)
            #expect(found(kSecClassIdentity) is SecIdentity)
        }
    }

    @Test("keys and certificates of a text")
    func text() throws {
        try keychain.use {
            let text = try workshop.read("leaf.key") + workshop.read("leaf.pem") + workshop.read("others.pem")
            let imported = Exchange.importing(text, keychain: Exchange.keychain)
            #expect(imported.status == errSecSuccess && imported.items?.count == 4)
            #expect(count(kSecClassCertificate) == 3 && count(kSecClassKey) == 1)
            #expect(found(kSecClassIdentity) is SecIdentity)
            #expect(Exchange.importing(text, keychain: Exchange.keychain).status == errSecDuplicateItem)
        }
    }

    @Test("without the attribute of permanent keys certificates alone are stored")
    func permanence() throws {
        try keychain.use {
            let text = try workshop.read("leaf.key") + workshop.read("leaf.pem")
            let attributes = [kSecAttrIsExtractable] as NSArray
            let imported = withExtendedLifetime(attributes) {
                Exchange.importing(text, keychain: Exchange.keychain) {
                    $0.keyAttributes = Unmanaged.passUnretained(attributes)
                }
            }
            #expect(imported.status == errSecSuccess)
            #expect(count(kSecClassCertificate) == 1 && count(kSecClassKey) == 0)
        }
    }

    @Test("when one cannot be stored, none is, and what was there before stays")
    func undone() throws {
        try keychain.use {
            let certificate = try workshop.certificate("leaf")
            #expect(SecItemAdd([kSecValueRef: certificate] as [CFString: Any] as CFDictionary, nil) == errSecSuccess)
            let options: [CFString: Any] = [kSecImportToMemoryOnly: false, kSecAttrAccessGroup: "somebody.else"]
            #expect(Exchange.identities(file, "secret", options).status == errSecMissingEntitlement)
            #expect(count(kSecClassCertificate) == 1 && count(kSecClassKey) == 0)
            #expect(Exchange.identities(file, "wrong", [kSecImportToMemoryOnly: false]).status == errSecAuthFailed)
            #expect(count(kSecClassKey) == 0)
        }
    }

    @Test("a key keeps what was laid down about it")
    func terms() throws {
        try keychain.use {
            let attributes = [kSecAttrIsPermanent, kSecAttrIsSensitive, kSecAttrIsExtractable] as NSArray
            let key = try workshop.read("leaf.key")
            let imported = withExtendedLifetime(attributes) {
                Exchange.importing(key, keychain: Exchange.keychain) {
                    $0.keyAttributes = Unmanaged.passUnretained(attributes)
                }
            }
            #expect(imported.status == errSecSuccess)
            let stored = try #require(found(kSecClassKey))
            #expect(Exchange.exporting(stored).status == errSecKeyIsSensitive)
            let wrapped = try #require(Exchange.exporting(stored, .formatWrappedPKCS8, passphrase: "p").data)
            try workshop.write(wrapped, to: "e.der")
            let read = try workshop.openssl(
                "pkcs8", "-inform", "DER", "-in", "e.der", "-passin", "pass:p", "-topk8", "-nocrypt", "-outform", "DER")
            #expect(read == (try workshop.openssl("pkcs8", "-topk8", "-nocrypt", "-in", "leaf.key", "-outform", "DER")))
            #expect(Exchange.exporting(stored, .formatPKCS12, passphrase: "p").status == errSecSuccess)
            let enclave: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            ]
            for isPermanent in [true, false] {
                var parameters = enclave
                parameters[kSecPrivateKeyAttrs] = [kSecAttrIsPermanent: isPermanent]
                let kept = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
                for format in [SecExternalFormat.formatWrappedPKCS8, .formatPKCS12] {
                    #expect(Exchange.exporting(kept, format, passphrase: "p").status == errSecDataNotAvailable)
                }
            }
            let fixed: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrIsPermanent: true,
                kSecAttrIsExtractable: false,
            ]
            let inside = try #require(SecKeyCreateRandomKey(fixed as CFDictionary, nil))
            #expect(Exchange.exporting(inside, .formatPKCS12, passphrase: "p").status == errSecDataNotAvailable)
        }
    }

    @Test("a stored identity is exported and read by openssl")
    func exported() throws {
        try keychain.use {
            #expect(Exchange.identities(file, "secret", [kSecImportToMemoryOnly: false]).status == errSecSuccess)
            let identity = try #require(found(kSecClassIdentity))
            let data = try #require(Exchange.exporting(identity, .formatPKCS12, passphrase: "p").data)
            try workshop.write(data, to: "ours.p12")
            let text = try workshop.text("pkcs12", "-in", "ours.p12", "-passin", "pass:p", "-noenc")
            #expect(text.contains("BEGIN PRIVATE KEY") && text.contains("BEGIN CERTIFICATE"))
        }
    }
}
