// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("A chain is trusted to its anchor")
struct SecTrustTests {
    private let chain: MadeChain

    init() throws {
        chain = try MadeChain()
    }

    @Test("with the host's name")
    func trusted() throws {
        for host in ["www.example.com", "WWW.example.com.", "a.example.org", "192.0.2.7"] {
            let trust = try chain.trust(SecPolicyCreateSSL(true, host as NSString))
            #expect(trust.result == .invalid)
            #expect(SecTrustCopyResult(trust) == nil)
            #expect(SecTrustEvaluateWithError(trust, nil))
            #expect(trust.code == 0)
            #expect(trust.result == .unspecified)
            #expect(SecTrustGetCertificateCount(trust) == 3)
            let expected = [chain.leaf, chain.middle, chain.root]
            #expect(SecTrustCopyCertificateChain(trust) as? [SecCertificate] == expected)
            let result = try #require(SecTrustCopyResult(trust))
            #expect(result[kSecTrustResultValue] as? UInt32 == 4)
            #expect(
                (result[kSecTrustEvaluationDate] as? NSDate)?.timeIntervalSinceReferenceDate
                    == SecTrustGetVerifyTime(trust))
        }
    }

    @Test("not for another host, and the error says so")
    func wrongHost() throws {
        let trust = try chain.trust(SecPolicyCreateSSL(true, "www.example.net"))
        var error: CFError?
        #expect(!SecTrustEvaluateWithError(trust, &error))
        #expect(CFErrorGetCode(error) == Int(errSecHostNameMismatch))
        #expect(CFErrorGetDomain(error) as String? == NSOSStatusErrorDomain)
        #expect(error?.localizedDescription == "The certificate “leaf” is not for this host name.")
        #expect(error?.localizedFailureReason == SecCopyErrorMessageString(errSecHostNameMismatch, nil) as String?)
        #expect(trust.result == .recoverableTrustFailure)
        #expect(SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "www.example.com")) == errSecSuccess)
        #expect(trust.result == .invalid)
        #expect(trust.code == 0)
        #expect(
            SecTrustSetPolicies(trust, [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(false, nil)] as NSArray) == 0)
        #expect(trust.code == errSecInvalidExtendedKeyUsage)
        var policies: CFArray?
        #expect(SecTrustCopyPolicies(trust, &policies) == errSecSuccess)
        #expect(policies as? [SecPolicy] == [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(false, nil)])
    }

    @Test("from the first day to the last")
    func dates() throws {
        let trust = try chain.trust()
        let begin = try #require(SecCertificateCopyNotValidBeforeDate(chain.leaf))
        let end = try #require(SecCertificateCopyNotValidAfterDate(chain.leaf))
        for (date, code) in [
            (begin.addingTimeInterval(-3600), errSecCertificateNotValidYet), (end.addingTimeInterval(-60), 0),
            (end.addingTimeInterval(3600), errSecCertificateExpired),
        ] {
            #expect(SecTrustSetVerifyDate(trust, date as NSDate) == errSecSuccess)
            #expect(SecTrustGetVerifyTime(trust) == date.timeIntervalSinceReferenceDate)
            #expect(trust.code == code)
        }
        let now = Date().timeIntervalSinceReferenceDate
        #expect(abs(SecTrustGetVerifyTime(try chain.bareTrust()) - now) < 60)
    }

    @Test("of the caller's choice, with or without the system's")
    func anchors() throws {
        let trust = try chain.bareTrust()
        SecTrustSetVerifyDate(trust, NSDate(timeIntervalSinceNow: 5))
        #expect(trust.code == errSecCreateChainFailed)
        var anchors: CFArray? = [] as NSArray
        #expect(SecTrustCopyCustomAnchorCertificates(trust, &anchors) == errSecSuccess && anchors == nil)
        #expect(SecTrustSetAnchorCertificates(trust, [chain.root] as NSArray) == errSecSuccess)
        #expect(trust.code == 0)
        #expect(SecTrustCopyCustomAnchorCertificates(trust, &anchors) == errSecSuccess)
        #expect(anchors as? [SecCertificate] == [chain.root])
        #expect(SecTrustSetAnchorCertificatesOnly(trust, false) == errSecSuccess)
        #expect(trust.code == 0)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess)
        #expect(trust.code == 0)
        #expect(SecTrustSetAnchorCertificates(trust, [] as NSArray) == errSecSuccess)
        #expect(trust.code == errSecCreateChainFailed)
        #expect(SecTrustSetAnchorCertificates(trust, [chain.middle] as NSArray) == errSecSuccess)
        #expect(trust.code == 0)
        #expect(SecTrustSetAnchorCertificates(trust, nil) == errSecSuccess)
        #expect(trust.code == errSecCreateChainFailed)
        #expect(trust.result == .recoverableTrustFailure)
    }

    @Test("the system's are left out where only the caller's count")
    func anchorsOnly() throws {
        let bundle = try String(contentsOfFile: "/etc/ssl/certs/ca-certificates.crt", encoding: .utf8)
        let base64 =
            try #require(bundle.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().first)
            .components(separatedBy: "-----END").first ?? ""
        let der = try #require(Data(base64Encoded: base64, options: .ignoreUnknownCharacters))
        let system = try #require(SecCertificateCreateWithData(nil, der as NSData))
        var made: SecTrust?
        #expect(SecTrustCreateWithCertificates(system, SecPolicyCreateBasicX509(), &made) == errSecSuccess)
        let trust = try #require(made)
        // Whenever the test runs.
        let begin = try #require(SecCertificateCopyNotValidBeforeDate(system))
        SecTrustSetVerifyDate(trust, begin.addingTimeInterval(86400) as NSDate)
        #expect(trust.code == 0)
        SecTrustSetAnchorCertificates(trust, [chain.root] as NSArray)
        #expect(trust.code == errSecNotTrusted)
        SecTrustSetAnchorCertificatesOnly(trust, false)
        #expect(trust.code == 0)
        SecTrustSetAnchorCertificates(trust, nil)
        SecTrustSetAnchorCertificatesOnly(trust, true)
        #expect(trust.code == errSecNotTrusted)
    }

    @Test("is given in certificates and policies, and nothing else")
    func parameters() throws {
        var trust: SecTrust?
        for certificates in [NSArray(), ["a"] as NSArray, "a" as NSString, [chain.leaf, 5] as NSArray] as [NSObject] {
            #expect(SecTrustCreateWithCertificates(certificates, nil, &trust) == errSecParam)
        }
        #expect(SecTrustCreateWithCertificates(chain.leaf, chain.leaf, &trust) == errSecParam)
        #expect(trust == nil)
        let made = try chain.trust()
        #expect(SecTrustSetPolicies(made, "basic" as NSString) == errSecParam)
        #expect(SecTrustSetAnchorCertificates(made, ["root"] as NSArray) == errSecParam)
        #expect(SecTrustSetOCSPResponse(made, 5 as NSNumber) == errSecParam)
        #expect(made.code == 0)
        #expect(CFGetTypeID(made) == SecTrustGetTypeID())
        #expect(
            Set([SecTrustGetTypeID(), SecPolicyGetTypeID(), SecCertificateGetTypeID(), SecAccessControlGetTypeID()])
                .count == 4)
    }

    @Test("without the network")
    func network() throws {
        let trust = try chain.trust()
        #expect(SecTrustSetNetworkFetchAllowed(trust, false) == errSecSuccess)
        #expect(SecTrustSetNetworkFetchAllowed(trust, true) == errSecUnimplemented)
        #expect(Llavero.lastFailure?.contains("network is never used") == true)
        #expect(trust.code == 0)
    }
}
