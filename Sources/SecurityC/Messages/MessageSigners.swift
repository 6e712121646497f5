// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("CMSDecoderGetNumSigners")
public func cCMSDecoderGetNumSigners(_ cmsDecoder: CObject?, _ numSignersOut: UnsafeMutablePointer<Int>?) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), let numSignersOut else {
        return errSecParam
    }
    return CMSDecoderGetNumSigners(cmsDecoder, numSignersOut)
}

/// The function of that name for C.
@_cdecl("CMSDecoderCopySignerStatus")
public func cCMSDecoderCopySignerStatus(
    _ cmsDecoder: CObject?, _ signerIndex: Int, _ policyOrArray: CObject?, _ evaluateSecTrust: UInt8,
    _ signerStatusOut: UnsafeMutablePointer<UInt32>?, _ secTrustOut: CResult?,
    _ certVerifyResultCodeOut: UnsafeMutablePointer<Int32>?
) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), signerIndex >= 0,
        let policyOrArray = Incoming.object(policyOrArray)
    else { return errSecParam }
    var signerStatusOutFound: CMSSignerStatus = .unsigned
    var secTrustOutFound: SecTrust?
    let status = CMSDecoderCopySignerStatus(
        cmsDecoder, signerIndex, policyOrArray, evaluateSecTrust != 0, &signerStatusOutFound, &secTrustOutFound,
        certVerifyResultCodeOut)
    Outgoing.put(secTrustOutFound, into: secTrustOut)
    guard status == errSecSuccess else { return status }
    signerStatusOut?.pointee = signerStatusOutFound.rawValue
    return status
}

/// The function of that name for C.
@_cdecl("CMSDecoderCopySignerEmailAddress")
public func cCMSDecoderCopySignerEmailAddress(
    _ cmsDecoder: CObject?, _ signerIndex: Int, _ signerEmailAddressOut: CResult?
) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), signerIndex >= 0, let signerEmailAddressOut
    else { return errSecParam }
    return CAnswer.status(signerEmailAddressOut, CFString.self) {
        CMSDecoderCopySignerEmailAddress(cmsDecoder, signerIndex, &$0)
    }
}

/// The function of that name for C.
@_cdecl("CMSDecoderCopySignerCert")
public func cCMSDecoderCopySignerCert(_ cmsDecoder: CObject?, _ signerIndex: Int, _ signerCertOut: CResult?) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), signerIndex >= 0, let signerCertOut else {
        return errSecParam
    }
    return CAnswer.status(signerCertOut, SecCertificate.self) {
        CMSDecoderCopySignerCert(cmsDecoder, signerIndex, &$0)
    }
}

/// The function of that name for C.
@_cdecl("CMSDecoderCopySignerSigningTime")
public func cCMSDecoderCopySignerSigningTime(
    _ cmsDecoder: CObject?, _ signerIndex: Int, _ signingTime: UnsafeMutablePointer<Double>?
) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), signerIndex >= 0, let signingTime else {
        return errSecParam
    }
    return CMSDecoderCopySignerSigningTime(cmsDecoder, signerIndex, signingTime)
}

/// The function of that name for C.
@_cdecl("CMSDecoderCopySignerTimestamp")
public func cCMSDecoderCopySignerTimestamp(
    _ cmsDecoder: CObject?, _ signerIndex: Int, _ timestamp: UnsafeMutablePointer<Double>?
) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), signerIndex >= 0, let timestamp else {
        return errSecParam
    }
    return CMSDecoderCopySignerTimestamp(cmsDecoder, signerIndex, timestamp)
}

/// The function of that name for C.
@_cdecl("CMSDecoderCopySignerTimestampWithPolicy")
public func cCMSDecoderCopySignerTimestampWithPolicy(
    _ cmsDecoder: CObject?, _ timeStampPolicy: CObject?, _ signerIndex: Int, _ timestamp: UnsafeMutablePointer<Double>?
) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self),
        let timeStampPolicy = Incoming.optional(timeStampPolicy, Incoming.object), signerIndex >= 0, let timestamp
    else { return errSecParam }
    return CMSDecoderCopySignerTimestampWithPolicy(cmsDecoder, timeStampPolicy, signerIndex, timestamp)
}

/// The function of that name for C.
@_cdecl("CMSDecoderCopySignerTimestampCertificates")
public func cCMSDecoderCopySignerTimestampCertificates(
    _ cmsDecoder: CObject?, _ signerIndex: Int, _ certificateRefs: CResult?
) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), signerIndex >= 0, let certificateRefs else {
        return errSecParam
    }
    return CAnswer.status(certificateRefs, CFArray.self) {
        CMSDecoderCopySignerTimestampCertificates(cmsDecoder, signerIndex, &$0)
    }
}
