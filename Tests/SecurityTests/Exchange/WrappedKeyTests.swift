// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("Keys are wrapped under a passphrase")
struct WrappedKeyTests {
    private let workshop: ExchangeWorkshop

    init() throws {
        workshop = try ExchangeWorkshop()
    }

    private static let legacy = ["-provider", "legacy", "-provider", "default"]

    /// What a call says to the right passphrase, another, none, and an empty one.
    private func expectWrapped(_ data: Data, _ format: SecExternalFormat, isStream: Bool = false) throws {
        let imported = Exchange.importing(data, passphrase: "päss")
        #expect(imported.format == format)
        let key: SecKey = try Exchange.only(imported)
        let plain = try workshop.openssl("pkcs8", "-topk8", "-nocrypt", "-in", "k.key", "-outform", "DER")
        #expect(Exchange.exporting(key, .formatBSAFE).data == plain)
        let wrong = Exchange.importing(data, passphrase: "pass").status
        // A stream has no padding by which to tell, and other ones by chance.
        #expect(wrong == errSecAuthFailed || wrong == errSecDecode)
        #expect(Exchange.importing(data).status == errSecPassphraseRequired)
        #expect(Exchange.importing(data, passphrase: "").status == errSecPassphraseRequired)
        #expect(Exchange.importing(data, passphrase: 7).status == errSecInvalidPasswordRef)
        #expect(Exchange.importing(data, passphrase: Data("päss".utf8)).status == errSecSuccess)
    }

    @Test(
        "in PKCS#8, as openssl writes it",
        arguments: [
            ["-v2", "aes-256-cbc"], ["-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA1"], ["-v2", "des3"], ["-scrypt"],
            ["-v1", "PBE-SHA1-3DES"], ["-v1", "PBE-MD5-DES"], ["-v1", "PBE-SHA1-RC2-128"], ["-v1", "PBE-SHA1-RC4-128"],
        ])
    func pkcs8(_ options: [String]) throws {
        try workshop.makeKey("k")
        for form in ["DER", "PEM"] {
            let data = try workshop.run(
                ["pkcs8", "-topk8", "-in", "k.key", "-passout", "pass:päss", "-outform", form] + Self.legacy + options)
            try expectWrapped(data, .formatWrappedPKCS8)
        }
    }

    @Test("in the PEM of old", arguments: ["aes256", "des3", "des"])
    func oldPEM(_ cipher: String) throws {
        try workshop.makeKey("k", .rsa)
        let data = try workshop.run(
            ["rsa", "-in", "k.key", "-traditional", "-\(cipher)", "-passout", "pass:päss"] + Self.legacy)
        try expectWrapped(data, .formatWrappedOpenSSL)
        let key: SecKey = try Exchange.only(Exchange.importing(data, passphrase: "päss"))
        #expect(Exchange.exporting(key, .formatWrappedOpenSSL, passphrase: "p").status == errSecUnsupportedFormat)
    }

    @Test("in PKCS#8, as we write it", arguments: ExchangeWorkshop.Kind.allCases)
    func byUs(_ kind: ExchangeWorkshop.Kind) throws {
        try workshop.makeKey("k", kind)
        let key: SecKey = try Exchange.only(Exchange.importing(try workshop.read("k.key")))
        for flags in [SecItemImportExportFlags(), .pemArmour] {
            let data = try #require(
                Exchange.exporting(key, .formatWrappedPKCS8, passphrase: "päss", flags: flags).data)
            try expectWrapped(data, .formatWrappedPKCS8)
        }
        let der = try #require(Exchange.exporting(key, .formatWrappedPKCS8, passphrase: "päss").data)
        try workshop.write(der, to: "e.der")
        let listing = try workshop.text("asn1parse", "-inform", "DER", "-in", "e.der")
        for word in ["PBES2", "PBKDF2", "hmacWithSHA256", "aes-256-cbc"] { #expect(listing.contains(word)) }
    }

    @Test("what leaves a key open is not written when there is a passphrase, nor the reverse")
    func demands() throws {
        let key = try TestKey.made(kSecAttrKeyTypeEC, 256)
        for format in [SecExternalFormat.formatOpenSSL, .formatBSAFE, .formatUnknown] {
            #expect(Exchange.exporting(key, format, passphrase: "p").status == errSecParam)
        }
        for format in [SecExternalFormat.formatWrappedPKCS8, .formatPKCS12] {
            #expect(Exchange.exporting(key, format).status == errSecPassphraseRequired)
            #expect(Exchange.exporting(key, format, passphrase: "").status == errSecPassphraseRequired)
            #expect(Exchange.exporting(key, format, passphrase: "a\0b").status == errSecInvalidPasswordRef)
            #expect(Exchange.exporting(key, format, passphrase: "p").status == errSecSuccess)
        }
        // What is public needs none, and may have one given for the rest.
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(Exchange.exporting(publicKey, passphrase: "p").status == errSecSuccess)
    }

    @Test("a sensitive key leaves only so, one that is not extractable never")
    func terms() throws {
        let sensitive = try TestKey.made(kSecAttrKeyTypeEC, 256, [kSecAttrIsSensitive: true])
        for format in [SecExternalFormat.formatUnknown, .formatOpenSSL, .formatBSAFE, .formatPEMSequence] {
            #expect(Exchange.exporting(sensitive, format).status == errSecKeyIsSensitive)
            #expect(Llavero.lastFailure?.contains("wrapped") == true)
        }
        for format in [SecExternalFormat.formatWrappedPKCS8, .formatPKCS12, .formatPEMSequence] {
            #expect(Exchange.exporting(sensitive, format, passphrase: "p").status == errSecSuccess)
        }
        let kept = try TestKey.made(kSecAttrKeyTypeEC, 256, [kSecAttrIsExtractable: false])
        for format in [SecExternalFormat.formatOpenSSL, .formatBSAFE, .formatPEMSequence] {
            #expect(Exchange.exporting(kept, format).status == errSecDataNotAvailable)
        }
        for format in [SecExternalFormat.formatWrappedPKCS8, .formatPKCS12, .formatPEMSequence] {
            #expect(Exchange.exporting(kept, format, passphrase: "p").status == errSecDataNotAvailable)
        }
        #expect(Exchange.exporting(try #require(SecKeyCopyPublicKey(kept))).status == errSecSuccess)
        for (name, status) in [
            (kSecAttrIsSensitive, errSecKeyIsSensitive), (kSecAttrIsExtractable, errSecDataNotAvailable),
        ] {
            let key = try TestKey.made(kSecAttrKeyTypeAES, 128, [name: name == kSecAttrIsSensitive])
            #expect(Exchange.exporting(key).status == status)
        }
    }
}
