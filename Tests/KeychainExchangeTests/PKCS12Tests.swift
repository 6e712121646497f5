// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainExchange
import KeychainModel
import TestCertificates
import Testing

@Suite("PKCS#12 is read and written")
struct PKCS12Tests {
    private let chain: CertificateChain
    private var openssl: OpenSSLCommand { chain.workshop.openssl }

    init() throws {
        chain = try CertificateChain()
        try openssl.run(["x509", "-in", "middle.pem", "-out", "between.pem"])
    }

    private func export(_ options: String..., password: String = "pass:secret") throws -> [UInt8] {
        try openssl.run(
            [
                "pkcs12", "-export", "-inkey", "leaf.key", "-in", "leaf.pem", "-certfile", "between.pem", "-name",
                "Jürgen",
                "-passout", password, "-out", "file.p12", "-provider", "legacy", "-provider", "default",
            ] + options)
        return try openssl.read("file.p12")
    }

    private func expectIdentity(_ file: PKCS12) throws {
        #expect(file.keys.count == 1)
        #expect(file.certificates.map(\.content) == [chain.leaf, chain.middle])
        let identity = try #require(file.identities.first)
        #expect(identity.certificate == chain.leaf)
        #expect(identity.chain == [chain.leaf, chain.middle])
        #expect(identity.friendlyName == "Jürgen")
        #expect(identity.privateKey.publicKey == chain.leaf.publicKey)
        let plain = try openssl("pkcs8", "-topk8", "-nocrypt", "-in", "leaf.key", "-outform", "DER")
        #expect(identity.privateKey.pkcs8.bytes == plain)
    }

    @Test(
        "as openssl writes it, today and long ago",
        arguments: [
            [], ["-legacy"], ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"],
            ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-RC2-40"], ["-certpbe", "PBE-SHA1-RC4-128"],
            ["-keypbe", "NONE", "-certpbe", "NONE"], ["-keypbe", "AES-128-CBC", "-macalg", "sha512"], ["-nomaciter"],
            ["-noiter"],
        ])
    func fromOpenSSL(_ options: [String]) throws {
        try openssl.run(
            [
                "pkcs12", "-export", "-inkey", "leaf.key", "-in", "leaf.pem", "-certfile", "between.pem", "-name",
                "Jürgen",
                "-passout", "pass:secret", "-out", "file.p12",
            ] + options
                + (options == ["-legacy"] ? [] : ["-provider", "legacy", "-provider", "default"]))
        let bytes = try openssl.read("file.p12")
        try expectIdentity(try PKCS12(reading: bytes, password: SecretBytes("secret")))
        for wrong in ["", "Secret", "secret "] {
            #expect(throws: ExchangeError.wrongPassword) { try PKCS12(reading: bytes, password: SecretBytes(wrong)) }
        }
    }

    @Test(
        "with an empty password, a long one, and one beyond ASCII",
        arguments: ["", "ß€𝄞", String(repeating: "x", count: 900)])
    func passwords(_ password: String) throws {
        let bytes = try export(password: "pass:\(password)")
        try expectIdentity(try PKCS12(reading: bytes, password: SecretBytes(password)))
    }

    @Test("not when nothing protects it, or it costs too much")
    func refused() throws {
        let open = try export("-nomac")
        #expect(throws: ExchangeError.unprotected) { try PKCS12(reading: open, password: SecretBytes("secret")) }
        let good = try export("-macalg", "sha256")
        // The last number in the file: how often the MAC's key is hashed.
        let costly = Element(good).with([2, 2]) { $0.content = [0x7F, 0xFF, 0xFF, 0xFF] }
        #expect(throws: ExchangeError.tooCostly) { try PKCS12(reading: costly, password: SecretBytes("secret")) }
        #expect(throws: ExchangeError.undecodable) { try PKCS12(reading: good + [0], password: SecretBytes("secret")) }
        for count in stride(from: 0, to: good.count, by: 31) {
            #expect(throws: ExchangeError.undecodable) {
                try PKCS12(reading: Array(good.prefix(count)), password: SecretBytes("secret"))
            }
        }
    }

    @Test("as we write it, openssl reads it")
    func toOpenSSL() throws {
        let read = try PKCS12(reading: try export(), password: SecretBytes("secret"))
        let bytes = try read.write(password: SecretBytes("nöw"))
        try expectIdentity(try PKCS12(reading: bytes, password: SecretBytes("nöw")))
        try openssl.write(bytes, to: "ours.p12")
        let keys = try openssl(
            "pkcs12", "-in", "ours.p12", "-passin", "pass:nöw", "-nocerts", "-noenc", "-out", "ours.key")
        #expect(keys.isEmpty)
        #expect(
            try openssl("pkey", "-in", "ours.key", "-outform", "DER")
                == openssl("pkey", "-in", "leaf.key", "-outform", "DER"))
        let text = try openssl.text("pkcs12", "-in", "ours.p12", "-passin", "pass:nöw", "-nokeys")
        #expect(text.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
        #expect(throws: ExchangeError.passwordRequired) { try read.write(password: SecretBytes("")) }
        #expect(throws: ExchangeError.passwordRequired) { try read.write(password: SecretBytes("a\0b")) }
    }

    @Test("several identities, and what belongs to none")
    func several() throws {
        let workshop = chain.workshop
        let second = try workshop.make("second", .rsa2048, issuer: "middle", extensions: Workshop.server)
        let keys = try ["leaf", "second"].map { name in
            let der = try openssl("pkey", "-in", "\(name).key", "-outform", "DER")
            return PKCS12.Entry(try der.withUnsafeBytes { try PrivateKey(der: $0) }, friendlyName: name)
        }
        let file = PKCS12(
            keys: keys, certificates: [chain.root, second, chain.middle, chain.leaf].map { PKCS12.Entry($0) })
        let read = try PKCS12(reading: try file.write(password: SecretBytes("p")), password: SecretBytes("p"))
        #expect(read.identities.map(\.certificate) == [chain.leaf, second])
        #expect(read.identities.map(\.friendlyName) == ["leaf", "second"])
        #expect(read.identities[1].chain == [second, chain.middle, chain.root])
        let lonely = PKCS12(keys: [keys[0]], certificates: [PKCS12.Entry(second)])
        #expect(lonely.identities.isEmpty)
    }
}
