// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("What was revoked is not trusted")
struct SecTrustRevocationTests {
    private let chain: MadeChain

    init() throws {
        chain = try MadeChain()
    }

    @Test("when a stapled response says so")
    func response() throws {
        let trust = try chain.trust(SecPolicyCreateSSL(true, "www.example.com"))
        let good = try chain.maker.response("middle", about: "leaf", isRevoked: false)
        let revoked = try chain.maker.response("middle", about: "leaf", isRevoked: true)
        #expect(SecTrustSetOCSPResponse(trust, good as NSData) == errSecSuccess)
        #expect(trust.code == 0)
        #expect(SecTrustSetOCSPResponse(trust, revoked as NSData) == errSecSuccess)
        #expect(trust.result == .invalid)
        #expect(trust.code == errSecCertificateRevoked)
        #expect(trust.result == .fatalTrustFailure)
        #expect(SecTrustSetOCSPResponse(trust, [Data([1]), revoked] as NSArray) == errSecSuccess)
        #expect(trust.code == errSecCertificateRevoked)
        #expect(SecTrustSetOCSPResponse(trust, nil) == errSecSuccess)
        #expect(trust.code == 0)
    }

    @Test("and where a positive response is required, what is not known fails")
    func required() throws {
        let revocation = try #require(
            SecPolicyCreateRevocation(kSecRevocationOCSPMethod | kSecRevocationRequirePositiveResponse))
        let trust = try chain.trust([SecPolicyCreateBasicX509(), revocation] as NSArray)
        #expect(trust.code == errSecIncompleteCertRevocationCheck)
        let responses = [
            try chain.maker.response("middle", about: "leaf", isRevoked: false),
            try chain.maker.response("root", about: "middle", isRevoked: false),
        ]
        SecTrustSetOCSPResponse(trust, responses[0] as NSData)
        #expect(trust.code == errSecIncompleteCertRevocationCheck)
        SecTrustSetOCSPResponse(trust, responses as NSArray)
        #expect(trust.code == 0)
    }

    @Test("when a list says so")
    func list() throws {
        let trust = try chain.trust()
        #expect(trust.code == 0)
        trust.setRevocationLists([try chain.maker.list("middle", revoked: "leaf")])
        #expect(trust.code == errSecCertificateRevoked)
        trust.setRevocationLists([Data([1, 2, 3])])
        #expect(trust.code == 0)
    }
}
