// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("A request for a certificate is signed by a key wherever it is kept")
struct CertificateRequestTests {
    private let workshop: ExchangeWorkshop
    private typealias Request = Llavero.CertificateRequest

    init() throws {
        workshop = try ExchangeWorkshop()
    }

    private static var types: [(CFString, Int, String)] {
        [
            (kSecAttrKeyTypeRSA, 2048, "sha256WithRSAEncryption"), (kSecAttrKeyTypeEC, 256, "ecdsa-with-SHA256"),
            (kSecAttrKeyTypeEC, 384, "ecdsa-with-SHA384"), (kSecAttrKeyTypeEC, 521, "ecdsa-with-SHA512"),
            (kSecAttrKeyTypeEd25519, 256, "ED25519"),
        ]
    }

    /// What openssl says of a request, after it has verified it.
    private func listing(_ der: Data) throws -> String {
        try workshop.write(der, to: "request.der")
        // Its exit status does not tell.
        let verdict = try workshop.messages("req", "-in", "request.der", "-inform", "DER", "-verify", "-noout")
        #expect(verdict.contains("verify OK"))
        return try workshop.text(
            "req", "-in", "request.der", "-inform", "DER", "-noout", "-text", "-nameopt", "utf8,sep_comma_plus")
    }

    @Test("openssl verifies it and reads what was put in", arguments: 0..<5)
    func readings(_ index: Int) throws {
        let (type, bits, algorithm) = Self.types[index]
        let key = try TestKey.made(type, bits, [kSecAttrIsExtractable: false])
        var request = Request(
            subject: [
                .country("DE"), .stateOrProvince("Hessen"), .locality("Köln"), .organization("Müller & Söhne"),
                .organizationalUnit("IT"), .domainComponent("example"), .commonName("www.example.com"),
                .serialNumber("A-7"), .emailAddress("a@example.com"), .other(objectIdentifier: "2.5.4.12", "Dr."),
            ],
            alternativeNames: [
                .dns("www.example.com"), .dns("*.example.org"), .email("b@example.com"), .uri("https://example.com/x"),
                .address("192.0.2.7"), .address("2001:db8::7"),
            ])
        request.keyUsage = [.digitalSignature, .keyAgreement, .decipherOnly]
        request.purposes = [
            .serverAuthentication, .clientAuthentication, .other(objectIdentifier: "1.3.6.1.5.5.7.3.17"),
        ]
        let der = try request.der(signedBy: key)
        let text = try listing(der)
        for words in [
            "C=DE,ST=Hessen,L=Köln,O=Müller & Söhne,OU=IT,DC=example,CN=www.example.com", "serialNumber=A-7",
            "emailAddress=a@example.com", "title=Dr.", "DNS:www.example.com, DNS:*.example.org, email:b@example.com",
            "URI:https://example.com/x, IP Address:192.0.2.7, IP Address:2001:DB8:0:0:0:0:0:7",
            "Digital Signature, Key Agreement, Decipher Only", "TLS Web Server Authentication", algorithm,
        ] { #expect(text.contains(words), "\(words)") }
        let published = try workshop.openssl("req", "-in", "request.der", "-inform", "DER", "-pubkey", "-noout")
        let read: SecKey = try Exchange.only(Exchange.importing(published))
        #expect(read == SecKeyCopyPublicKey(key))
        try workshop.write(Data(try request.pem(signedBy: key).utf8), to: "request.pem")
        #expect(try workshop.messages("req", "-in", "request.pem", "-verify", "-noout").contains("verify OK"))
    }

    @Test("a certificate issued for it makes an identity with its key")
    func issued() throws {
        try workshop.make("root")
        let key = try TestKey.made(kSecAttrKeyTypeEC, 256)
        try workshop.write(
            Data(try Request(subject: [.commonName("leaf")]).pem(signedBy: key).utf8), to: "leaf.csr")
        try workshop.openssl(
            "x509", "-req", "-in", "leaf.csr", "-CA", "root.pem", "-CAkey", "root.key", "-out", "leaf.pem")
        let certificate = try workshop.certificate("leaf")
        #expect(SecIdentityCreate(nil, certificate, key) != nil)
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "leaf")
    }

    @Test("by keys whose bytes nobody has: the enclave's, and stored ones that are not extractable")
    func keptKeys() throws {
        let keychain = try IsolatedKeychain(.inMemory)
        try keychain.use {
            for more in [[kSecAttrTokenID: kSecAttrTokenIDSecureEnclave], [kSecAttrIsExtractable: false]] {
                let key = try TestKey.made(
                    kSecAttrKeyTypeEC, 256, (more as [CFString: Any]).merging([kSecAttrIsPermanent: true]) { $1 })
                let request = try Request(subject: [.commonName("kept")]).der(signedBy: key)
                #expect(try listing(request).contains("ecdsa-with-SHA256"))
            }
        }
    }

    @Test("without a subject the names are critical; without anything it is a request still")
    func bare() throws {
        let key = try TestKey.made(kSecAttrKeyTypeEC, 256)
        let named = Request(subject: [], alternativeNames: [.dns("a.example")])
        #expect(try listing(named.der(signedBy: key)).contains("Subject Alternative Name: critical"))
        #expect(try listing(Request(subject: []).der(signedBy: key)).contains("Subject:"))
    }

    @Test("for an authority, with and without a bound on those under it")
    func authorities() throws {
        let key = try TestKey.made(kSecAttrKeyTypeEC, 256)
        var request = Request(subject: [.commonName("root")], keyUsage: [.keyCertSign, .crlSign])
        for (length, words) in [(nil, "CA:TRUE\n"), (0, "CA:TRUE, pathlen:0"), (200, "CA:TRUE, pathlen:200")]
            as [(UInt8?, String)]
        {
            request.authority = .init(pathLength: length)
            let text = try listing(request.der(signedBy: key))
            #expect(text.contains(words) && text.contains("Basic Constraints: critical"))
        }
        let parameters = [kSecCSRBasicConstraintsPathLen: 1] as [CFString: Any] as CFDictionary
        let made = try #require(SecGenerateCertificateRequest([[["CN", "root"]]], parameters, nil, key))
        #expect(try listing(made as Data).contains("CA:TRUE, pathlen:1"))
    }

    @Test("names that cannot be written, and keys that cannot sign, are refused")
    func refused() throws {
        let key = try TestKey.made(kSecAttrKeyTypeEC, 256)
        let subjects: [Request.SubjectPart] = [
            .commonName(""), .commonName("a\0b"), .country("Germany"), .country("1x"), .emailAddress("ü@example.com"),
            .other(objectIdentifier: "title", "Dr."), .other(objectIdentifier: "2.5.4.012", "Dr."),
        ]
        let names: [Request.AlternativeName] = [
            .dns(""), .dns("köln.example"), .dns("a b"), .email("a\0@b"), .address("192.0.2"), .address("300.0.0.1"),
            .address("1.2.3.4\0"), .address(""), .address("::g"),
        ]
        var requests =
            subjects.map { Request(subject: [$0]) } + names.map { Request(subject: [], alternativeNames: [$0]) }
        requests.append(Request(subject: [], keyUsage: SecKeyUsage(rawValue: 1 << 9)))
        requests.append(Request(subject: [], purposes: [.other(objectIdentifier: "3.1")]))
        for request in requests {
            let error = #expect(throws: LlaveroError.self) { try request.der(signedBy: key) }
            #expect(error?.status == errSecParam)
        }
        let mute = try TestKey.made(kSecAttrKeyTypeEC, 256, [kSecAttrCanSign: false])
        for key in [
            try TestKey.made(kSecAttrKeyTypeX25519, 256), try TestKey.made(kSecAttrKeyTypeAES, 128), mute,
            try #require(SecKeyCopyPublicKey(key)), try TestKey.made(kSecAttrKeyTypeEd448, 448),
        ] {
            #expect(throws: LlaveroError.self) { try Request(subject: []).pem(signedBy: key) }
        }
    }

    @Test("Apple's function makes the same")
    func appleFunction() throws {
        let key = try TestKey.made(kSecAttrKeyTypeRSA, 2048)
        let subject =
            [
                [[kSecOidCountryName, "ES"]], [[kSecOidOrganization, "Llavero"]], [["2.5.4.3" as NSString, "Ana"]],
            ] as NSArray
        let parameters: [CFString: Any] = [
            kSecSubjectAltName: [kSecSubjectAltNameDNSName: ["a.example", "b.example"], kSecSubjectAltNameURI: "x:y"],
            kSecCertificateKeyUsage: SecKeyUsage.digitalSignature.rawValue | 1 << 31,
            kSecCMSSignHashAlgorithm: kSecCMSHashingAlgorithmSHA384,
        ]
        let request = try #require(
            SecGenerateCertificateRequest(subject, parameters as CFDictionary, SecKeyCopyPublicKey(key), key))
        let text = try listing(request as Data)
        for words in ["C=ES,O=Llavero,CN=Ana", "DNS:a.example, DNS:b.example", "URI:x:y", "sha384WithRSAEncryption"] {
            #expect(text.contains(words), "\(words)")
        }
        let other = SecKeyCopyPublicKey(try TestKey.made(kSecAttrKeyTypeEC, 256))
        #expect(SecGenerateCertificateRequest(subject, nil, other, key) == nil)
        for bad in [["CN"], [["CN", "x"]], [[["CN"]]], [[["CN", 7]]], [[["CN", "x"], ["O", "y"]]]] as [NSArray] {
            #expect(SecGenerateCertificateRequest(bad, nil, nil, key) == nil)
        }
        for (name, value) in [
            (kSecCSRChallengePassword, "x"), (kSecCSRBasicConstraintsPathLen, 256), (kSecCertificateExtensions, [:]),
            (kSecCMSSignHashAlgorithm, kSecCMSHashingAlgorithmSHA1), (kSecCertificateKeyUsage, -1), ("x", 1),
            (kSecSubjectAltName, [kSecSubjectAltNameNTPrincipalName: "x"]), (kSecSubjectAltName, "a.example"),
        ] as [(CFString, Any)] {
            #expect(SecGenerateCertificateRequest(subject, [name: value] as CFDictionary, nil, key) == nil)
        }
    }
}
