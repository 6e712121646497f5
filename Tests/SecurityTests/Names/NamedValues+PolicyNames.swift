// SPDX-License-Identifier: Apache-2.0

import Security

extension NamedValues {
    /// From Apple's headers, as far as they are remembered; the digest of the semantics does not have these.
    static var policiesAndTrust: [(constant: CFString, value: String)] {
        [
            (kSecPolicyOid, "SecPolicyOid"),
            (kSecPolicyName, "SecPolicyName"),
            (kSecPolicyClient, "SecPolicyClient"),
            (kSecPolicyRevocationFlags, "SecPolicyRevocationFlags"),
            (kSecPolicyTeamIdentifier, "SecPolicyTeamIdentifier"),
            (kSecPolicyAppleX509Basic, "1.2.840.113635.100.1.2"),
            (kSecPolicyAppleSSL, "1.2.840.113635.100.1.3"),
            (kSecPolicyAppleSMIME, "1.2.840.113635.100.1.8"),
            (kSecPolicyAppleEAP, "1.2.840.113635.100.1.9"),
            (kSecPolicyAppleIPsec, "1.2.840.113635.100.1.11"),
            (kSecPolicyApplePKINITClient, "1.2.840.113635.100.1.14"),
            (kSecPolicyApplePKINITServer, "1.2.840.113635.100.1.15"),
            (kSecPolicyAppleCodeSigning, "1.2.840.113635.100.1.16"),
            (kSecPolicyAppleIDValidation, "1.2.840.113635.100.1.18"),
            (kSecPolicyMacAppStoreReceipt, "1.2.840.113635.100.1.19"),
            (kSecPolicyAppleTimeStamping, "1.2.840.113635.100.1.20"),
            (kSecPolicyAppleRevocation, "1.2.840.113635.100.1.21"),
            (kSecPolicyApplePassbookSigning, "1.2.840.113635.100.1.22"),
            (kSecPolicyApplePayIssuerEncryption, "1.2.840.113635.100.1.39"),
            (kSecTrustEvaluationDate, "TrustEvaluationDate"),
            (kSecTrustResultValue, "TrustResultValue"),
            (kSecTrustExtendedValidation, "TrustExtendedValidation"),
            (kSecTrustOrganizationName, "Organization"),
            (kSecTrustRevocationChecked, "TrustRevocationChecked"),
            (kSecTrustRevocationValidUntilDate, "TrustExpirationDate"),
            (kSecTrustCertificateTransparency, "TrustCertificateTransparency"),
        ]
    }
}
