// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("CMSEncoderUpdateContent")
public func cCMSEncoderUpdateContent(_ cmsEncoder: CObject?, _ content: UnsafeRawPointer?, _ contentLen: Int) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self), let content, contentLen >= 0 else {
        return errSecParam
    }
    return CMSEncoderUpdateContent(cmsEncoder, content, contentLen)
}

/// The function of that name for C.
@_cdecl("CMSEncoderCopyEncodedContent")
public func cCMSEncoderCopyEncodedContent(_ cmsEncoder: CObject?, _ encodedContentOut: CResult?) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self), let encodedContentOut else {
        return errSecParam
    }
    return CAnswer.status(encodedContentOut, CFData.self) {
        CMSEncoderCopyEncodedContent(cmsEncoder, &$0)
    }
}

/// The function of that name for C.
@_cdecl("CMSEncoderCopySignerTimestamp")
public func cCMSEncoderCopySignerTimestamp(
    _ cmsEncoder: CObject?, _ signerIndex: Int, _ timestamp: UnsafeMutablePointer<Double>?
) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self), signerIndex >= 0, let timestamp else {
        return errSecParam
    }
    return CMSEncoderCopySignerTimestamp(cmsEncoder, signerIndex, timestamp)
}

/// The function of that name for C.
@_cdecl("CMSEncoderCopySignerTimestampWithPolicy")
public func cCMSEncoderCopySignerTimestampWithPolicy(
    _ cmsEncoder: CObject?, _ timeStampPolicy: CObject?, _ signerIndex: Int, _ timestamp: UnsafeMutablePointer<Double>?
) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self),
        let timeStampPolicy = Incoming.optional(timeStampPolicy, Incoming.object), signerIndex >= 0, let timestamp
    else { return errSecParam }
    return CMSEncoderCopySignerTimestampWithPolicy(cmsEncoder, timeStampPolicy, signerIndex, timestamp)
}

/// The function of that name for C.
@_cdecl("CMSEncodeContent")
public func cCMSEncodeContent(
    _ signers: CObject?, _ recipients: CObject?, _ eContentTypeOID: CObject?, _ detachedContent: UInt8,
    _ signedAttributes: UInt32, _ content: UnsafeRawPointer?, _ contentLen: Int, _ encodedContentOut: CResult?
) -> Int32 {
    guard let signers = Incoming.optional(signers, Incoming.object),
        let recipients = Incoming.optional(recipients, Incoming.object),
        let eContentTypeOID = Incoming.optional(eContentTypeOID, Incoming.object), let content, contentLen >= 0,
        let encodedContentOut
    else { return errSecParam }
    return CAnswer.status(encodedContentOut, CFData.self) {
        CMSEncodeContent(
            signers, recipients, eContentTypeOID, detachedContent != 0, CMSSignedAttributes(rawValue: signedAttributes),
            content, contentLen, &$0)
    }
}

/// The function of that name for C.
@available(*, deprecated, message: "as it is in Swift")
@_cdecl("CMSEncode")
public func cCMSEncode(
    _ signers: CObject?, _ recipients: CObject?, _ eContentType: UnsafeRawPointer?, _ detachedContent: UInt8,
    _ signedAttributes: UInt32, _ content: UnsafeRawPointer?, _ contentLen: Int, _ encodedContentOut: CResult?
) -> Int32 {
    guard let signers = Incoming.optional(signers, Incoming.object),
        let recipients = Incoming.optional(recipients, Incoming.object), let content, contentLen >= 0,
        let encodedContentOut
    else { return errSecParam }
    return CAnswer.status(encodedContentOut, CFData.self) {
        CMSEncode(
            signers, recipients, eContentType?.assumingMemoryBound(to: SecAsn1Item.self), detachedContent != 0,
            CMSSignedAttributes(rawValue: signedAttributes), content, contentLen, &$0)
    }
}
