// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainExchange
import KeychainModel
import TestCertificates
import Testing

@Suite("Private keys come and go")
struct PrivateKeyTests {
    private let workshop: Workshop
    private var openssl: OpenSSLCommand { workshop.openssl }

    init() throws {
        workshop = try Workshop()
    }

    private func key(_ bytes: [UInt8]) throws -> PrivateKey {
        try bytes.withUnsafeBytes { try PrivateKey(der: $0) }
    }

    private func block(_ bytes: [UInt8]) throws -> PEMBlock {
        let blocks = try bytes.withUnsafeBytes { try PEM.blocks(in: $0) }
        return try #require(blocks.last)
    }

    @Test("in DER and PEM, in every form", arguments: [Workshop.KeyKind.rsa2048, .p256, .p384, .ed25519])
    func forms(_ kind: Workshop.KeyKind) throws {
        try workshop.makeKey("k", kind)
        let der = try openssl("pkey", "-in", "k.key", "-outform", "DER")
        let pkcs8 = try openssl("pkcs8", "-topk8", "-nocrypt", "-in", "k.key", "-outform", "DER")
        let key = try key(der)
        #expect(key.pkcs8.bytes == pkcs8)
        #expect(key.publicKey.der == (try openssl("pkey", "-in", "k.key", "-pubout", "-outform", "DER")))
        #expect(try self.key(pkcs8).pkcs8.bytes == pkcs8)
        let pem = try block(try openssl.read("k.key"))
        #expect(pem.label == "PRIVATE KEY")
        #expect(try PrivateKey(pem, password: SecretBytes("")).pkcs8.bytes == pkcs8)
        if kind != .ed25519 {
            let own = try openssl("pkey", "-in", "k.key", "-traditional", "-outform", "DER")
            #expect(try self.key(own).pkcs8.bytes == pkcs8)
            #expect(try key.ownForm().bytes == own)
            let text = try openssl("pkey", "-in", "k.key", "-traditional")
            #expect(try PrivateKey(block(text), password: SecretBytes("")).pkcs8.bytes == pkcs8)
        } else {
            #expect(throws: ExchangeError.unsupportedAlgorithm) { _ = try key.ownForm() }
        }
    }

    @Test("what we write in PEM openssl reads")
    func writePEM() throws {
        try workshop.makeKey("k")
        let key = try key(try openssl("pkey", "-in", "k.key", "-outform", "DER"))
        let text = key.pkcs8.withUnsafeBytes { PEM.text("PRIVATE KEY", of: $0).bytes }
        #expect(text == (try openssl.read("k.key")))
        let certificate = try workshop.make("k")
        let written = PEM.publicText("CERTIFICATE", of: certificate.der)
        #expect(Array(written.utf8) == (try openssl.read("k.pem")))
    }

    @Test(
        "under a password, old and new",
        arguments: [
            ["-v2", "aes-256-cbc"], ["-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA1"], ["-v2", "des3"], ["-scrypt"],
            ["-v1", "PBE-SHA1-3DES"], ["-v1", "PBE-MD5-DES"], ["-v1", "PBE-SHA1-RC2-128"], ["-v1", "PBE-SHA1-RC4-128"],
            ["-v2", "rc2"],
        ])
    func encrypted(_ options: [String]) throws {
        try workshop.makeKey("k")
        let plain = try openssl("pkcs8", "-topk8", "-nocrypt", "-in", "k.key", "-outform", "DER")
        try openssl.run(
            [
                "pkcs8", "-topk8", "-in", "k.key", "-passout", "pass:päss", "-out", "e.key", "-provider", "legacy",
                "-provider", "default",
            ] + options)
        let pem = try block(try openssl.read("e.key"))
        #expect(pem.label == "ENCRYPTED PRIVATE KEY")
        #expect(try PrivateKey(pem, password: SecretBytes("päss")).pkcs8.bytes == plain)
        #expect(throws: ExchangeError.passwordRequired) { try PrivateKey(pem, password: SecretBytes("")) }
        let wrong = #expect(throws: ExchangeError.self) { try PrivateKey(pem, password: SecretBytes("wrong")) }
        // A stream cipher has no padding by which to tell, and other ones by chance.
        #expect(wrong == .wrongPassword || wrong == .undecodable)
    }

    @Test("under a password that we set")
    func encryptedByUs() throws {
        try workshop.makeKey("k", .rsa2048)
        let plain = try openssl("pkcs8", "-topk8", "-nocrypt", "-in", "k.key", "-outform", "DER")
        let key = try key(plain)
        let bytes = try key.encrypted(SecretBytes("secret"))
        try openssl.write(bytes, to: "e.der")
        #expect(
            plain
                == (try openssl(
                    "pkcs8", "-in", "e.der", "-inform", "DER", "-passin", "pass:secret", "-topk8", "-nocrypt",
                    "-outform", "DER")))
        #expect(try PrivateKey(encrypted: bytes, password: SecretBytes("secret")).pkcs8.bytes == plain)
        #expect(throws: ExchangeError.wrongPassword) {
            try PrivateKey(encrypted: bytes, password: SecretBytes("Secret"))
        }
        #expect(throws: ExchangeError.passwordRequired) { try key.encrypted(SecretBytes("")) }
        let costly = Element(bytes).with([0, 1, 0, 1, 1]) { $0.content = [0x7F, 0xFF, 0xFF, 0xFF] }
        #expect(throws: ExchangeError.tooCostly) { try PrivateKey(encrypted: costly, password: SecretBytes("secret")) }
        let unknown = Element(bytes).with([0, 1, 1, 0]) { $0.content = [0x2A, 3, 4] }
        #expect(throws: ExchangeError.unsupportedAlgorithm) {
            try PrivateKey(encrypted: unknown, password: SecretBytes("secret"))
        }
    }

    @Test("in the PEM of old, under one round of MD5", arguments: ["aes256", "des3", "des", "camellia128"])
    func oldPEM(_ cipher: String) throws {
        try workshop.makeKey("k", .rsa2048)
        let plain = try openssl("pkcs8", "-topk8", "-nocrypt", "-in", "k.key", "-outform", "DER")
        try openssl(
            "rsa", "-in", "k.key", "-traditional", "-\(cipher)", "-passout", "pass:old", "-out", "e.key", "-provider",
            "legacy", "-provider", "default")
        let pem = try block(try openssl.read("e.key"))
        #expect(try PrivateKey(pem, password: SecretBytes("old")).pkcs8.bytes == plain)
        #expect(throws: ExchangeError.wrongPassword) { try PrivateKey(pem, password: SecretBytes("new")) }
        #expect(throws: ExchangeError.passwordRequired) { try PrivateKey(pem, password: SecretBytes("")) }
    }

    @Test("never with halves that do not belong together")
    func halves() throws {
        try workshop.makeKey("a")
        try workshop.makeKey("b")
        var one = try openssl("pkcs8", "-topk8", "-nocrypt", "-in", "a.key", "-outform", "DER")
        let two = try openssl("pkcs8", "-topk8", "-nocrypt", "-in", "b.key", "-outform", "DER")
        one.replaceSubrange(one.count - 64..<one.count, with: two.suffix(64))
        #expect(throws: ExchangeError.undecodable) { try key(one) }
        try workshop.makeKey("r", .rsa2048)
        let rsa = try openssl("pkcs8", "-topk8", "-nocrypt", "-in", "r.key", "-outform", "DER")
        for offset in [60, 400, 700, 900, 1050] {
            var changed = rsa
            changed[offset] ^= 2
            #expect(throws: ExchangeError.undecodable, "\(offset)") { try key(changed) }
        }
    }
}
