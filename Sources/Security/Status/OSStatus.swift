// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainCrypto
internal import KeychainExchange
internal import KeychainModel
internal import KeychainStatus
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A sentence that says what a status means, for a developer or a log; never nil.
///
/// - Parameters:
///   - status: The result of a call. For one that is not known the sentence gives its number.
///   - reserved: Not used; pass nil.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    (SecurityStatus(status).sentence ?? "OSStatus \(status)") as NSString
}

extension OSStatus {
    init(_ reason: KeychainError.Reason) { self = SecurityStatus(reason).number }

    init(_ kind: ExchangeFailure.Kind) { self = SecurityStatus(kind).number }

    /// The one table from what is said against a certificate to Apple's numbers.
    init(_ failure: TrustFailure) {
        switch failure {
        case .expired: self = errSecCertificateExpired
        case .notValidYet: self = errSecCertificateNotValidYet
        case .hostNameMismatch: self = errSecHostNameMismatch
        case .emailAddressMismatch: self = errSecSMIMEEmailAddressesNotFound
        case .incompleteChain: self = errSecCreateChainFailed
        case .notTrusted, .other: self = errSecNotTrusted
        case .revoked: self = errSecCertificateRevoked
        case .denied: self = errSecTrustSettingDeny
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

    /// Why a certificate could not be evaluated.
    init(_ error: CryptoError) {
        switch error {
        case .outOfMemory: self = errSecAllocate
        case .library, .authenticationFailed, .zeroKey, .invalidLength, .invalidParameters, .randomnessUnavailable,
            .abandoned:
            self = errSecInternal
        }
    }
}
