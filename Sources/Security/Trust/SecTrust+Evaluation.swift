// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainCrypto
internal import KeychainStatus
public import LlaveroFoundation

/// Examines the certificates; whether they are trusted.
///
/// It blocks for some milliseconds. The network is not used.
///
/// - Parameters:
///   - trust: What is examined.
///   - error: Set to nil when they are trusted, else to an error in `NSOSStatusErrorDomain` that says what tells most
///     about the cause.
@discardableResult
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    let failure = trust.evaluate().error
    if let error = unsafe error { unsafe error.pointee = failure }
    return failure == nil
}

/// What is called with the result of an evaluation: whether the certificates are trusted, and if not, why.
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

/// Examines the certificates on a queue and calls back there, once.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus {
    let callback = Callback(call: result)
    let domains = TrustDomains.current()
    queue.async {
        let failure = trust.evaluate(domains).error
        callback.call(trust, failure == nil, failure)
    }
    return errSecSuccess
}

/// What is called with the result of an evaluation.
public typealias SecTrustCallback = (SecTrust, SecTrustResultType) -> Void

/// Examines the certificates on a queue, the main one for nil, and calls back there, once.
@available(*, deprecated, renamed: "SecTrustEvaluateAsyncWithError")
@discardableResult
public func SecTrustEvaluateAsync(
    _ trust: SecTrust, _ queue: DispatchQueue?, _ result: @escaping SecTrustCallback
) -> OSStatus {
    let callback = OlderCallback(call: result)
    let domains = TrustDomains.current()
    (queue ?? .main).async { callback.call(trust, trust.evaluate(domains).type) }
    return errSecSuccess
}

// Sendable: it is called once, on the queue that the caller chose for it.
private struct OlderCallback: @unchecked Sendable {
    let call: SecTrustCallback
}

// Sendable: it is called once, on the queue that the caller chose for it.
private struct Callback: @unchecked Sendable {
    let call: SecTrustWithErrorCallback
}

/// Examines the certificates and gives the result; the status says only that this was possible.
@available(*, deprecated, message: "SecTrustEvaluateWithError says why, too")
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    unsafe result.pointee = trust.evaluate().type
    return errSecSuccess
}

/// The certificates from the one in question to the anchor, or as far as the chain could be built.
///
/// It evaluates them unless that was done since the last change.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    trust.answer.chain.map { SecCertificate($0) } as NSArray
}

/// How many certificates the chain has; it evaluates them unless that was done since the last change.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex {
    trust.answer.chain.count
}

/// One certificate of the chain, the one in question at 0; nil where there is none.
@available(*, deprecated, message: "SecTrustCopyCertificateChain gives all of them at one time")
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    let chain = trust.answer.chain
    return chain.indices.contains(ix) ? SecCertificate(chain[ix]) : nil
}

/// Gives the result of the last evaluation; ``SecTrustResultType/invalid`` when there was none since the last change.
@discardableResult
public func SecTrustGetTrustResult(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    unsafe result.pointee = trust.lastAnswer?.type ?? .invalid
    return errSecSuccess
}

/// What the last evaluation found, with the keys ``kSecTrustEvaluationDate`` and ``kSecTrustResultValue``, and
/// ``kSecTrustRevocationChecked`` where a policy asked for that.
///
/// Nil when there was none since the last change.
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
    guard let answer = trust.lastAnswer else { return nil }
    let result: NSMutableDictionary = [
        kSecTrustEvaluationDate: NSDate(timeIntervalSinceReferenceDate: answer.date),
        kSecTrustResultValue: NSNumber(value: answer.type.rawValue),
    ]
    if answer.type == .unspecified || answer.type == .proceed, answer.revocation == .required {
        result[kSecTrustRevocationChecked] = true
    }
    return result
}

/// What an evaluation came to, and when.
struct TrustAnswer: Sendable {
    /// Seconds since 2001.
    let date: Double
    let certificate: Certificate
    let verdict: Result<TrustResult, CryptoError>
    var revocation = RevocationRule.ifKnown

    /// From the certificate itself to the anchor, or as far as it could be built; never empty.
    var chain: [Certificate] {
        guard case .success(let result) = verdict, !result.chain.isEmpty else { return [certificate] }
        return result.chain
    }

    var type: SecTrustResultType {
        switch verdict {
        case .success(let result) where result.isTrusted: result.isByPerson ? .proceed : .unspecified
        case .success(let result) where result.isDenied: .deny
        case .success(let result):
            result.findings.contains { $0.failure.isFatal } ? .fatalTrustFailure : .recoverableTrustFailure
        case .failure: .otherError
        }
    }

    /// Why it is not trusted; nil when it is.
    var error: NSError? {
        switch verdict {
        case .success(let result):
            guard let finding = result.findings.first else { return nil }
            return error(OSStatus(finding.failure), result.explanation)
        case .failure(let failure):
            return error(
                failure == .invalidParameters ? errSecInvalidTrustSettings : OSStatus(failure),
                failure == .invalidParameters
                    ? "The trust settings cannot be read, so nothing is trusted."
                    : "The certificate could not be examined (\(failure)).")
        }
    }

    private func error(_ status: OSStatus, _ explanation: String?) -> NSError {
        var information: [String: Any] = [:]
        information[NSLocalizedDescriptionKey] = explanation
        information[NSLocalizedFailureReasonErrorKey] = SecurityStatus(status).sentence
        return NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: information)
    }
}

extension TrustFailure {
    /// Whether no user and no other anchor could make up for it.
    var isFatal: Bool {
        switch self {
        case .revoked, .invalidSignature, .weakKey, .weakSignature, .malformed, .denied: true
        case .expired, .notValidYet, .hostNameMismatch, .emailAddressMismatch, .incompleteChain, .notTrusted,
            .revocationUnknown, .wrongPurpose, .wrongKeyUsage, .notAuthority, .pathTooLong, .nameNotPermitted,
            .policyNotPermitted, .unknownCriticalExtension, .other:
            false
        }
    }
}

/// What an evaluation came to.
@frozen public enum SecTrustResultType: UInt32, Sendable {
    /// There was none since the trust was made or changed.
    case invalid = 0
    /// Trusted because the trust settings, or exceptions, say so.
    case proceed = 1
    /// The user was to be asked; no longer a result anywhere.
    case confirm = 2
    /// Distrusted because the trust settings say so.
    case deny = 3
    /// Trusted.
    case unspecified = 4
    /// Not trusted; a user or other anchors might still accept it.
    case recoverableTrustFailure = 5
    /// Not trusted, and nothing can make it so: revoked, forged or too weak.
    case fatalTrustFailure = 6
    /// It could not be examined.
    case otherError = 7
}

// The keys of SecTrustCopyResult. `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// The date at which the certificate was examined.
@safe nonisolated(unsafe) public let kSecTrustEvaluationDate: CFString = "TrustEvaluationDate"
/// The ``SecTrustResultType`` as a number.
@safe nonisolated(unsafe) public let kSecTrustResultValue: CFString = "TrustResultValue"
/// Whether the certificate has extended validation; never given here.
@safe nonisolated(unsafe) public let kSecTrustExtendedValidation: CFString = "TrustExtendedValidation"
/// The organization of a certificate with extended validation; never given here.
@safe nonisolated(unsafe) public let kSecTrustOrganizationName: CFString = "Organization"
/// Whether every certificate under the anchor is known not to be revoked; given where a policy asked for that.
@safe nonisolated(unsafe) public let kSecTrustRevocationChecked: CFString = "TrustRevocationChecked"
/// Until when that check holds; never given here.
@safe nonisolated(unsafe) public let kSecTrustRevocationValidUntilDate: CFString = "TrustExpirationDate"
/// Whether the certificate stands in public logs; never given here.
@safe nonisolated(unsafe) public let kSecTrustCertificateTransparency: CFString = "TrustCertificateTransparency"
/// Whether the certificate stands in a list of those that need no log; never given here.
@safe nonisolated(unsafe) public let kSecTrustCertificateTransparencyWhiteList: CFString =
    "TrustCertificateTransparencyWhiteList"
/// What a qualified certificate says of itself; never given here.
@safe nonisolated(unsafe) public let kSecTrustQCStatements: CFString = "TrustQCStatements"
/// Whether it is a qualified certificate for websites; never given here.
@safe nonisolated(unsafe) public let kSecTrustQWACValidation: CFString = "TrustQWACValidation"

// The keys of SecTrustCopyProperties.

/// Whose certificate it is.
@safe nonisolated(unsafe) public let kSecPropertyTypeTitle: CFString = "title"
/// What is to be said against it.
@safe nonisolated(unsafe) public let kSecPropertyTypeError: CFString = "error"
