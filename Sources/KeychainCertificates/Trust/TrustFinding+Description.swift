// SPDX-License-Identifier: Apache-2.0

extension TrustFailure {
    /// What is wrong, after "The certificate".
    internal var reason: String {
        switch self {
        case .expired: "has expired"
        case .notValidYet: "is not valid yet"
        case .hostNameMismatch: "is not for this host name"
        case .emailAddressMismatch: "is not for this e-mail address"
        case .incompleteChain: "was issued by somebody whose certificate is missing"
        case .notTrusted: "is not trusted: its chain does not end at a trusted root"
        case .revoked: "was revoked"
        case .revocationUnknown: "may have been revoked: neither a list nor a response says"
        case .wrongPurpose: "may not be used for this purpose"
        case .wrongKeyUsage: "has a key that may not sign certificates"
        case .notAuthority: "is not that of a certificate authority, but signed another"
        case .pathTooLong: "is followed by more authorities than it permits"
        case .nameNotPermitted: "has a name that an authority above it does not permit"
        case .policyNotPermitted: "does not satisfy the certificate policies"
        case .unknownCriticalExtension: "has a critical extension that is not known"
        case .invalidSignature: "has a signature that is not its issuer's"
        case .weakKey: "has a key that is too weak"
        case .weakSignature: "is signed with an algorithm that is too weak"
        case .malformed: "contradicts itself"
        case .other: "was refused"
        }
    }
}

extension TrustResult {
    /// The first finding in a sentence, with the summary of the certificate it is about; nil when trusted.
    package var explanation: String? {
        guard let finding = findings.first else { return nil }
        var text = "The certificate"
        if chain.indices.contains(finding.depth), let summary = chain[finding.depth].subjectSummary {
            text += " “" + summary + "”"
        }
        text += " " + finding.failure.reason
        if finding.failure == .other { text += " (OpenSSL's code \(finding.code))" }
        return text + "."
    }
}
