// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainModel
public import LlaveroFoundation

/// A length of time in seconds.
public typealias CFTimeInterval = Double

/// A point in time, as seconds since the beginning of 2001.
public typealias CFAbsoluteTime = CFTimeInterval

/// Replaces the policies by one or an array of them; ``errSecParam`` for anything else.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    Call.status("SecTrustSetPolicies") { () throws(KeychainError) in
        let policies = try TrustInput.policies(policies)
        trust.change { $0.policies = policies }
    }
}

/// Gives the policies, in an array; basic X.509 when none was given.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    let given = trust.question.policies
    unsafe policies.pointee = (given.isEmpty ? [SecPolicyCreateBasicX509()] : given) as NSArray
    return errSecSuccess
}

/// Sets the certificates that are believed without proof, from then on instead of the system's.
///
/// ``SecTrustSetAnchorCertificatesOnly(_:_:)`` with false brings the system's back in addition. Nil takes the given ones
/// away, and the system's count again.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    Call.status("SecTrustSetAnchorCertificates") { () throws(KeychainError) in
        let anchors = anchorCertificates == nil ? nil : try TrustInput.certificates(anchorCertificates)
        trust.change { question in
            question.anchors = anchors
            question.usesOwnAnchorsOnly = anchors != nil
        }
    }
}

/// Says whether the system's anchors are left out.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.change { $0.usesOwnAnchorsOnly = anchorCertificatesOnly }
    return errSecSuccess
}

/// Gives the anchors that were set, or nil.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(
    _ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    unsafe anchors.pointee = trust.question.anchors.map { $0.map { SecCertificate($0) } as NSArray }
    return errSecSuccess
}

/// Sets the date at which the certificates have to be valid.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    let date = verifyDate.timeIntervalSinceReferenceDate
    trust.change { $0.date = date }
    return errSecSuccess
}

/// The date at which the certificates have to be valid: the one that was set, else now.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
    trust.question.date ?? Date().timeIntervalSinceReferenceDate
}

/// Sets what OCSP servers said: one response or an array of them, in DER, as a TLS server staples it; nil for none.
///
/// What is no response, or is not signed by the issuer or by somebody it charged with that, says nothing.
@discardableResult
public func SecTrustSetOCSPResponse(_ trust: SecTrust, _ responseData: CFTypeRef?) -> OSStatus {
    Call.status("SecTrustSetOCSPResponse") { () throws(KeychainError) in
        let responses = try TrustInput.data(responseData, "responseData")
        trust.change { $0.responses = responses }
    }
}

/// Accepts false; true is refused with ``errSecUnimplemented``, because nothing is ever fetched here.
///
/// A program that could fetch gives what it fetched: intermediate certificates when it makes the object, responses with
/// ``SecTrustSetOCSPResponse(_:_:)``, lists with ``SecTrust/setRevocationLists(_:)``.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    Call.status("SecTrustSetNetworkFetchAllowed") { () throws(KeychainError) in
        guard allowFetch else { return }
        throw KeychainError(
            .unimplemented,
            "the network is never used: give intermediate certificates, OCSP responses and lists to the trust object",
            subject: "allowFetch")
    }
}
