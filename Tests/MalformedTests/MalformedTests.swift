// SPDX-License-Identifier: Apache-2.0

import Security
import TestProcesses
import Testing

@Suite("Malformed input is refused")
struct MalformedTests {
    @Test("what is malformed gives nil or its status, at once", arguments: try MalformedCase.matrix.get())
    func refused(row: MalformedCase) {
        #expect(row.ask() == row.expected)
        // The first time a library may be loaded.
        let before = CPUTime.ofThread
        _ = row.ask()
        #expect(CPUTime.ofThread - before < .milliseconds(100))
    }

    @Test("the matrix is large, and has no row twice")
    func matrix() throws {
        let names = try MalformedCase.matrix.get().map(\.description)
        #expect(names.count >= 60)
        #expect(Set(names).count == names.count)
    }

    @Test("what the rows were made from is taken: they are refused for what is wrong with them")
    func originals() throws {
        let p256 = try FixedUse.p256.get()
        let rsa = try FixedUse.rsa.get()
        let template = CertificateTemplate(publicKey: CertificateTemplate.p256(try p256.bytes(isPublic: true)))
        #expect(Asking.certificate(template.der) == .taken)
        let modulus: [UInt8] = [0] + [UInt8](repeating: 0xAB, count: 256)
        #expect(
            Asking.certificate(template.with { $0.publicKey = CertificateTemplate.rsa(modulus, [1, 0, 1]) }) == .taken)
        #expect(
            Asking.certificate(
                template.with {
                    $0.version = nil
                    $0.extensions = nil
                }) == .taken)
        #expect(Asking.key(.rsaPublic, try rsa.bytes(isPublic: true)) == .taken)
        #expect(Asking.key(.rsaPrivate, try rsa.bytes()) == .taken)
        #expect(Asking.key(.ecPublic, try p256.bytes(isPublic: true)) == .taken)
        #expect(Asking.key(.ecPrivate, try p256.bytes()) == .taken)
        for use in [
            p256.used("ECDSA", .ecdsaSignatureMessageX962SHA256),
            p256.used("RFC 4754", .ecdsaSignatureMessageRFC4754SHA256),
            try FixedUse.p521.get().used("P-521", .ecdsaSignatureMessageX962SHA512),
            rsa.used("RSA", .rsaSignatureMessagePKCS1v15SHA256), rsa.used("PSS", .rsaSignatureMessagePSSSHA256),
            try FixedUse.ed25519.get().used("Ed25519", .edDSASignatureMessageCurve25519SHA512),
        ] { #expect(Asking.signature(use, try use.signature()) == .taken) }
        for use in [
            try FixedUse.aes.get().used("AES", .aesEncryptionGCM),
            p256.used("ECIES", .eciesEncryptionStandardX963SHA256AESGCM),
            rsa.used("session", .rsaEncryptionOAEPSHA256AESGCM), rsa.used("OAEP", .rsaEncryptionOAEPSHA256),
        ] { #expect(Asking.ciphertext(use, try use.ciphertext()) == .taken) }
        #expect(Asking.file(try FileCases.good(), "p") == .taken)
    }
}
