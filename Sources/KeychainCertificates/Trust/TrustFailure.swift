// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Why a certificate is not trusted.
///
/// Each has one OSStatus, in `Security/Status`.
package enum TrustFailure: Hashable, Sendable, CaseIterable {
    case expired
    case notValidYet
    case hostNameMismatch
    case emailAddressMismatch
    /// An issuer is missing.
    case incompleteChain
    /// The chain ends at a certificate that is not an anchor.
    case notTrusted
    case revoked
    /// `RevocationRule.required`, and neither list nor response covers the certificate.
    case revocationUnknown
    /// The extended key usage, or what else says for what it may be used, does not fit the policy.
    case wrongPurpose
    /// The key usage does not allow it to sign certificates.
    case wrongKeyUsage
    /// An issuer is no certificate authority.
    case notAuthority
    case pathTooLong
    /// An authority may not name this.
    case nameNotPermitted
    case policyNotPermitted
    case unknownCriticalExtension
    case invalidSignature
    case weakKey
    case weakSignature
    /// It contradicts itself, or OpenSSL cannot read a part of it.
    case malformed
    /// A person or the administrator said that it is never to be trusted.
    case denied
    /// Any other refusal of OpenSSL's.
    case other
}

/// One failure, and whose it is.
package struct TrustFinding: Hashable, Sendable {
    package let failure: TrustFailure
    /// Index into the chain; 0 is the certificate itself.
    package let depth: Int
    /// OpenSSL's number (X509_V_ERR_…), 0 when it was not OpenSSL who found it.
    package let code: Int

    internal init(_ failure: TrustFailure, depth: Int, code: Int = 0) {
        self.failure = failure
        self.depth = depth
        self.code = code
    }
}

/// What an evaluation found.
package struct TrustResult: Sendable {
    /// From the certificate itself to the anchor, or as far as it could be built.
    package let chain: [Certificate]
    /// What is to say against it, the most telling first; nothing when it is trusted.
    package internal(set) var findings: [TrustFinding]
    /// Whether a person or the administrator said of a certificate of the chain that it is trusted.
    package internal(set) var isByPerson = false
    /// Whether one of them said that it never is.
    package internal(set) var isDenied = false

    package var isTrusted: Bool { findings.isEmpty }
}

extension TrustFailure {
    /// What is wrong, after "The certificate".
    internal var reason: String {
        switch self {
        case .expired: "has expired"
        case .notValidYet: "is not valid yet"
        case .hostNameMismatch: "is not for this host name"
        case .emailAddressMismatch: "is not for this e-mail address"
        case .incompleteChain: "was issued by an authority whose certificate is missing"
        case .notTrusted: "is not trusted: its chain does not end at a trusted root"
        case .revoked: "was revoked"
        case .revocationUnknown: "may have been revoked: no revocation list and no OCSP response covers it"
        case .wrongPurpose: "may not be used for this purpose"
        case .wrongKeyUsage: "has a key that may not sign certificates"
        case .notAuthority: "signed another certificate but is not a certificate authority"
        case .pathTooLong: "permits fewer certificate authorities below it than the chain has"
        case .nameNotPermitted: "has a name that an authority above it does not permit"
        case .policyNotPermitted: "does not satisfy the certificate policies"
        case .unknownCriticalExtension: "has an unknown critical extension"
        case .invalidSignature: "has a signature that is not its issuer's"
        case .weakKey: "has a key that is too weak"
        case .weakSignature: "is signed with an algorithm that is too weak"
        case .malformed: "is malformed"
        case .denied: "is not to be trusted, as the trust settings say"
        case .other: "was refused"
        }
    }

    /// What one of OpenSSL's X509_V_ERR numbers means here.
    internal init(libraryCode code: Int32) {
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: self = .notValidYet
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .hostNameMismatch
        case X509_V_ERR_EMAIL_MISMATCH: self = .emailAddressMismatch
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            self = .incompleteChain
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED,
            X509_V_ERR_CERT_REJECTED:
            self = .notTrusted
        case X509_V_ERR_CERT_REVOKED: self = .revoked
        case X509_V_ERR_INVALID_PURPOSE: self = .wrongPurpose
        case X509_V_ERR_KEYUSAGE_NO_CERTSIGN: self = .wrongKeyUsage
        case X509_V_ERR_INVALID_CA, X509_V_ERR_INVALID_NON_CA: self = .notAuthority
        case X509_V_ERR_PATH_LENGTH_EXCEEDED, X509_V_ERR_CERT_CHAIN_TOO_LONG, X509_V_ERR_PROXY_PATH_LENGTH_EXCEEDED:
            self = .pathTooLong
        case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION, X509_V_ERR_SUBTREE_MINMAX,
            X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE, X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX,
            X509_V_ERR_UNSUPPORTED_NAME_SYNTAX:
            self = .nameNotPermitted
        case X509_V_ERR_NO_EXPLICIT_POLICY, X509_V_ERR_INVALID_POLICY_EXTENSION: self = .policyNotPermitted
        case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: self = .unknownCriticalExtension
        case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE: self = .invalidSignature
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL: self = .weakKey
        case X509_V_ERR_CA_MD_TOO_WEAK: self = .weakSignature
        case X509_V_ERR_INVALID_EXTENSION, X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY,
            X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD, X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD,
            X509_V_ERR_EC_KEY_EXPLICIT_PARAMS:
            self = .malformed
        default: self = .other
        }
    }

    /// Whether a number says that a list could not be used, rather than what is wrong with a certificate.
    internal static func isAboutList(_ code: Int32) -> Bool {
        switch code {
        case X509_V_ERR_UNABLE_TO_GET_CRL, X509_V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE, X509_V_ERR_CRL_SIGNATURE_FAILURE,
            X509_V_ERR_CRL_NOT_YET_VALID, X509_V_ERR_CRL_HAS_EXPIRED, X509_V_ERR_ERROR_IN_CRL_LAST_UPDATE_FIELD,
            X509_V_ERR_ERROR_IN_CRL_NEXT_UPDATE_FIELD, X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER,
            X509_V_ERR_KEYUSAGE_NO_CRL_SIGN, X509_V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION,
            X509_V_ERR_DIFFERENT_CRL_SCOPE, X509_V_ERR_CRL_PATH_VALIDATION_ERROR:
            true
        default: false
        }
    }

    /// Whether a number says that a list is not its issuer's: nothing in it is believed.
    internal static func isForgedList(_ code: Int32) -> Bool {
        switch code {
        case X509_V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE, X509_V_ERR_CRL_SIGNATURE_FAILURE,
            X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER, X509_V_ERR_KEYUSAGE_NO_CRL_SIGN,
            X509_V_ERR_CRL_PATH_VALIDATION_ERROR:
            true
        default: false
        }
    }

    /// Where in the list of findings it comes: what tells people most about the cause first.
    // Without an anchor or an issuer nothing else is known to be true; an expired certificate is expired anyhow.
    internal var rank: Int {
        switch self {
        case .revoked, .denied: 0
        case .invalidSignature, .malformed: 1
        case .expired, .notValidYet: 2
        case .notTrusted, .incompleteChain: 3
        case .hostNameMismatch, .emailAddressMismatch: 4
        default: 5
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
