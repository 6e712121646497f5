// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import KeychainModel
import TestCertificates
import Testing

@Suite("A chain keeps the rules of everyone in it")
struct ChainRuleTests {
    private func failures(
        _ leaf: Certificate, _ intermediates: [Certificate], _ root: Certificate, _ policy: TrustPolicy = .basic
    ) throws -> Set<TrustFailure> {
        let trust = Trust(leaf, intermediates: intermediates, policies: [policy], anchors: .only([root]))
        return Set(try trust.evaluate(at: leaf.then).findings.map(\.failure))
    }

    @Test("an authority may name only what is permitted")
    func nameConstraints() throws {
        let workshop = try Workshop()
        let root = try workshop.makeRoot()
        let middle = try workshop.make(
            "middle", issuer: "root",
            extensions: Workshop.authority
                + "nameConstraints = critical, permitted;DNS:example.com, excluded;DNS:bad.example.com\n")
        for (host, expected) in [
            ("www.example.com", []), ("www.example.org", [.nameNotPermitted]),
            ("x.bad.example.com", [.nameNotPermitted]),
        ] as [(String, Set<TrustFailure>)] {
            let leaf = try workshop.make("leaf", issuer: "middle", extensions: "subjectAltName = DNS:\(host)")
            #expect(try failures(leaf, [middle], root, .ssl(.server, hostName: host)) == expected, "\(host)")
        }
    }

    @Test("no more authorities than the path length permits")
    func pathLength() throws {
        let workshop = try Workshop()
        let root = try workshop.make(
            "root",
            extensions: """
                basicConstraints = critical, CA:true, pathlen:0
                keyUsage = keyCertSign
                """)
        let middle = try workshop.make("middle", issuer: "root", extensions: Workshop.authority)
        let leaf = try workshop.make("leaf", issuer: "middle", extensions: Workshop.server)
        #expect(try failures(leaf, [middle], root) == [.pathTooLong])
    }

    @Test("only an authority signs certificates")
    func authority() throws {
        let workshop = try Workshop()
        let root = try workshop.makeRoot()
        let person = try workshop.make("person", issuer: "root", extensions: "basicConstraints = critical, CA:false")
        let leaf = try workshop.make("leaf", issuer: "person", extensions: Workshop.server)
        #expect(try failures(leaf, [person], root).contains(.notAuthority))
        let signer = try workshop.make(
            "signer", issuer: "root",
            extensions: "basicConstraints = critical, CA:true\nkeyUsage = critical, digitalSignature")
        let other = try workshop.make("other", issuer: "signer", extensions: Workshop.server)
        #expect(try failures(other, [signer], root).isDisjoint(with: []))
        #expect(try !failures(other, [signer], root).isEmpty)
        let old = try workshop.make("old", issuer: "root")
        #expect(old.version == 1)
        let below = try workshop.make("below", issuer: "old", extensions: Workshop.server)
        #expect(try failures(below, [old], root).contains(.notAuthority))
    }

    @Test("what is critical and unknown is refused")
    func critical() throws {
        let workshop = try Workshop()
        let root = try workshop.makeRoot()
        let leaf = try workshop.make("leaf", issuer: "root", extensions: "1.2.3.4 = critical, DER:0500")
        #expect(try failures(leaf, [], root) == [.unknownCriticalExtension])
        let mild = try workshop.make("mild", issuer: "root", extensions: "1.2.3.4 = DER:0500")
        #expect(try failures(mild, [], root) == [])
    }

    @Test("a cross-signed authority leads to either root")
    func crossSigned() throws {
        let workshop = try Workshop()
        let one = try workshop.makeRoot("one")
        let two = try workshop.makeRoot("two")
        let byOne = try workshop.make(
            "byOne", subject: "/CN=middle", issuer: "one", extensions: Workshop.authority, key: "middle")
        let byTwo = try workshop.make(
            "byTwo", subject: "/CN=middle", issuer: "two", extensions: Workshop.authority, key: "middle")
        try workshop.openssl("x509", "-in", "byOne.pem", "-out", "middle.pem")
        let leaf = try workshop.make("leaf", issuer: "middle", extensions: Workshop.server)
        for between in [[byOne, byTwo], [byTwo, byOne]] {
            for root in [one, two] {
                let trust = Trust(leaf, intermediates: between, policies: [.basic], anchors: .only([root]))
                let result = try trust.evaluate(at: leaf.then)
                #expect(result.isTrusted)
                #expect(result.chain.last == root)
            }
        }
    }

    @Test("a signature that is not the issuer's")
    func signature() throws {
        let workshop = try Workshop()
        let root = try workshop.makeRoot()
        try workshop.make("leaf", issuer: "root", extensions: Workshop.server)
        var der = try workshop.der("leaf")
        // The last byte of the signature's second number.
        der[der.count - 1] ^= 1
        let forged = try #require(Certificate(der: der))
        #expect(try failures(forged, [], root) == [.invalidSignature])
        // Another root of the same name: its key did not sign this.
        let other = try Workshop().makeRoot()
        let leaf = try workshop.certificate("leaf")
        #expect(try !failures(leaf, [], other).isEmpty)
    }

    @Test("keys and digests that are too weak")
    func weak() throws {
        let workshop = try Workshop()
        let root = try workshop.makeRoot("root", .rsa2048)
        let small = try workshop.make("small", .rsa1024, issuer: "root", extensions: Workshop.server)
        #expect(try failures(small, [], root) == [])
        #expect(try failures(small, [], root, .ssl(.server, hostName: nil)) == [.weakKey])
        let sha1 = try workshop.make("sha1", .rsa2048, issuer: "root", extensions: Workshop.server, digest: "sha1")
        #expect(try failures(sha1, [], root) == [.weakSignature])
        let md5 = try workshop.make("md5", .rsa2048, issuer: "root", extensions: Workshop.server, digest: "md5")
        #expect(try failures(md5, [], root) == [.weakSignature])
    }
}
