// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainExchange
import KeychainModel
import TestCertificates
import TestSeed
import Testing

/// Bytes that were right once and are not any more: nil or an error, never the end of the program.
@Suite("Nothing that is read ends the program")
struct MutationTests {
    private struct Originals {
        let certificate: [UInt8]
        let second: [UInt8]
        let root: Certificate
        let leaf: Certificate
        let pkcs8: [UInt8]
        let pkcs1: [UInt8]
        let sec1: [UInt8]
        let encrypted: [UInt8]
        let pkcs12: [UInt8]
        let list: [UInt8]
        let response: [UInt8]
        let pem: [UInt8]

        init() throws {
            let chain = try CertificateChain()
            let openssl = chain.workshop.openssl
            certificate = chain.leaf.der
            root = chain.middle
            leaf = chain.leaf
            second = try chain.workshop.make("r", .rsa2048, extensions: Workshop.server).der
            pkcs8 = try openssl("pkcs8", "-topk8", "-nocrypt", "-in", "leaf.key", "-outform", "DER")
            sec1 = try openssl("pkey", "-in", "leaf.key", "-traditional", "-outform", "DER")
            pkcs1 = try openssl("pkey", "-in", "r.key", "-traditional", "-outform", "DER")
            encrypted = try openssl(
                "pkcs8", "-topk8", "-in", "leaf.key", "-passout", "pass:p", "-iter", "1", "-outform", "DER")
            pkcs12 = try openssl(
                "pkcs12", "-export", "-inkey", "leaf.key", "-in", "leaf.pem", "-passout", "pass:p", "-iter", "1")
            list = try chain.workshop.list("middle", revoked: ["leaf"])
            response = try chain.workshop.response("middle", about: "leaf", isRevoked: true)
            pem = try openssl.read("leaf.pem") + openssl.read("leaf.key")
        }
    }

    @Test func changed() throws {
        var seed = Seed(for: "MutationTests")
        let originals = try Originals()
        let password = SecretBytes("p")
        var accepted = 0
        for round in 0..<1500 {
            for original in [originals.certificate, originals.second] {
                let bytes = Self.mutated(original, &seed)
                guard let certificate = Certificate(der: bytes) else { continue }
                accepted += 1
                // What parses is what was given, and everything about it can be asked.
                #expect(certificate.der == bytes)
                _ = (certificate.subjectSummary, certificate.emailAddresses, certificate.isSelfIssued)
                if round % 8 == 0, bytes != original {
                    let trust = Trust(
                        certificate, policies: [.ssl(.server, hostName: "a.b")], anchors: .only([originals.root]))
                    let isTrusted = (try? trust.evaluate(at: originals.leaf.then))?.isTrusted ?? false
                    #expect(!isTrusted)
                }
            }
            for original in [originals.pkcs8, originals.sec1, round % 8 == 0 ? originals.pkcs1 : []] {
                _ = Self.mutated(original, &seed).withUnsafeBytes { try? PrivateKey(der: $0) }
            }
            _ = try? PrivateKey(encrypted: Self.mutated(originals.encrypted, &seed), password: password)
            _ = try? PKCS12(reading: Self.mutated(originals.pkcs12, &seed), password: password)
            _ = Self.mutated(originals.pem, &seed).withUnsafeBytes { try? PEM.blocks(in: $0) }
            if round % 4 == 0 {
                var trust = Trust(
                    originals.leaf, intermediates: [], policies: [.basic], anchors: .only([originals.root]))
                trust.revocation = RevocationData(
                    rule: .required, lists: [Self.mutated(originals.list, &seed)],
                    responses: [Self.mutated(originals.response, &seed)])
                // Revoked or unknown: no change makes it good.
                #expect(try !trust.evaluate(at: originals.leaf.then).isTrusted)
            }
        }
        print("MutationTests: \(accepted) changed certificates were still certificates")
    }

    private static func mutated(_ original: [UInt8], _ seed: inout Seed) -> [UInt8] {
        var bytes = original
        for _ in 0...Int(seed.next() % 3) {
            guard !bytes.isEmpty else { return bytes }
            let place = Int(seed.next() % UInt64(bytes.count))
            switch seed.next() % 6 {
            case 0: bytes[place] ^= 1 << UInt8(seed.next() % 8)
            case 1: bytes[place] = UInt8(truncatingIfNeeded: seed.next())
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(seed.pick([0, 1, 0x7F, 0x80, 0xFF, 0x30, 0x82]), at: place)
            case 4: bytes.removeLast(Int(seed.next() % UInt64(min(bytes.count, 20) + 1)))
            default:
                let end = min(bytes.count, place + 1 + Int(seed.next() % 16))
                bytes.insert(contentsOf: bytes[place..<end], at: Int(seed.next() % UInt64(bytes.count)))
            }
        }
        return bytes
    }
}
