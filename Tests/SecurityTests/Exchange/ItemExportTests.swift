// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("SecItemExport writes what others read")
struct ItemExportTests {
    private let workshop: ExchangeWorkshop

    init() throws {
        workshop = try ExchangeWorkshop()
    }

    private func identity(_ name: String) throws -> SecIdentity {
        let key: SecKey = try Exchange.only(Exchange.importing(try workshop.read("\(name).key")))
        return try #require(SecIdentityCreate(nil, try workshop.certificate(name), key))
    }

    @Test("an identity and its chain in PKCS#12", arguments: [ExchangeWorkshop.Kind.rsa, .p256, .ed25519])
    func pkcs12(_ kind: ExchangeWorkshop.Kind) throws {
        try workshop.makeChain(kind)
        let items = try [identity("leaf"), workshop.certificate("middle"), workshop.certificate("root")] as NSArray
        let file = try #require(Exchange.exporting(items, .formatPKCS12, passphrase: "nöw").data)
        try workshop.write(file, to: "ours.p12")
        let information = try workshop.messages(
            "pkcs12", "-in", "ours.p12", "-passin", "pass:nöw", "-noenc", "-info", "-out", "ours.pem")
        for words in ["MAC: sha256", "PBES2, PBKDF2, AES-256-CBC, Iteration 100000, PRF hmacWithSHA256"] {
            #expect(information.contains(words))
        }
        #expect(
            try workshop.openssl("pkey", "-in", "ours.pem", "-outform", "DER")
                == workshop.openssl("pkey", "-in", "leaf.key", "-outform", "DER"))
        let all = String(decoding: try workshop.read("ours.pem"), as: UTF8.self)
        #expect(all.components(separatedBy: "BEGIN CERTIFICATE").count == 4)
        #expect(all.contains("friendlyName: leaf") && all.contains("localKeyID"))
        #expect(throws: CertificateMaker.Failure.self) {
            try workshop.openssl("pkcs12", "-in", "ours.p12", "-passin", "pass:now", "-noenc")
        }
        let read = try #require(Exchange.identities(file, "nöw").items?.first)
        #expect(read[kSecImportItemIdentity] as? SecIdentity == (try identity("leaf")))
        #expect((read[kSecImportItemCertChain] as? [SecCertificate])?.count == 3)
    }

    @Test("PKCS#12 as text")
    func armour() throws {
        let key = try TestKey.made(kSecAttrKeyTypeEC, 256)
        let text = try #require(Exchange.exporting(key, .formatPKCS12, passphrase: "p", flags: .pemArmour).data)
        #expect(text.starts(with: Data("-----BEGIN PKCS12-----\n".utf8)))
        let imported = Exchange.importing(text, passphrase: "p", flags: .pemArmour)
        #expect(imported.format == .formatPKCS12)
        let read: SecKey = try Exchange.only(imported)
        #expect(read == key)
        #expect(Exchange.importing(text + text, passphrase: "p").status == errSecUnsupportedFormat)
    }

    @Test("an identity in PEM: its certificate and its key, which a passphrase encrypts")
    func sequence() throws {
        try workshop.make("leaf")
        let identity = try identity("leaf")
        let certificate = try workshop.read("leaf.pem")
        let plain = try #require(Exchange.exporting(identity).data)
        let own = try workshop.openssl("pkey", "-in", "leaf.key", "-traditional")
        #expect(plain == certificate + own)
        #expect(Exchange.exporting(identity, .formatPEMSequence, flags: .pemArmour).data == plain)
        let wrapped = try #require(Exchange.exporting(identity, passphrase: "p").data)
        #expect(wrapped.starts(with: certificate))
        try workshop.write(wrapped, to: "ours.pem")
        let key = try workshop.openssl("pkey", "-in", "ours.pem", "-passin", "pass:p", "-traditional")
        #expect(key == own)
        #expect(Exchange.importing(wrapped, passphrase: "p").items?.count == 2)
    }

    @Test("one thing that comes twice is written once")
    func twice() throws {
        let certificate = try workshop.make("leaf")
        let identity = try identity("leaf")
        let once = try #require(Exchange.exporting(identity).data)
        #expect(Exchange.exporting([identity, certificate, identity] as NSArray).data == once)
        #expect(Exchange.exporting([certificate, certificate] as NSArray, .formatX509Cert).status == errSecSuccess)
    }

    @Test("a format holds what it is for, and nothing else is written in it")
    func matrix() throws {
        let certificate = try workshop.make("leaf")
        let identity = try identity("leaf")
        let key = try TestKey.made(kSecAttrKeyTypeEC, 256)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let rsa = try #require(SecKeyCopyPublicKey(try TestKey.made(kSecAttrKeyTypeRSA, 1024)))
        let secret = try TestKey.made(kSecAttrKeyTypeAES, 256)
        typealias Format = SecExternalFormat
        let rows: [(CFTypeRef, open: Set<Format>, wrapped: Set<Format>)] = [
            (certificate, [.formatX509Cert, .formatPKCS7, .formatPEMSequence], [.formatPKCS12]),
            (identity, [.formatPEMSequence], [.formatPKCS12]),
            (key, [.formatOpenSSL, .formatBSAFE, .formatPEMSequence], [.formatWrappedPKCS8, .formatPKCS12]),
            (publicKey, [.formatOpenSSL, .formatPEMSequence], []),
            (rsa, [.formatOpenSSL, .formatBSAFE, .formatPEMSequence], []), (secret, [.formatRawKey], []),
            ([certificate, key] as NSArray, [.formatPEMSequence], [.formatPKCS12]),
            ([publicKey, rsa] as NSArray, [.formatPEMSequence], []),
        ]
        for (object, open, wrapped) in rows {
            for format in Format.allCases {
                let isOpen = open.contains(format) || format == .formatUnknown
                let unwrapped = Exchange.exporting(object, format)
                let expected =
                    isOpen
                    ? errSecSuccess : wrapped.contains(format) ? errSecPassphraseRequired : errSecUnsupportedFormat
                // Whether there is a passphrase is asked before what would be encrypted under it.
                #expect(
                    unwrapped.status == expected
                        || unwrapped.status == errSecPassphraseRequired
                            && format == .formatPKCS12,
                    "\(format)")
                #expect((unwrapped.data != nil) == isOpen)
                if let data = unwrapped.data, format != .formatRawKey, object !== secret {
                    #expect(Exchange.importing(data).status == errSecSuccess, "\(format)")
                }
                guard wrapped.contains(format) else { continue }
                let data = try #require(Exchange.exporting(object, format, passphrase: "p").data)
                #expect(Exchange.importing(data, passphrase: "p").status == errSecSuccess, "\(format)")
            }
            #expect(Exchange.exporting(object, .formatPKCS12, passphrase: "p").data != nil || wrapped.isEmpty)
        }
        #expect(Exchange.exporting(secret, flags: .pemArmour).status == errSecUnsupportedFormat)
    }

    @Test("nothing, and what is neither key nor certificate, is refused")
    func refused() throws {
        for object in [[] as NSArray, "key" as NSString, [Data()] as NSArray, NSNull(), SecPolicyCreateBasicX509()] {
            #expect(Exchange.exporting(object).status == errSecParam)
        }
        let many = (0..<1001).map { _ in SecPolicyCreateBasicX509() } as NSArray
        #expect(Exchange.exporting(many).status == errSecParam)
    }

    @Test("the data of a key says nothing when it is printed")
    func description() throws {
        var data: CFData?
        let key = try TestKey.made(kSecAttrKeyTypeEC, 256)
        #expect(SecItemExport(key, .formatBSAFE, [], nil, &data) == errSecSuccess)
        #expect("\(try #require(data))".contains("redacted"))
    }
}
