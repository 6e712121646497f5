// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Synchronization
import Testing

@Suite("What an evaluation overlooks, and what it asks for")
struct SecTrustOptionTests {
    private let chain: MadeChain

    init() throws {
        chain = try MadeChain()
    }

    @Test("an exception holds for the certificate it was made for, and for what was wrong then")
    func exceptions() throws {
        let policy = SecPolicyCreateSSL(true, "www.example.net")
        let trust = try chain.trust(policy)
        #expect(trust.code == errSecHostNameMismatch)
        let exceptions = try #require(SecTrustCopyExceptions(trust))
        #expect(SecTrustSetExceptions(trust, exceptions))
        #expect(trust.code == 0)
        #expect(trust.result == .proceed)
        // Something else is wrong now.
        SecTrustSetVerifyDate(trust, NSDate(timeIntervalSinceNow: -86400))
        #expect(trust.code == errSecCertificateNotValidYet)
        #expect(!SecTrustSetExceptions(trust, nil))
        let other = try MadeChain().trust(policy)
        #expect(!SecTrustSetExceptions(other, exceptions))
        #expect(other.code == errSecHostNameMismatch)
        #expect(!SecTrustSetExceptions(other, Data("x".utf8) as CFData))
    }

    @Test("expiry, roots that nobody named, and revocation")
    func options() throws {
        let trust = try chain.trust()
        let end = try #require(SecCertificateCopyNotValidAfterDate(chain.leaf))
        SecTrustSetVerifyDate(trust, end.addingTimeInterval(86400) as NSDate)
        #expect(trust.code == errSecCertificateExpired)
        #expect(SecTrustSetOptions(trust, .allowExpired) == errSecSuccess)
        #expect(trust.code == errSecCertificateExpired)
        #expect(SecTrustSetOptions(trust, [.allowExpired, .allowExpiredRoot]) == errSecSuccess)
        #expect(trust.code == 0)
        #expect(SecTrustSetOptions(trust, SecTrustOptionFlags(rawValue: 0x100)) == errSecParam)
        #expect(SecTrustSetOptions(trust, .fetchIssuerFromNet) == errSecUnimplemented)

        var implicit: SecTrust?
        SecTrustCreateWithCertificates([chain.leaf, chain.middle, chain.root] as NSArray, nil, &implicit)
        let made: SecTrust = try #require(implicit)
        SecTrustSetVerifyDate(made, NSDate(timeIntervalSinceNow: 5))
        #expect(made.code == errSecNotTrusted)
        #expect(SecTrustSetOptions(made, .implicitAnchors) == errSecSuccess)
        #expect(made.code == 0)
        #expect(SecTrustSetOptions(made, [.implicitAnchors, .requireRevPerCert]) == errSecSuccess)
        #expect(made.code == errSecIncompleteCertRevocationCheck)
        let properties = try #require(SecTrustCopyProperties(made) as? [NSDictionary])
        #expect(properties.map { $0[kSecPropertyTypeTitle] as? String } == ["leaf", "middle", "root"])
        #expect(properties[0][kSecPropertyTypeError] != nil)
        #expect(SecTrustSetSignedCertificateTimestamps(made, nil) == errSecSuccess)
        #expect(SecTrustSetSignedCertificateTimestamps(made, [Data()] as NSArray) == errSecUnimplemented)
    }

    @Test("a missing issuer is fetched only when that is allowed, and by the program's own way")
    func fetching() throws {
        let maker = chain.maker
        let leaf = try maker.make(
            "far", issuer: "middle",
            extensions: CertificateMaker.server + "authorityInfoAccess = caIssuers;URI:http://ca.example/middle.der\n")
        var made: SecTrust?
        SecTrustCreateWithCertificates(leaf, nil, &made)
        let trust: SecTrust = try #require(made)
        SecTrustSetAnchorCertificates(trust, [chain.root] as NSArray)
        SecTrustSetVerifyDate(trust, NSDate(timeIntervalSinceNow: 5))
        #expect(trust.code == errSecCreateChainFailed)
        #expect(SecTrustSetNetworkFetchAllowed(trust, true) == errSecUnimplemented)
        let middle = SecCertificateCopyData(chain.middle) as Data
        let asked = Mutex<[String]>([])
        trust.setTransport { url in
            asked.withLock { $0.append(url.absoluteString) }
            return middle
        }
        #expect(trust.code == errSecCreateChainFailed)
        #expect(asked.withLock { $0 } == [])
        #expect(SecTrustSetNetworkFetchAllowed(trust, true) == errSecSuccess)
        var allowed: DarwinBoolean = false
        #expect(SecTrustGetNetworkFetchAllowed(trust, &allowed) == errSecSuccess && allowed.boolValue)
        #expect(trust.code == 0)
        #expect(asked.withLock { $0 } == ["http://ca.example/middle.der"])
        trust.setTransport { _ in Data("a stranger's".utf8) }
        #expect(trust.code == errSecCreateChainFailed)
    }

    @Test("each policy asks for its own purpose")
    func purposes() throws {
        let rows: [(CFString, String)] = [
            (kSecPolicyAppleCodeSigning, "extendedKeyUsage = codeSigning"),
            (kSecPolicyAppleTimeStamping, "extendedKeyUsage = critical, timeStamping"),
            (kSecPolicyApplePKINITClient, "extendedKeyUsage = 1.3.6.1.5.2.3.4"),
            (kSecPolicyApplePKINITServer, "extendedKeyUsage = 1.3.6.1.5.2.3.5"),
            (kSecPolicyAppleEAPServer, "extendedKeyUsage = 1.3.6.1.5.5.7.3.14"),
            (kSecPolicyAppleIPSecClient, "extendedKeyUsage = 1.3.6.1.5.5.7.3.17"),
        ]
        let wrong = try chain.maker.make("wrong", issuer: "middle", extensions: "extendedKeyUsage = OCSPSigning\n")
        for (index, (identifier, extensions)) in rows.enumerated() {
            let right = try chain.maker.make(
                "right\(index)", issuer: "middle", extensions: "keyUsage = digitalSignature\n" + extensions + "\n")
            let policy = try #require(SecPolicyCreateWithProperties(identifier, nil))
            for (certificate, code) in [(right, 0), (wrong, errSecInvalidExtendedKeyUsage)] {
                var made: SecTrust?
                SecTrustCreateWithCertificates([certificate, chain.middle] as NSArray, policy, &made)
                let trust: SecTrust = try #require(made)
                SecTrustSetAnchorCertificates(trust, [chain.root] as NSArray)
                SecTrustSetVerifyDate(trust, NSDate(timeIntervalSinceNow: 5))
                #expect(trust.code == code, "\(identifier)")
            }
        }
    }
}
