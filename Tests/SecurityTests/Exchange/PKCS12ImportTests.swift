// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("SecPKCS12Import reads identities")
struct PKCS12ImportTests {
    private let workshop: ExchangeWorkshop

    init() throws {
        workshop = try ExchangeWorkshop()
    }

    private static let legacy = ["-provider", "legacy", "-provider", "default"]
    // AES and HMAC-SHA256, as written today; RC2 and 3DES, as long ago; everything in between.
    static let writings: [[String]] = [
        [], ["-legacy"], ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"] + legacy,
        ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-RC2-40"] + legacy,
        ["-certpbe", "PBE-SHA1-RC4-128"] + legacy,
        ["-keypbe", "NONE", "-certpbe", "NONE"], ["-keypbe", "AES-128-CBC", "-macalg", "sha512"], ["-noiter"],
    ]

    private func expectIdentity(_ dictionary: NSDictionary) throws {
        let identity = try #require(dictionary[kSecImportItemIdentity] as? SecIdentity)
        var (certificate, key): (SecCertificate?, SecKey?) = (nil, nil)
        SecIdentityCopyCertificate(identity, &certificate)
        SecIdentityCopyPrivateKey(identity, &key)
        let leaf = try workshop.certificate("leaf")
        #expect(certificate == leaf)
        let publicKey = try #require(SecCertificateCopyKey(leaf))
        #expect(try #require(key).isPrivateHalf(of: publicKey))

        #expect(dictionary[kSecImportItemLabel] as? String == "Jürgen")
        let chain = try #require(dictionary[kSecImportItemCertChain] as? [SecCertificate])
        #expect(chain == [leaf, try workshop.certificate("middle"), try workshop.certificate("root")])
        let hash = SecKeyCopyAttributes(publicKey)?[kSecAttrApplicationLabel] as? Data
        // openssl takes the fingerprint of the certificate for it; another writer's own identifier counts as well.
        #expect((dictionary[kSecImportItemKeyID] as? Data)?.count == hash?.count)

        let trust = try #require(dictionary[kSecImportItemTrust] as? SecTrust)
        SecTrustSetVerifyDate(trust, NSDate(timeIntervalSinceNow: 5))
        #expect(!SecTrustEvaluateWithError(trust, nil))
        SecTrustSetAnchorCertificates(trust, [chain[2]] as NSArray)
        #expect(SecTrustEvaluateWithError(trust, nil))
    }

    @Test("as openssl writes it, today and long ago", arguments: writings)
    func readings(_ options: [String]) throws {
        try workshop.makeChain()
        let file = try workshop.pkcs12(options)
        let imported = Exchange.identities(file)
        #expect(imported.status == errSecSuccess, "\(Llavero.lastFailure ?? "")")
        try expectIdentity(try #require(imported.items?.first))
        #expect(imported.items?.count == 1)
        for wrong in ["", "Secret", "secret "] as [Any] + [Data("x".utf8)] {
            #expect(Exchange.identities(file, wrong).status == errSecAuthFailed)
        }
    }

    @Test("of every kind of key that signs", arguments: ExchangeWorkshop.Kind.allCases)
    func kinds(_ kind: ExchangeWorkshop.Kind) throws {
        try workshop.makeChain(kind)
        try expectIdentity(try #require(Exchange.identities(try workshop.pkcs12()).items?.first))
    }

    @Test("under an empty passphrase, a long one, one beyond ASCII, and one given as data")
    func passphrases() throws {
        try workshop.makeChain()
        for passphrase in ["", "ß€𝄞", String(repeating: "x", count: 900)] {
            let file = try workshop.pkcs12(passphrase: passphrase)
            #expect(Exchange.identities(file, passphrase).status == errSecSuccess)
            #expect(Exchange.identities(file, Data(passphrase.utf8)).status == errSecSuccess)
        }
    }

    @Test("several identities, each with its chain")
    func several() throws {
        try workshop.makeChain()
        try workshop.make("second", .rsa)
        let first = try workshop.openssl("pkey", "-in", "leaf.key")
        try workshop.write(first + workshop.read("second.key"), to: "keys.pem")
        let chain = try workshop.read("second.pem") + workshop.read("leaf.pem") + workshop.read("others.pem")
        let items = try workshop.identityObjects(keys: "keys.pem", certificates: chain)
        let file = try #require(Exchange.exporting(items as NSArray, .formatPKCS12, passphrase: "p").data)
        let read = try #require(Exchange.identities(file, "p").items)
        #expect(read.count == 2)
        let chains = read.compactMap { ($0[kSecImportItemCertChain] as? [SecCertificate])?.count }
        #expect(chains == [3, 1])
        #expect(read.compactMap { $0[kSecImportItemLabel] as? String } == ["leaf", "second"])
    }

    @Test("none where there is a certificate alone, or a key alone")
    func noIdentity() throws {
        try workshop.makeChain()
        let certificates = try workshop.openssl(
            "pkcs12", "-export", "-nokeys", "-in", "leaf.pem", "-passout", "pass:secret")
        let key = try workshop.openssl(
            "pkcs12", "-export", "-nocerts", "-inkey", "leaf.key", "-passout", "pass:secret")
        for file in [certificates, key] {
            let imported = Exchange.identities(file)
            #expect(imported.status == errSecSuccess)
            #expect(imported.items?.isEmpty == true)
        }
    }

    // SecImportExport.c collects what p12decode found by the key's identifier, so the second one is the first again.
    @Test("an identity that stands twice in the file comes out once")
    func twice() throws {
        try workshop.makeChain()
        let imported = try #require(Exchange.identities(try workshop.pkcs12()).items?.first)
        let identity = try #require(imported[kSecImportItemIdentity] as? SecIdentity)
        let exported = Exchange.exporting([identity, identity] as NSArray, .formatPKCS12, passphrase: "secret")
        #expect(exported.status == errSecSuccess, "\(Llavero.lastFailure ?? "")")
        let again = Exchange.identities(try #require(exported.data))
        #expect(again.status == errSecSuccess && again.items?.count == 1)
        #expect(again.items?.first?[kSecImportItemIdentity] as? SecIdentity == identity)
    }

    @Test("a file under an empty passphrase is read without one")
    func withoutPassphrase() throws {
        try workshop.makeChain()
        let file = try workshop.pkcs12(passphrase: "")
        #expect(Exchange.identities(file, nil).status == errSecSuccess)
        #expect(Exchange.identities(file, "").status == errSecSuccess)
        #expect(Exchange.identities(file, "x").status == errSecAuthFailed)
    }

    @Test("options that are missing, wrong, or contradict each other are refused")
    func options() throws {
        try workshop.makeChain()
        let file = try workshop.pkcs12()
        let rows: [([CFString: Any], OSStatus)] = [
            ([kSecImportToMemoryOnly: true], errSecSuccess), ([kSecUseDataProtectionKeychain: false], errSecSuccess),
            ([kSecUseDataProtectionKeychain: true, kSecImportToMemoryOnly: true], errSecSuccess),
            ([kSecImportToMemoryOnly: "yes"], errSecParam), ([kSecImportToMemoryOnly: 2], errSecParam),
            ([kSecImportExportKeychain: "login"], errSecParam), ([kSecImportExportAccess: "x"], errSecNoSuchAttr),
            ([kSecImportExportKeychain: Exchange.keychain as Any, kSecImportToMemoryOnly: true], errSecParam),
            ([kSecAttrAccessible: kSecAttrAccessibleAlways], errSecParam), (["colour": "red"], errSecParam),
        ]
        for (options, status) in rows { #expect(Exchange.identities(file, "secret", options).status == status) }
        // SecImportExport.c takes none as an empty one.
        #expect(Exchange.identities(file, nil).status == errSecAuthFailed)
        for wrong in [7, NSNull(), ["secret"]] as [Any] {
            #expect(Exchange.identities(file, wrong).status == errSecInvalidPasswordRef)
        }
        #expect(Exchange.identities(file, "sec\0ret").status == errSecInvalidPasswordRef)
        #expect(Exchange.identities(file, String(repeating: "x", count: 1 << 17)).status == errSecInvalidPasswordRef)
    }

    @Test("a file that nothing protects from change is refused")
    func unprotected() throws {
        try workshop.makeChain()
        #expect(Exchange.identities(try workshop.pkcs12(["-nomac"])).status == errSecAuthFailed)
        #expect(Llavero.lastFailure?.contains("MAC") == true)
    }
}

extension ExchangeWorkshop {
    /// The keys in a file of PEM, and certificates.
    fileprivate func identityObjects(keys: String, certificates: Data) throws -> [AnyObject] {
        let all = Exchange.importing(try read(keys) + certificates)
        #expect(all.status == errSecSuccess && all.type == .itemTypeAggregate)
        return try #require(all.items)
    }
}
