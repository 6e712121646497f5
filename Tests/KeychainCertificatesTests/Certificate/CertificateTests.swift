// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainExchange
import TestCertificates
import Testing

@Suite("A certificate says what stands in it")
struct CertificateTests {
    @Test("of every kind of key", arguments: Workshop.KeyKind.allCases)
    func fields(_ kind: Workshop.KeyKind) throws {
        let workshop = try Workshop()
        let made = try workshop.make(
            "leaf", kind, subject: "/C=DE/O=Example & Co/CN=Jane Doe/emailAddress=jane@example.com",
            extensions: """
                basicConstraints = critical, CA:true, pathlen:2
                keyUsage = critical, digitalSignature, keyCertSign
                extendedKeyUsage = clientAuth, emailProtection
                subjectKeyIdentifier = hash
                subjectAltName = email:doe@example.org, DNS:a.example.com, DNS:*.b.example.com, IP:192.0.2.7, IP:::1
                """)
        let openssl = workshop.openssl
        #expect(made.version == 3)
        #expect(made.serialNumber == Array("leaf".utf8))
        #expect(made.commonName == "Jane Doe")
        #expect(made.subjectSummary == "Jane Doe")
        #expect(made.emailAddresses == ["doe@example.org", "jane@example.com"])
        #expect(made.dnsNames == ["a.example.com", "*.b.example.com"])
        #expect(made.addresses == [[192, 0, 2, 7], [UInt8](repeating: 0, count: 15) + [1]])
        #expect(made.isCertificateAuthority)
        #expect(made.extensions.pathLength == 2)
        #expect(made.extensions.keyUsage == [.digitalSignature, .certificateSigning])
        #expect(made.extensions.extendedKeyUsage == [.clientAuthentication, .emailProtection])
        #expect(made.extensions.isCritical[.keyUsage] == true)
        #expect(made.extensions.isCritical[.subjectAlternativeName] == false)
        #expect(made.isSelfIssued)
        #expect(made.issuer == made.subject)
        let fingerprint = try openssl.text("x509", "-in", "leaf.pem", "-noout", "-fingerprint", "-sha256")
        #expect(fingerprint.hasSuffix(made.fingerprint.map { String(format: "%02X", $0) }.joined(separator: ":")))
        let identifier = try openssl.text("x509", "-in", "leaf.pem", "-noout", "-ext", "subjectKeyIdentifier")
        let hex = made.subjectKeyIdentifier?.map { String(format: "%02X", $0) }.joined(separator: ":") ?? "none"
        #expect(identifier.hasSuffix(hex))
        #expect(made.publicKey.der == (try openssl("pkey", "-in", "leaf.key", "-pubout", "-outform", "DER")))
        // OpenSSL's key identifier is the SHA-1 of the same bytes as Apple's.
        #expect(made.publicKey.hash == made.subjectKeyIdentifier)
        let dates = try openssl.text("x509", "-in", "leaf.pem", "-noout", "-dates", "-dateopt", "iso_8601")
        let format = ISO8601DateFormatter()
        let texts = [made.notBefore, made.notAfter].map { date in
            format.string(from: Date(timeIntervalSinceReferenceDate: date)).replacing("T", with: " ")
        }
        #expect(dates == "notBefore=\(texts[0])\nnotAfter=\(texts[1])")
    }

    @Test("the external form of its key is PKCS#1, or the point")
    func externalForm() throws {
        let workshop = try Workshop()
        let rsa = try workshop.make("r", .rsa2048)
        #expect(
            rsa.publicKey.externalBytes
                == (try workshop.openssl("rsa", "-in", "r.key", "-RSAPublicKey_out", "-outform", "DER")))
        #expect(rsa.publicKey.modulusBits == 2048)
        let curve = try workshop.make("e", .p384)
        #expect(curve.publicKey.externalBytes.count == 97)
        #expect(curve.publicKey.externalBytes.first == 4)
        #expect(curve.publicKey.kind == .ellipticCurve(.p384))
    }

    @Test("a compressed point gives the external form of the same key")
    func compressedPoint() throws {
        let workshop = try Workshop()
        let plain = try workshop.make("plain")
        try workshop.openssl("ec", "-in", "plain.key", "-conv_form", "compressed", "-out", "short.key")
        let short = try workshop.make("short")
        #expect(short.publicKey.der != plain.publicKey.der)
        #expect(short.publicKey.externalBytes == plain.publicKey.externalBytes)
        #expect(short.publicKey.hash == plain.publicKey.hash)
        #expect(Certificate(uncheckedRow: short.der)?.publicKey == short.publicKey)
    }

    @Test("version 1 has no extensions")
    func version1() throws {
        let made = try Workshop().make("old", .rsa2048)
        #expect(made.version == 1)
        #expect(!made.isCertificateAuthority)
        #expect(made.subjectKeyIdentifier == nil)
        #expect(made.extensions.isCritical.isEmpty)
    }

    @Test("a serial number keeps the zero before it")
    func serialNumber() throws {
        let workshop = try Workshop()
        try workshop.make("leaf")
        try workshop.openssl(
            "x509", "-req", "-in", "leaf.csr", "-key", "leaf.key", "-set_serial", "0xFF01", "-out", "leaf.pem")
        #expect(try workshop.certificate("leaf").serialNumber == [0, 0xFF, 1])
    }

    @Test("every authority of the system's bundle is read")
    func bundle() throws {
        let text = try Data(contentsOf: URL(fileURLWithPath: "/etc/ssl/certs/ca-certificates.crt"))
        let blocks = try text.withUnsafeBytes { try PEM.blocks(in: $0) }
        let unread = blocks.filter { Certificate(der: $0.content.bytes) == nil }
        #expect(blocks.count > 50)
        #expect(unread.isEmpty)
        // A row that was checked once reads the same.
        for block in blocks {
            let der = block.content.bytes
            #expect(Certificate(uncheckedRow: der)?.publicKey == Certificate(der: der)?.publicKey)
        }
    }

    @Test("is equal to one of the same bytes")
    func equality() throws {
        let workshop = try Workshop()
        let one = try workshop.make("one")
        #expect(one == (try workshop.certificate("one")))
        #expect(one != (try workshop.make("two")))
        #expect(Set([one, try workshop.certificate("one")]).count == 1)
    }
}
