// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
public import LlaveroFoundation

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

/// What the last evaluation found, with the keys ``kSecTrustEvaluationDate`` and ``kSecTrustResultValue``.
///
/// Nil when there was none since the last change.
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
    guard let answer = trust.lastAnswer else { return nil }
    return [
        kSecTrustEvaluationDate: NSDate(timeIntervalSinceReferenceDate: answer.date),
        kSecTrustResultValue: NSNumber(value: answer.type.rawValue),
    ] as NSDictionary
}
