// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainModel
import TestCertificates
import Testing

@Suite("What was revoked is not trusted")
struct RevocationTests {
    private let chain: CertificateChain
    private var workshop: Workshop { chain.workshop }
    // The clock has whole seconds in certificates, and they were made in this one.
    private var now: Double { Date().timeIntervalSinceReferenceDate + 5 }

    init() throws {
        chain = try CertificateChain()
    }

    private func failures(_ revocation: RevocationData, at date: Double? = nil) throws -> [TrustFailure] {
        var trust = chain.trust(.basic)
        trust.revocation = revocation
        return try trust.evaluate(at: date ?? now).findings.map(\.failure)
    }

    @Test("by a list")
    func list() throws {
        let revoked = try workshop.list("middle", revoked: ["leaf"])
        #expect(try failures(RevocationData(lists: [revoked])) == [.revoked])
        #expect(try failures(RevocationData(rule: .ignored, lists: [revoked])) == [])
        let empty = try workshop.list("middle", revoked: [])
        #expect(try failures(RevocationData(lists: [empty])) == [])
        // The root says nothing about the authority below it.
        #expect(try failures(RevocationData(rule: .required, lists: [empty])) == [.revocationUnknown])
        let above = try workshop.list("root", revoked: [])
        #expect(try failures(RevocationData(rule: .required, lists: [empty, above])) == [])
        let authority = try workshop.list("root", revoked: ["middle"])
        #expect(try failures(RevocationData(lists: [authority])) == [.revoked])
    }

    @Test("not by a list that somebody else signed, or that has expired")
    func unusableList() throws {
        try workshop.make("thief", subject: "/CN=middle", extensions: Workshop.authority)
        let forged = try workshop.list("middle", revoked: ["leaf"], signer: "thief")
        #expect(try failures(RevocationData(lists: [forged])) == [])
        let above = try workshop.list("root", revoked: [])
        let forgedGood = try workshop.list("middle", revoked: [], signer: "thief")
        #expect(try failures(RevocationData(rule: .required, lists: [forgedGood, above])) == [.revocationUnknown])
        let old = try workshop.list("middle", revoked: [], days: 1)
        let later = now + 3 * 86400
        #expect(try failures(RevocationData(lists: [old]), at: later) == [])
        #expect(try failures(RevocationData(rule: .required, lists: [old, above]), at: later) == [.revocationUnknown])
        #expect(try failures(RevocationData(lists: [[], [0x30, 0], [1, 2, 3], above + [0]])) == [])
    }

    @Test("nothing known fails only where it must be known")
    func unknown() throws {
        #expect(try failures(RevocationData()) == [])
        #expect(try failures(RevocationData(rule: .ignored)) == [])
        #expect(try failures(RevocationData(rule: .required)) == [.revocationUnknown, .revocationUnknown])
    }

    @Test("by a response of the authority")
    func response() throws {
        let revoked = try workshop.response("middle", about: "leaf", isRevoked: true)
        #expect(try failures(RevocationData(responses: [revoked])) == [.revoked])
        let good = try workshop.response("middle", about: "leaf", isRevoked: false)
        #expect(try failures(RevocationData(responses: [good])) == [])
        let above = try workshop.response("root", about: "middle", isRevoked: false)
        #expect(try failures(RevocationData(rule: .required, responses: [good, above])) == [])
        #expect(try failures(RevocationData(rule: .required, responses: [good])) == [.revocationUnknown])
        let list = try workshop.list("root", revoked: [])
        #expect(try failures(RevocationData(rule: .required, lists: [list], responses: [good])) == [])
        let later = now + 30 * 86400
        #expect(
            try failures(RevocationData(rule: .required, responses: [good, above]), at: later)
                == [.revocationUnknown, .revocationUnknown])
        #expect(try failures(RevocationData(responses: [revoked]), at: later) == [.revoked])
    }

    @Test("by somebody the authority charged with it, and by nobody else")
    func responder() throws {
        try workshop.make(
            "charged", issuer: "middle", extensions: "extendedKeyUsage = OCSPSigning\nkeyUsage = digitalSignature")
        try workshop.make("uncharged", issuer: "middle", extensions: "extendedKeyUsage = serverAuth")
        try workshop.make("stranger", extensions: "extendedKeyUsage = OCSPSigning")
        try workshop.make("cousin", issuer: "root", extensions: "extendedKeyUsage = OCSPSigning")
        let expected = [("charged", [TrustFailure.revoked]), ("uncharged", []), ("stranger", []), ("cousin", [])]
        for (name, failures) in expected {
            let response = try workshop.response("middle", about: "leaf", isRevoked: true, responder: name)
            #expect(try self.failures(RevocationData(responses: [response])) == failures, "\(name)")
        }
    }

    @Test("not by a response about another, or one that was changed")
    func otherResponse() throws {
        try workshop.make("other", issuer: "middle", extensions: Workshop.server)
        let other = try workshop.response("middle", about: "other", isRevoked: true)
        #expect(try failures(RevocationData(responses: [other])) == [])
        let good = try workshop.response("middle", about: "leaf", isRevoked: true)
        let above = try workshop.response("root", about: "middle", isRevoked: false)
        for index in stride(from: 0, to: good.count, by: 7) {
            var changed = good
            changed[index] ^= 0x10
            let found = try failures(RevocationData(rule: .required, responses: [changed, above]))
            #expect(found == [.revocationUnknown] || found == [.revoked], "\(index)")
        }
    }
}
