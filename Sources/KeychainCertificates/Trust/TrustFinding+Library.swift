// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

extension TrustFailure {
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
        case .revoked: 0
        case .invalidSignature, .malformed: 1
        case .expired, .notValidYet: 2
        case .notTrusted, .incompleteChain: 3
        case .hostNameMismatch, .emailAddressMismatch: 4
        default: 5
        }
    }
}
