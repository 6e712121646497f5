// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import KeychainExchange
import KeychainModel
import TestCertificates
import Testing

@Suite("A request for a certificate is signed by a key elsewhere")
struct CertificateRequestTests {
    private let workshop: Workshop
    private var openssl: OpenSSLCommand { workshop.openssl }

    init() throws {
        workshop = try Workshop()
    }

    private let request = CertificateRequest(
        subject: [
            .init(.country, "DE"), .init(.organization, "Müller & Co"), .init(.commonName, "www.example.com"),
            .init(.emailAddress, "jane@example.com"),
        ],
        alternativeNames: [.dns("www.example.com"), .email("jane@example.com"), .address([192, 0, 2, 7])],
        keyUsage: [.digitalSignature, .keyAgreement], extendedKeyUsage: [.serverAuthentication])

    /// What `openssl` with these words makes of the file `tbs`, which has the bytes.
    private func signature(of bytes: [UInt8], _ words: [String]) throws(KeychainError) -> [UInt8] {
        do {
            try openssl.write(bytes, to: "tbs")
            return try openssl.run(words)
        } catch { throw KeychainError(.notAvailable, "openssl did not sign") }
    }

    @Test(
        "with every algorithm",
        arguments: [
            (Workshop.KeyKind.rsa2048, CertificateRequest.SignatureAlgorithm.rsaSHA256, "sha256"),
            (.rsa2048, .rsaSHA384, "sha384"), (.rsa2048, .rsaSHA512, "sha512"), (.p256, .ecdsaSHA256, "sha256"),
            (.p384, .ecdsaSHA384, "sha384"), (.p256, .ecdsaSHA512, "sha512"), (.ed25519, .ed25519, ""),
        ])
    func made(_ kind: Workshop.KeyKind, _ algorithm: CertificateRequest.SignatureAlgorithm, _ digest: String) throws {
        try workshop.makeKey("k", kind)
        let publicKey = try openssl("pkey", "-in", "k.key", "-pubout", "-outform", "DER")
        let der = try request.der(publicKey: publicKey, algorithm: algorithm) { (information) throws(KeychainError) in
            let rawArguments = ["pkeyutl", "-sign", "-inkey", "k.key", "-rawin", "-in", "tbs"]
            return try signature(
                of: information, digest.isEmpty ? rawArguments : ["dgst", "-\(digest)", "-sign", "k.key", "tbs"])
        }
        try openssl.write(der, to: "request.der")
        let text = try openssl.text(
            "req", "-in", "request.der", "-inform", "DER", "-noout", "-text", "-verify", "-nameopt", "utf8")
        for part in [
            "C=DE", "O=Müller & Co", "CN=www.example.com", "emailAddress=jane@example.com",
            "DNS:www.example.com, email:jane@example.com, IP Address:192.0.2.7", "Digital Signature, Key Agreement",
            "TLS Web Server Authentication",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        try openssl("req", "-in", "request.der", "-inform", "DER", "-out", "leaf.csr")
        try workshop.makeRoot()
        try openssl(
            "x509", "-req", "-in", "leaf.csr", "-CA", "root.pem", "-CAkey", "root.key", "-copy_extensions", "copyall",
            "-set_serial", "7", "-out", "leaf.pem")
        let issued = try workshop.certificate("leaf")
        #expect(issued.publicKey.der == publicKey)
        #expect(issued.extensions.keyUsage == [.digitalSignature, .keyAgreement])
        #expect(issued.emailAddresses == ["jane@example.com", "jane@example.com"])
    }

    @Test("never with a signature of another key")
    func wrongSignature() throws {
        try workshop.makeKey("k")
        try workshop.makeKey("other")
        let publicKey = try openssl("pkey", "-in", "k.key", "-pubout", "-outform", "DER")
        let ofOther = #expect(throws: KeychainError.self) {
            try request.der(publicKey: publicKey, algorithm: .ecdsaSHA256) { (information) throws(KeychainError) in
                try signature(of: information, ["dgst", "-sha256", "-sign", "other.key", "tbs"])
            }
        }
        #expect(ofOther?.reason == .internalError)
        let refused = #expect(throws: KeychainError.self) {
            try request.der(publicKey: publicKey, algorithm: .ecdsaSHA256) { (_) throws(KeychainError) in
                throw KeychainError(.cancelled, "refused")
            }
        }
        #expect(refused?.reason == .cancelled)
        let ofNoKey = #expect(throws: KeychainError.self) {
            try request.der(publicKey: [1, 2, 3], algorithm: .ecdsaSHA256) { _ in [] }
        }
        #expect(ofNoKey?.reason == .internalError)
    }

    @Test("never with a name that cannot be written")
    func wrongNames() throws {
        try workshop.makeKey("k")
        let publicKey = try openssl("pkey", "-in", "k.key", "-pubout", "-outform", "DER")
        let wrong: [CertificateRequest] = [
            .init(subject: [.init(.country, "Germany")]), .init(subject: [.init(.commonName, "")]),
            .init(subject: [.init(.commonName, "a\0b")]), .init(subject: [.init(.emailAddress, "ä@b")]),
            .init(subject: [], alternativeNames: [.dns("")]), .init(subject: [], alternativeNames: [.dns("ä.de")]),
            .init(subject: [], alternativeNames: [.address([1, 2, 3])]),
            .init(subject: [], alternativeNames: [.email("a b@c")]),
        ]
        for request in wrong {
            var isSigned = false
            let error = #expect(throws: KeychainError.self) {
                try request.der(publicKey: publicKey, algorithm: .ecdsaSHA256) { _ in
                    isSigned = true
                    return []
                }
            }
            #expect(error?.reason == .parameter)
            #expect(!isSigned)
        }
    }
}
