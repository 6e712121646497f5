// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("A malformed file gives a status, soon, and never a trap")
struct MalformedFileTests {
    private let workshop: ExchangeWorkshop

    init() throws {
        workshop = try ExchangeWorkshop()
    }

    /// A file of every format, DER and PEM, by what made it; cheap to decrypt, for they are read a thousand times.
    private func files() throws -> [(name: String, der: Data, label: String?)] {
        try workshop.makeChain()
        try workshop.makeKey("r", .rsa)
        let rsa = { (more: [String]) in try workshop.run(["pkey", "-in", "r.key", "-outform", "DER"] + more) }
        let ec = { (more: [String]) in try workshop.run(["pkey", "-in", "leaf.key", "-outform", "DER"] + more) }
        let wrap = [
            "pkcs8", "-topk8", "-in", "leaf.key", "-outform", "DER", "-passout", "pass:\(Refusal.passphrase)", "-iter",
            "1",
        ]
        return [
            ("PKCS#12", try workshop.pkcs12(["-noiter", "-nomaciter"]), nil),
            ("PKCS#12 of old", try workshop.pkcs12(["-noiter", "-nomaciter", "-legacy"]), nil),
            (
                "PKCS#8", try workshop.openssl("pkcs8", "-topk8", "-nocrypt", "-in", "leaf.key", "-outform", "DER"),
                "PRIVATE KEY"
            ),
            ("PKCS#1", try rsa(["-traditional"]), "RSA PRIVATE KEY"),
            ("SEC 1", try ec(["-traditional"]), "EC PRIVATE KEY"),
            ("wrapped", try workshop.run(wrap), "ENCRYPTED PRIVATE KEY"),
            ("public EC", try ec(["-pubout"]), "PUBLIC KEY"),
            ("public RSA", try rsa(["-pubout"]), "PUBLIC KEY"),
            (
                "PKCS#1 public", try workshop.openssl("rsa", "-in", "r.key", "-RSAPublicKey_out", "-outform", "DER"),
                "RSA PUBLIC KEY"
            ),
            ("certificate", try workshop.openssl("x509", "-in", "leaf.pem", "-outform", "DER"), "CERTIFICATE"),
            (
                "PKCS#7", try workshop.openssl("crl2pkcs7", "-nocrl", "-certfile", "others.pem", "-outform", "DER"),
                "PKCS7"
            ),
        ]
    }

    @Test("cut off, extended, or with other tags and lengths")
    func structure() throws {
        for (name, der, label) in try files() {
            #expect(Exchange.importing(der, passphrase: Refusal.passphrase).status == errSecSuccess, "\(name)")
            for data in FileMutations.truncated(der) + FileMutations.extended(der) {
                Refusal.expect(data, name)
                if let label { Refusal.expect(HandDER.pem(label, data), "\(name) in PEM") }
            }
            for data in FileMutations.lengths(der) + FileMutations.tags(der) where data != der {
                let imported = Exchange.importing(data, passphrase: Refusal.passphrase)
                // Not every tag means something: what PKCS#7 says beside its certificates is passed over.
                #expect(Refusal.statuses.contains(imported.status) || imported.status == errSecSuccess, "\(name)")
                _ = Exchange.identities(data)
                if let label { _ = Exchange.importing(HandDER.pem(label, data), passphrase: Refusal.passphrase) }
            }
        }
    }

    @Test("with bits turned over")
    func flipped() throws {
        for (index, file) in try files().enumerated() {
            let text = HandDER.pem(file.label ?? "PKCS12", file.der)
            let changed =
                FileMutations.flipped(file.der, count: 150, seed: UInt64(index))
                + FileMutations.flipped(text, count: 100, seed: UInt64(index + 100))
            for data in changed {
                let status = Exchange.importing(data, passphrase: Refusal.passphrase).status
                #expect(Refusal.statuses.contains(status) || status == errSecSuccess, "\(file.name): \(status)")
                _ = Exchange.identities(data)
            }
        }
    }
}
