// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("A certificate is trusted for what it is for")
struct SecTrustPurposeTests {
    @Test("a person's mail")
    func email() throws {
        let chain = try MadeChain(
            leaf:
                "basicConstraints = CA:false\nextendedKeyUsage = emailProtection\nsubjectAltName = email:a@example.com\n"
        )
        for (address, code) in [
            (nil, 0), ("a@example.com", 0), ("A@Example.com", 0), ("b@example.com", errSecSMIMEEmailAddressesNotFound),
        ] as [(String?, OSStatus)] {
            let properties = address.map { [kSecPolicyName: $0] as NSDictionary }
            let policy = try #require(SecPolicyCreateWithProperties(kSecPolicyAppleSMIME, properties))
            #expect(try chain.trust(policy).code == code)
        }
        #expect(try chain.trust(SecPolicyCreateSSL(true, nil)).code == errSecInvalidExtendedKeyUsage)
    }

    @Test("one end of a connection")
    func sides() throws {
        let chain = try MadeChain(
            leaf: "basicConstraints = CA:false\nextendedKeyUsage = clientAuth\nsubjectAltName = DNS:a.example.com\n")
        #expect(try chain.trust(SecPolicyCreateSSL(false, nil)).code == 0)
        #expect(try chain.trust(SecPolicyCreateSSL(false, "a.example.com")).code == 0)
        #expect(try chain.trust(SecPolicyCreateSSL(false, "b.example.com")).code == errSecHostNameMismatch)
        #expect(try chain.trust(SecPolicyCreateSSL(true, nil)).code == errSecInvalidExtendedKeyUsage)
    }

    @Test("a signature that is not its issuer's is fatal")
    func forged() throws {
        let chain = try MadeChain()
        var der = SecCertificateCopyData(chain.leaf) as Data
        // The last bits of the signature.
        der[der.count - 1] ^= 1
        let forged = try #require(SecCertificateCreateWithData(nil, der as NSData))
        var made: SecTrust?
        SecTrustCreateWithCertificates([forged, chain.middle] as NSArray, nil, &made)
        let trust = try #require(made)
        SecTrustSetAnchorCertificates(trust, [chain.root] as NSArray)
        SecTrustSetVerifyDate(trust, NSDate(timeIntervalSinceNow: 5))
        #expect(trust.code == errSecInvalidSignature)
        #expect(trust.result == .fatalTrustFailure)
    }

    @Test("the older calls say the same")
    func older() throws {
        let chain = try MadeChain()
        let trust = try chain.trust(SecPolicyCreateSSL(true, "www.example.net"))
        let calls: any OlderCalls = Calls(trust: trust)
        #expect(calls.evaluate() == .recoverableTrustFailure)
        #expect(calls.certificate(0) == chain.leaf && calls.certificate(2) == chain.root)
        #expect(calls.certificate(3) == nil && calls.certificate(-1) == nil)
    }
}

// They are deprecated; called through a protocol they are no warning.
private protocol OlderCalls {
    func evaluate() -> SecTrustResultType?
    func certificate(_ index: Int) -> SecCertificate?
}

private struct Calls: OlderCalls {
    let trust: SecTrust

    @available(*, deprecated)
    func evaluate() -> SecTrustResultType? {
        var result = SecTrustResultType.invalid
        return SecTrustEvaluate(trust, &result) == errSecSuccess ? result : nil
    }

    @available(*, deprecated)
    func certificate(_ index: Int) -> SecCertificate? { SecTrustGetCertificateAtIndex(trust, index) }
}
