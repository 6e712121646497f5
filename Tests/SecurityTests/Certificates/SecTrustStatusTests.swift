// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Synchronization
import Testing

@Suite("OCSP servers are asked by the transport of the program")
struct SecTrustStatusTests {
    private let maker: CertificateMaker
    private let root: SecCertificate
    private let site: SecCertificate
    private static let address = "http://status.example"

    init() throws {
        maker = try CertificateMaker()
        root = try maker.make("root", extensions: CertificateMaker.authority)
        site = try maker.make(
            "site", issuer: "root",
            extensions: CertificateMaker.server + "authorityInfoAccess = OCSP;URI:\(Self.address)\n"
                + "crlDistributionPoints = URI:http://lists.example/root.crl\n")
    }

    /// Trust in the site, with the policy of those flags beside the basic one.
    private func trust(_ flags: CFOptionFlags?, after seconds: Double = 5) throws -> SecTrust {
        var policies = [SecPolicyCreateBasicX509()]
        if let flags { policies.append(try #require(SecPolicyCreateRevocation(flags))) }
        var made: SecTrust?
        #expect(SecTrustCreateWithCertificates(site, policies as NSArray, &made) == errSecSuccess)
        let trust: SecTrust = try #require(made)
        SecTrustSetAnchorCertificates(trust, [root] as NSArray)
        SecTrustSetVerifyDate(trust, NSDate(timeIntervalSinceNow: seconds))
        return trust
    }

    private func allow(_ trust: SecTrust, _ transport: @escaping TrustTransport) {
        trust.setTransport(transport)
        #expect(SecTrustSetNetworkFetchAllowed(trust, true) == errSecSuccess)
    }

    private static let required = kSecRevocationOCSPMethod | kSecRevocationRequirePositiveResponse

    @Test("what a server says decides, and is asked for once")
    func decided() throws {
        let good = try maker.responder("root", about: "site", isRevoked: false)
        let trust = try trust(Self.required)
        #expect(trust.code == errSecIncompleteCertRevocationCheck)
        trust.setTransport { good.transport($0) }
        #expect(trust.code == errSecIncompleteCertRevocationCheck && good.asked.isEmpty)
        #expect(SecTrustSetNetworkFetchAllowed(trust, true) == errSecSuccess)
        #expect(trust.code == 0)
        #expect(good.asked.count == 1)
        #expect(good.asked.allSatisfy { $0.absoluteString.hasPrefix(Self.address + "/ME") })
        let revoked = try maker.responder("root", about: "site", isRevoked: true)
        allow(trust) { revoked.transport($0) }
        #expect(trust.code == errSecCertificateRevoked)
        #expect(trust.result == .fatalTrustFailure)
    }

    @Test("who does not require an answer learns of a revocation too, and passes without an answer")
    func notRequired() throws {
        let revoked = try maker.responder("root", about: "site", isRevoked: true)
        let trust = try trust(kSecRevocationOCSPMethod)
        allow(trust) { revoked.transport($0) }
        #expect(trust.code == errSecCertificateRevoked)
        allow(trust) { _ in nil }
        #expect(trust.code == 0)
    }

    @Test("nobody is asked where no policy is about revocation, or one says not to", arguments: [false, true])
    func notAsked(isDisabled: Bool) throws {
        let trust = try trust(isDisabled ? Self.required | kSecRevocationNetworkAccessDisabled : nil)
        let count = Mutex(0)
        allow(trust) { _ in
            count.withLock { $0 += 1 }
            return nil
        }
        #expect(trust.code == (isDisabled ? errSecIncompleteCertRevocationCheck : 0))
        #expect(count.withLock { $0 } == 0)
    }

    @Test("a delegate of the authority answers for it, and a stranger or another certificate of it does not")
    func signers() throws {
        _ = try maker.make(
            "delegate", issuer: "root", extensions: "keyUsage = digitalSignature\nextendedKeyUsage = OCSPSigning\n")
        _ = try maker.make("other", issuer: "root", extensions: CertificateMaker.server)
        _ = try maker.make("stranger", extensions: CertificateMaker.authority)
        for (signer, code) in [
            ("delegate", 0), ("other", errSecIncompleteCertRevocationCheck),
            ("stranger", errSecIncompleteCertRevocationCheck),
        ] {
            let server = try maker.responder("root", about: "site", isRevoked: false, signer: signer)
            let trust = try trust(Self.required)
            allow(trust) { server.transport($0) }
            #expect(trust.code == code, "\(signer)")
            #expect(server.asked.count == 1)
            // What a stranger says of a revocation is nothing either.
            let accusing = try maker.responder("root", about: "site", isRevoked: true, signer: signer)
            allow(trust) { accusing.transport($0) }
            #expect(trust.code == (signer == "delegate" ? errSecCertificateRevoked : code), "\(signer)")
        }
    }

    @Test("an answer that is stale, about another certificate, changed, or none says nothing")
    func useless() throws {
        let server = try maker.responder("root", about: "site", isRevoked: false)
        let late = try trust(Self.required, after: 3600)
        allow(late) { server.transport($0) }
        #expect(late.code == errSecIncompleteCertRevocationCheck && server.asked.count == 1)

        let trust = try trust(Self.required)
        _ = try maker.make("other", issuer: "root", extensions: CertificateMaker.server)
        let another = try maker.response("root", about: "other", isRevoked: false)
        allow(trust) { _ in another }
        #expect(trust.code == errSecIncompleteCertRevocationCheck)
        let right = try maker.response("root", about: "site", isRevoked: false)
        allow(trust) { _ in right }
        #expect(trust.code == 0)
        // When it was made, and from when it holds; only the signature can tell.
        let times = [0, 1].map { later in
            right.indices.filter { right[$0...].starts(with: [0x18, 15]) }[later] + 16
        }
        for place in times {
            var changed = right
            changed[place - 1] ^= 1
            allow(trust) { [changed] _ in changed }
            #expect(trust.code == errSecIncompleteCertRevocationCheck)
        }
        allow(trust) { _ in Data("no answer".utf8) }
        #expect(trust.code == errSecIncompleteCertRevocationCheck)
    }

    @Test("methods are asked in the order of the policy, the second when the first says nothing")
    func methods() throws {
        let list = try maker.list("root", revoked: "site")
        let rows: [(CFOptionFlags, [String])] = [
            (kSecRevocationOCSPMethod, ["status.example"]), (kSecRevocationCRLMethod, ["lists.example"]),
            (kSecRevocationUseAnyAvailableMethod, ["status.example", "lists.example"]),
            (kSecRevocationUseAnyAvailableMethod | kSecRevocationPreferCRL, ["lists.example"]),
        ]
        for (flags, hosts) in rows {
            let trust = try trust(flags | kSecRevocationRequirePositiveResponse)
            let asked = Mutex<[String]>([])
            allow(trust) { url in
                asked.withLock { $0.append(url.host ?? "") }
                return url.host == "lists.example" ? list : nil
            }
            let isFound = hosts.contains("lists.example")
            #expect(trust.code == (isFound ? errSecCertificateRevoked : errSecIncompleteCertRevocationCheck))
            #expect(asked.withLock { $0 } == hosts)
        }
    }
}
