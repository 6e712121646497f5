// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("SecItemImport finds out what a file is")
struct ItemImportTests {
    private let workshop: ExchangeWorkshop

    init() throws {
        workshop = try ExchangeWorkshop()
        try workshop.makeChain()
    }

    private func leaf(_ form: String) throws -> Data {
        try workshop.openssl("x509", "-in", "leaf.pem", "-outform", form)
    }

    @Test("a certificate in DER and PEM, with text around it and lines of any end")
    func certificates() throws {
        let pem = try leaf("PEM")
        let windows = Data(String(decoding: pem, as: UTF8.self).replacingOccurrences(of: "\n", with: "\r\n").utf8)
        let talkative = try workshop.openssl("x509", "-in", "leaf.pem", "-text")
        for data in [try leaf("DER"), pem, windows, talkative, Data("Dear all,\n\n".utf8) + pem + Data("\nBye".utf8)] {
            let imported = Exchange.importing(data)
            #expect(imported.format == .formatX509Cert && imported.type == .itemTypeCertificate)
            let certificate: SecCertificate = try Exchange.only(imported)
            #expect(certificate == (try workshop.certificate("leaf")))
        }
    }

    @Test("a row of keys and certificates in PEM, in its order")
    func sequence() throws {
        let parameters = try workshop.openssl("ecparam", "-name", "prime256v1", "-genkey")
        let publicKey = try workshop.openssl("pkey", "-in", "leaf.key", "-pubout")
        let text = try workshop.read("leaf.key") + leaf("PEM") + workshop.read("others.pem") + publicKey + parameters
        let imported = Exchange.importing(text)
        #expect(imported.status == errSecSuccess)
        #expect(imported.format == .formatPEMSequence && imported.type == .itemTypeAggregate)
        let items = try #require(imported.items)
        let kinds = items.map { CFGetTypeID($0) }
        let (key, certificate) = (SecKeyGetTypeID(), SecCertificateGetTypeID())
        #expect(kinds == [key, certificate, certificate, certificate, key, key])
        #expect(
            SecIdentityCreate(nil, try #require(items[1] as? SecCertificate), try #require(items[0] as? SecKey)) != nil)
    }

    @Test("certificates in PKCS#7, and ours openssl reads")
    func pkcs7() throws {
        for form in ["DER", "PEM"] {
            let data = try workshop.openssl(
                "crl2pkcs7", "-nocrl", "-certfile", "leaf.pem", "-certfile", "others.pem", "-outform", form)
            let imported = Exchange.importing(data)
            #expect(imported.format == .formatPKCS7 && imported.type == .itemTypeAggregate)
            let items = try #require(imported.items)
            #expect(Set(items.compactMap { $0 as? SecCertificate }).count == 3 && items.count == 3)
            let flags: SecItemImportExportFlags = form == "PEM" ? .pemArmour : []
            let ours = try #require(Exchange.exporting(items as NSArray, .formatPKCS7, flags: flags).data)
            try workshop.write(ours, to: "ours.p7b")
            let text = try workshop.text("pkcs7", "-in", "ours.p7b", "-inform", form, "-print_certs")
            #expect(text.components(separatedBy: "BEGIN CERTIFICATE").count == 4)
        }
        // Signed data with something signed in it holds certificates as well.
        try workshop.write(Data("text".utf8), to: "text")
        let signed = try workshop.openssl(
            "cms", "-sign", "-in", "text", "-signer", "leaf.pem", "-inkey", "leaf.key", "-outform", "DER", "-nodetach")
        let certificate: SecCertificate = try Exchange.only(Exchange.importing(signed))
        #expect(certificate == (try workshop.certificate("leaf")))
    }

    @Test("PKCS#12: identities, the other certificates, and keys that have none")
    func pkcs12() throws {
        let imported = Exchange.importing(try workshop.pkcs12(), passphrase: "secret")
        #expect(imported.format == .formatPKCS12 && imported.type == .itemTypeAggregate)
        let items = try #require(imported.items)
        #expect(items.map { CFGetTypeID($0) }.sorted() == [102, 102, 103])
        #expect(Exchange.importing(try workshop.pkcs12()).status == errSecPassphraseRequired)
        #expect(Exchange.importing(try workshop.pkcs12(), passphrase: "x").status == errSecPkcs12VerifyFailure)
        let key = try workshop.openssl(
            "pkcs12", "-export", "-nocerts", "-inkey", "leaf.key", "-passout", "pass:secret")
        let _: SecKey = try Exchange.only(Exchange.importing(key, passphrase: "secret"))
        let text = Data("-----BEGIN PKCS12-----\n\(key.base64EncodedString())\n-----END PKCS12-----\n".utf8)
        #expect(Exchange.importing(text, passphrase: "secret").format == .formatPKCS12)
    }

    @Test("what is said about the file has to be right")
    func expectations() throws {
        let (der, pem) = (try leaf("DER"), try leaf("PEM"))
        for format in SecExternalFormat.allCases {
            let unsupported: [SecExternalFormat] = [
                .formatSSH, .formatSSHv2, .formatWrappedSSH, .formatWrappedLSH, .formatNetscapeCertSequence,
            ]
            let expected =
                unsupported.contains(format)
                ? errSecUnsupportedFormat
                : [.formatUnknown, .formatX509Cert].contains(format) ? errSecSuccess : errSecDecode
            #expect(Exchange.importing(der, format).status == expected)
            #expect(Exchange.importing(pem, format).status == (format == .formatPEMSequence ? errSecSuccess : expected))
        }
        #expect(Exchange.importing(pem, .formatPEMSequence).format == .formatPEMSequence)
        #expect(Exchange.importing(pem, .formatUnknown, .itemTypeCertificate).status == errSecSuccess)
        #expect(Exchange.importing(pem, .formatUnknown, .itemTypeAggregate).type == .itemTypeCertificate)
        #expect(Exchange.importing(pem, .formatUnknown, .itemTypePrivateKey).status == errSecDecode)
        #expect(Exchange.importing(der, flags: .pemArmour).status == errSecDecode)
        #expect(Exchange.importing(pem, flags: .pemArmour).status == errSecSuccess)
        #expect(Exchange.importing(pem, flags: SecItemImportExportFlags(rawValue: 2)).status == errSecParam)
        let key = try workshop.read("leaf.key")
        #expect(Exchange.importing(key, .formatOpenSSL).format == .formatBSAFE)
        #expect(Exchange.importing(key, .formatWrappedPKCS8).status == errSecDecode)
    }

    @Test("a broken file is one that its name or its format says it is, or of an unknown format")
    func names() throws {
        let broken = try leaf("DER").dropLast()
        #expect(Exchange.importing(broken).status == errSecUnknownFormat)
        #expect(Exchange.importing(broken, name: "notes.txt").status == errSecUnknownFormat)
        for name in ["a.cer", ".DER", "b.c.p12", "pem"] {
            #expect(Exchange.importing(broken, name: name).status == errSecDecode)
        }
        #expect(Exchange.importing(broken, .formatX509Cert).status == errSecDecode)
        #expect(Exchange.importing(Data()).status == errSecDecode)
        #expect(Exchange.importing(try leaf("DER"), name: "a.p12").status == errSecSuccess)
    }

    @Test("what stands in a text beside keys and certificates is refused, and so is OpenSSH")
    func others() throws {
        let request = try workshop.read("leaf.csr")
        #expect(Exchange.importing(try workshop.read("leaf.pem") + request).status == errSecUnsupportedFormat)
        let trusted = try workshop.openssl("x509", "-in", "leaf.pem", "-trustout", "-addtrust", "serverAuth")
        #expect(Exchange.importing(trusted).status == errSecUnsupportedFormat)
        for text in [
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA me@here", "ecdsa-sha2-nistp256 AAAA x",
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----",
        ] {
            #expect(Exchange.importing(Data(text.utf8)).status == errSecUnsupportedFormat)
            #expect(Llavero.lastFailure?.contains("ssh-keygen") == true)
        }
        let parameters = try workshop.openssl("ecparam", "-name", "prime256v1")
        #expect(Exchange.importing(parameters).status == errSecDecode)
    }
}
