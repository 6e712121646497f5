// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainExchange
import KeychainModel
import TestCertificates
import Testing

@Suite("Trust is built to an anchor")
struct TrustTests {
    @Test("through three certificates", arguments: [Workshop.KeyKind.rsa2048, .p256, .p384, .ed25519])
    func three(_ kind: Workshop.KeyKind) throws {
        let chain = try CertificateChain(kind)
        let result = try chain.trust(.basic, .ssl(.server, hostName: "www.example.com")).evaluate(at: chain.leaf.then)
        #expect(result.findings == [])
        #expect(result.chain == [chain.leaf, chain.middle, chain.root])
        #expect(result.explanation == nil)
    }

    @Test("through certificates whose two names of the signature's algorithm differ in a NULL", arguments: [0, 1, 2])
    func nullParameters(place: Int) throws {
        let chain = try CertificateChain(.rsa2048)
        var certificates = [chain.leaf, chain.middle, chain.root]
        let der = try Self.withoutOuterNull(certificates[place].der)
        let changed = try #require(Certificate(der: der))
        #expect(changed.der == der && changed != certificates[place])
        certificates[place] = changed
        let trust = Trust(
            certificates[0], intermediates: [certificates[1]], policies: [.basic], anchors: .only([certificates[2]]))
        let result = try trust.evaluate(at: chain.leaf.then)
        #expect(result.findings == [])
        #expect(result.chain == certificates)
        // Another algorithm is no NULL, and a changed signature is none.
        #expect(Certificate(der: try Self.withoutOuterNull(chain.leaf.der, algorithm: 12)) == nil)
        var forged = der
        forged[forged.count - 1] ^= 1
        let broken = try #require(Certificate(der: forged))
        certificates[place] = broken
        let refused = Trust(
            certificates[0], intermediates: [certificates[1]], policies: [.basic], anchors: .only([certificates[2]]))
        let findings = try refused.evaluate(at: chain.leaf.then).findings
        // An anchor is believed as it is.
        #expect(place == 2 || !findings.isEmpty)
    }

    /// The certificate without the NULL after the algorithm outside of its signed part, as some authorities write it.
    private static func withoutOuterNull(_ der: [UInt8], algorithm: UInt8 = 11) throws -> [UInt8] {
        let named: [UInt8] = [0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B, 0x05, 0x00]
        let start = try #require(
            der.indices.dropLast(named.count).last { der[$0..<$0 + named.count].elementsEqual(named) })
        var changed = der
        changed.replaceSubrange(
            start..<start + named.count, with: [0x30, 0x0B] + named[2..<12] + [algorithm])
        // SEQUENCE, and a length of two bytes.
        try #require(changed[1] == 0x82)
        let length = Int(changed[2]) << 8 + Int(changed[3]) - 2
        changed[2] = UInt8(length >> 8)
        changed[3] = UInt8(length & 0xFF)
        return changed
    }

    @Test("not without the certificate between, nor to a stranger")
    func missing() throws {
        let chain = try CertificateChain()
        var trust = chain.trust(.basic)
        trust.intermediates = []
        #expect(try trust.evaluate(at: chain.leaf.then).findings.map(\.failure) == [.incompleteChain])
        let stranger = try chain.workshop.makeRoot("stranger")
        trust = chain.trust(.basic)
        trust.anchors = .only([stranger])
        #expect(try trust.evaluate(at: chain.leaf.then).findings.map(\.failure) == [.incompleteChain])
        trust.intermediates = [chain.middle, chain.root]
        let result = try trust.evaluate(at: chain.leaf.then)
        #expect(result.findings.map(\.failure) == [.notTrusted])
        #expect(result.chain.count == 3)
        trust.anchors = .system
        #expect(try trust.evaluate(at: chain.leaf.then).findings.map(\.failure) == [.notTrusted])
        trust.anchors = .systemAnd([chain.root])
        #expect(try trust.evaluate(at: chain.leaf.then).isTrusted)
        trust.anchors = .only([])
        #expect(try !trust.evaluate(at: chain.leaf.then).isTrusted)
    }

    @Test("an anchor need not be a root, and may be the certificate itself")
    func otherAnchors() throws {
        let chain = try CertificateChain()
        var trust = chain.trust(.basic)
        trust.anchors = .only([chain.middle])
        trust.intermediates = []
        #expect(try trust.evaluate(at: chain.leaf.then).isTrusted)
        trust.anchors = .only([chain.leaf])
        #expect(try trust.evaluate(at: chain.leaf.then).isTrusted)
        let own = try chain.workshop.make("own", extensions: Workshop.server)
        trust = Trust(own, policies: [.basic], anchors: .only([own]))
        #expect(try trust.evaluate(at: own.then).chain == [own])
        #expect(try trust.evaluate(at: own.then).isTrusted)
        trust.anchors = .only([chain.root])
        #expect(try trust.evaluate(at: own.then).findings.map(\.failure) == [.notTrusted])
    }

    @Test("the system's anchors are trusted, today and not for ever")
    func systemAnchors() throws {
        let text = try SystemBundle.text()
        let roots = try text.withUnsafeBytes { try PEM.blocks(in: $0) }.compactMap {
            Certificate(der: $0.content.bytes)
        }
        let root = try #require(roots.first { $0.publicKey.modulusBits == 4096 })
        let trust = Trust(root, policies: [.basic], anchors: .system)
        #expect(try trust.evaluate(at: root.then).isTrusted)
        #expect(try trust.evaluate(at: root.notAfter + 1).findings.map(\.failure) == [.expired])
    }

    @Test("within its time only")
    func time() throws {
        let chain = try CertificateChain()
        let trust = chain.trust(.basic)
        #expect(try trust.evaluate(at: chain.leaf.notBefore).isTrusted)
        let late = try trust.evaluate(at: chain.leaf.notAfter + 86400)
        #expect(Set(late.findings.map(\.failure)) == [.expired])
        #expect(late.findings.first?.depth == 0)
        #expect(late.explanation == "The certificate “leaf” has expired.")
        let early = try trust.evaluate(at: chain.root.notBefore - 86400)
        #expect(Set(early.findings.map(\.failure)) == [.notValidYet])
        for date in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
            #expect(try !trust.evaluate(at: date).isTrusted)
        }
    }

    @Test(
        "for the hosts it names",
        arguments: [
            ("www.example.com", true), ("WWW.Example.COM", true), ("www.example.com.", true), ("example.com", false),
            ("a.example.org", true), ("a.b.example.org", false), ("example.org", false), (".example.org", false),
            ("192.0.2.7", true), ("192.0.2.8", false), ("2001:db8::7", true), ("[2001:db8:0::7]", true),
            ("2001:db8::8", false), ("leaf", false), ("", false), (".", false), ("*.example.org", false),
            ("www.example.com\0.evil.com", false), ("wwẃ.example.com", false), ("192.0.2.7.", false),
        ])
    func hosts(host: String, isMeant: Bool) throws {
        let trust = try Self.hosts.get().trust(.ssl(.server, hostName: host))
        let findings = try trust.evaluate(at: trust.certificate.then).findings.map(\.failure)
        #expect(findings == (isMeant ? [] : [.hostNameMismatch]))
    }

    private static let hosts = Result { try CertificateChain() }

    @Test("a wildcard is one whole label before two others")
    func wildcards() throws {
        for name in ["*.com", "*", "w*.example.com", "*w.example.com", "www.*.com", "*.*.example.com"] {
            let chain = try CertificateChain(leaf: "subjectAltName = DNS:\(name)")
            for host in ["www.com", "www.example.com", "a.www.example.com"] {
                let result = try chain.trust(.ssl(.server, hostName: host)).evaluate(at: chain.leaf.then)
                #expect(result.findings.map(\.failure) == [.hostNameMismatch], "\(name) \(host)")
            }
        }
    }

    @Test("for the purposes it names")
    func purposes() throws {
        let client = try CertificateChain(leaf: "extendedKeyUsage = clientAuth\nsubjectAltName = DNS:www.example.com")
        let asServer = try client.trust(.ssl(.server, hostName: nil)).evaluate(at: client.leaf.then)
        #expect(asServer.findings.map(\.failure) == [.wrongPurpose])
        #expect(try client.trust(.ssl(.client, hostName: nil)).evaluate(at: client.leaf.then).isTrusted)
        let code = try CertificateChain(leaf: "extendedKeyUsage = codeSigning")
        for policy in [TrustPolicy.ssl(.server, hostName: nil), .ssl(.client, hostName: nil), .email(nil)] {
            #expect(try code.trust(policy).evaluate(at: code.leaf.then).findings.map(\.failure) == [.wrongPurpose])
        }
        #expect(try code.trust(.basic).evaluate(at: code.leaf.then).isTrusted)
    }

    @Test("for the person it names")
    func email() throws {
        for usage in ["digitalSignature", "keyEncipherment"] {
            let chain = try CertificateChain(
                leaf: "extendedKeyUsage = emailProtection\nkeyUsage = \(usage)\nsubjectAltName = email:jane@example.com"
            )
            #expect(try chain.trust(.email("Jane@Example.com")).evaluate(at: chain.leaf.then).isTrusted)
            let other = try chain.trust(.email("joe@example.com")).evaluate(at: chain.leaf.then)
            #expect(other.findings.map(\.failure) == [.emailAddressMismatch])
        }
    }

    @Test("every failure is told, the most telling first")
    func several() throws {
        let chain = try CertificateChain()
        let trust = Trust(
            chain.leaf, intermediates: [chain.middle, chain.root],
            policies: [.ssl(.client, hostName: "other.example.com")], anchors: .only([]))
        let result = try trust.evaluate(at: chain.leaf.notAfter + 86400)
        #expect(Set(result.findings.map(\.failure)) == [.expired, .notTrusted, .wrongPurpose, .hostNameMismatch])
        #expect(result.findings.first?.failure == .expired)
    }
}
