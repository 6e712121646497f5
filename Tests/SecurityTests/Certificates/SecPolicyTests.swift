// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("A policy says what it demands")
struct SecPolicyTests {
    private func properties(_ policy: SecPolicy?) -> [String: AnyHashable]? {
        policy.flatMap { SecPolicyCopyProperties($0) } as? [String: AnyHashable]
    }

    @Test("in its properties")
    func properties() {
        let ssl = "1.2.840.113635.100.1.3"
        #expect(properties(SecPolicyCreateBasicX509()) == ["SecPolicyOid": "1.2.840.113635.100.1.2"])
        #expect(properties(SecPolicyCreateSSL(true, nil)) == ["SecPolicyOid": ssl])
        #expect(
            properties(SecPolicyCreateSSL(true, "a.example")) == ["SecPolicyOid": ssl, "SecPolicyName": "a.example"])
        #expect(properties(SecPolicyCreateSSL(false, nil)) == ["SecPolicyOid": ssl, "SecPolicyClient": true])
        let revocation = SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod)
            .flatMap { SecPolicyCopyProperties($0) }
        #expect(revocation?[kSecPolicyOid] as? String == "1.2.840.113635.100.1.21")
        #expect(revocation?[kSecPolicyRevocationFlags] as? Int == 3)
        #expect(revocation?.count == 2)
        #expect(SecPolicyCreateRevocation(0) == nil)
    }

    @Test("and can be made from them again")
    func fromProperties() throws {
        let policies = [
            SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, nil), SecPolicyCreateSSL(true, "a.example"),
            SecPolicyCreateSSL(false, "b.example"), SecPolicyCreateRevocation(kSecRevocationRequirePositiveResponse),
            SecPolicyCreateWithProperties(kSecPolicyAppleCodeSigning, nil),
            SecPolicyCreateWithProperties(kSecPolicyAppleTimeStamping, nil),
            SecPolicyCreateWithProperties(kSecPolicyAppleIPSecClient, [kSecPolicyName: "vpn.example"] as NSDictionary),
            SecPolicyCreateWithProperties(kSecPolicyApplePKINITServer, nil),
            SecPolicyCreateWithProperties(kSecPolicyAppleSMIME, [kSecPolicyName: "a@example.com"] as NSDictionary),
        ]
        for policy in policies {
            let policy = try #require(policy)
            let properties = try #require(SecPolicyCopyProperties(policy))
            let identifier = try #require(properties[kSecPolicyOid] as? String)
            let again = try #require(SecPolicyCreateWithProperties(identifier as NSString, properties))
            #expect(again == policy && again.hash == policy.hash)
            #expect(CFGetTypeID(again) == SecPolicyGetTypeID())
        }
        #expect(Set(policies).count == policies.count)
    }

    @Test("what could not be checked is no policy")
    func refused() {
        for identifier in [kSecPolicyAppleiChat, kSecPolicyAppleIDValidation, kSecPolicyMacAppStoreReceipt, "1.2.3"] {
            #expect(SecPolicyCreateWithProperties(identifier, nil) == nil)
        }
        #expect(SecPolicyCreateWithProperties(5 as NSNumber, nil) == nil)
        let wrong: [(CFString, [CFString: Any])] = [
            (kSecPolicyAppleSSL, [kSecPolicyName: 5]), (kSecPolicyAppleSSL, [kSecPolicyName: ["a", "b"]]),
            (kSecPolicyAppleSSL, [kSecPolicyClient: "yes"]), (kSecPolicyAppleSSL, ["Other": 1]),
            (kSecPolicyAppleSSL, [kSecPolicyTeamIdentifier: "team"]),
            (kSecPolicyAppleSSL, [kSecPolicyOid: kSecPolicyAppleX509Basic]),
            (kSecPolicyAppleX509Basic, [kSecPolicyName: "a.example"]),
            (kSecPolicyAppleSMIME, [kSecPolicyClient: true]),
            (kSecPolicyAppleRevocation, [kSecPolicyRevocationFlags: -1]),
            (kSecPolicyAppleRevocation, [kSecPolicyRevocationFlags: 1.5]),
            (kSecPolicyAppleRevocation, [kSecPolicyRevocationFlags: 0]),
        ]
        for (identifier, properties) in wrong {
            #expect(SecPolicyCreateWithProperties(identifier, properties as NSDictionary) == nil)
        }
    }
}
