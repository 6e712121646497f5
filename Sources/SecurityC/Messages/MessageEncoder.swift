// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("CMSEncoderGetTypeID")
public func cCMSEncoderGetTypeID() -> UInt {
    csec_type_id(csec_kind_cms_encoder)
}

/// The function of that name for C.
@_cdecl("CMSEncoderCreate")
public func cCMSEncoderCreate(_ cmsEncoderOut: CResult?) -> Int32 {
    guard let cmsEncoderOut else { return errSecParam }
    return CAnswer.status(cmsEncoderOut, CMSEncoder.self) {
        CMSEncoderCreate(&$0)
    }
}

/// The function of that name for C.
@_cdecl("CMSEncoderAddSigners")
public func cCMSEncoderAddSigners(_ cmsEncoder: CObject?, _ signerOrArray: CObject?) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self),
        let signerOrArray = Incoming.object(signerOrArray)
    else { return errSecParam }
    return CMSEncoderAddSigners(cmsEncoder, signerOrArray)
}

/// The function of that name for C.
@_cdecl("CMSEncoderCopySigners")
public func cCMSEncoderCopySigners(_ cmsEncoder: CObject?, _ signersOut: CResult?) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self), let signersOut else { return errSecParam }
    return CAnswer.status(signersOut, CFArray.self) {
        CMSEncoderCopySigners(cmsEncoder, &$0)
    }
}

/// The function of that name for C.
@_cdecl("CMSEncoderAddRecipients")
public func cCMSEncoderAddRecipients(_ cmsEncoder: CObject?, _ recipientOrArray: CObject?) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self),
        let recipientOrArray = Incoming.object(recipientOrArray)
    else { return errSecParam }
    return CMSEncoderAddRecipients(cmsEncoder, recipientOrArray)
}

/// The function of that name for C.
@_cdecl("CMSEncoderCopyRecipients")
public func cCMSEncoderCopyRecipients(_ cmsEncoder: CObject?, _ recipientsOut: CResult?) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self), let recipientsOut else {
        return errSecParam
    }
    return CAnswer.status(recipientsOut, CFArray.self) {
        CMSEncoderCopyRecipients(cmsEncoder, &$0)
    }
}

/// The function of that name for C.
@_cdecl("CMSEncoderSetHasDetachedContent")
public func cCMSEncoderSetHasDetachedContent(_ cmsEncoder: CObject?, _ detachedContent: UInt8) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self) else { return errSecParam }
    return CMSEncoderSetHasDetachedContent(cmsEncoder, detachedContent != 0)
}

/// The function of that name for C.
@_cdecl("CMSEncoderGetHasDetachedContent")
public func cCMSEncoderGetHasDetachedContent(_ cmsEncoder: CObject?, _ detachedContentOut: UnsafeMutablePointer<UInt8>?)
    -> Int32
{
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self), let detachedContentOut else {
        return errSecParam
    }
    var detachedContentOutFound: DarwinBoolean = false
    let status = CMSEncoderGetHasDetachedContent(cmsEncoder, &detachedContentOutFound)
    guard status == errSecSuccess else { return status }
    detachedContentOut.pointee = detachedContentOutFound.boolValue ? 1 : 0
    return status
}

/// The function of that name for C.
@available(*, deprecated, message: "as it is in Swift")
@_cdecl("CMSEncoderSetEncapsulatedContentType")
public func cCMSEncoderSetEncapsulatedContentType(_ cmsEncoder: CObject?, _ eContentType: UnsafeRawPointer?) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self), let eContentType else { return errSecParam }
    return CMSEncoderSetEncapsulatedContentType(cmsEncoder, eContentType.assumingMemoryBound(to: SecAsn1Item.self))
}

/// The function of that name for C.
@_cdecl("CMSEncoderSetEncapsulatedContentTypeOID")
public func cCMSEncoderSetEncapsulatedContentTypeOID(_ cmsEncoder: CObject?, _ eContentTypeOID: CObject?) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self),
        let eContentTypeOID = Incoming.object(eContentTypeOID)
    else { return errSecParam }
    return CMSEncoderSetEncapsulatedContentTypeOID(cmsEncoder, eContentTypeOID)
}

/// The function of that name for C.
@_cdecl("CMSEncoderCopyEncapsulatedContentType")
public func cCMSEncoderCopyEncapsulatedContentType(_ cmsEncoder: CObject?, _ eContentTypeOut: CResult?) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self), let eContentTypeOut else {
        return errSecParam
    }
    return CAnswer.status(eContentTypeOut, CFData.self) {
        CMSEncoderCopyEncapsulatedContentType(cmsEncoder, &$0)
    }
}

/// The function of that name for C.
@_cdecl("CMSEncoderAddSupportingCerts")
public func cCMSEncoderAddSupportingCerts(_ cmsEncoder: CObject?, _ certOrArray: CObject?) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self),
        let certOrArray = Incoming.object(certOrArray)
    else { return errSecParam }
    return CMSEncoderAddSupportingCerts(cmsEncoder, certOrArray)
}

/// The function of that name for C.
@_cdecl("CMSEncoderCopySupportingCerts")
public func cCMSEncoderCopySupportingCerts(_ cmsEncoder: CObject?, _ certsOut: CResult?) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self), let certsOut else { return errSecParam }
    return CAnswer.status(certsOut, CFArray.self) {
        CMSEncoderCopySupportingCerts(cmsEncoder, &$0)
    }
}

/// The function of that name for C.
@_cdecl("CMSEncoderAddSignedAttributes")
public func cCMSEncoderAddSignedAttributes(_ cmsEncoder: CObject?, _ signedAttributes: UInt32) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self) else { return errSecParam }
    return CMSEncoderAddSignedAttributes(cmsEncoder, CMSSignedAttributes(rawValue: signedAttributes))
}

/// The function of that name for C.
@_cdecl("CMSEncoderSetSignerAlgorithm")
public func cCMSEncoderSetSignerAlgorithm(_ cmsEncoder: CObject?, _ digestAlgorithm: CObject?) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self),
        let digestAlgorithm = Incoming.string(of: digestAlgorithm)
    else { return errSecParam }
    return CMSEncoderSetSignerAlgorithm(cmsEncoder, digestAlgorithm)
}

/// The function of that name for C.
@_cdecl("CMSEncoderSetCertificateChainMode")
public func cCMSEncoderSetCertificateChainMode(_ cmsEncoder: CObject?, _ chainMode: UInt32) -> Int32 {
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self),
        let chainMode = CMSCertificateChainMode(rawValue: chainMode)
    else { return errSecParam }
    return CMSEncoderSetCertificateChainMode(cmsEncoder, chainMode)
}

/// The function of that name for C.
@_cdecl("CMSEncoderGetCertificateChainMode")
public func cCMSEncoderGetCertificateChainMode(_ cmsEncoder: CObject?, _ chainModeOut: UnsafeMutablePointer<UInt32>?)
    -> Int32
{
    guard let cmsEncoder = Incoming.reference(cmsEncoder, CMSEncoder.self), let chainModeOut else { return errSecParam }
    var chainModeOutFound: CMSCertificateChainMode = .none
    let status = CMSEncoderGetCertificateChainMode(cmsEncoder, &chainModeOutFound)
    guard status == errSecSuccess else { return status }
    chainModeOut.pointee = chainModeOutFound.rawValue
    return status
}
