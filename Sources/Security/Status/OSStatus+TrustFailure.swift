// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates

/// The one table from what is said against a certificate to Apple's numbers.
extension OSStatus {
    init(_ failure: TrustFailure) {
        switch failure {
        case .expired: self = errSecCertificateExpired
        case .notValidYet: self = errSecCertificateNotValidYet
        case .hostNameMismatch: self = errSecHostNameMismatch
        case .emailAddressMismatch: self = errSecSMIMEEmailAddressesNotFound
        case .incompleteChain: self = errSecCreateChainFailed
        case .notTrusted, .other: self = errSecNotTrusted
        case .revoked: self = errSecCertificateRevoked
        case .revocationUnknown: self = errSecIncompleteCertRevocationCheck
        case .wrongPurpose: self = errSecInvalidExtendedKeyUsage
        case .wrongKeyUsage: self = errSecInvalidKeyUsageForPolicy
        case .notAuthority: self = errSecNoBasicConstraintsCA
        case .pathTooLong: self = errSecPathLengthConstraintExceeded
        case .nameNotPermitted: self = errSecCertificateNameNotAllowed
        case .policyNotPermitted: self = errSecCertificatePolicyNotAllowed
        case .unknownCriticalExtension: self = errSecUnknownCriticalExtensionFlag
        case .invalidSignature: self = errSecInvalidSignature
        case .weakKey: self = errSecUnsupportedKeySize
        case .weakSignature: self = errSecInvalidDigestAlgorithm
        case .malformed: self = errSecDecode
        }
    }

    init(_ error: TrustError) {
        switch error {
        case .outOfMemory: self = errSecAllocate
        case .library: self = errSecInternal
        }
    }
}

extension TrustFailure {
    /// Whether no user and no other anchor could make up for it.
    var isFatal: Bool {
        switch self {
        case .revoked, .invalidSignature, .weakKey, .weakSignature, .malformed: true
        case .expired, .notValidYet, .hostNameMismatch, .emailAddressMismatch, .incompleteChain, .notTrusted,
            .revocationUnknown, .wrongPurpose, .wrongKeyUsage, .notAuthority, .pathTooLong, .nameNotPermitted,
            .policyNotPermitted, .unknownCriticalExtension, .other:
            false
        }
    }
}
