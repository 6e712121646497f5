// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("CMSDecoderGetTypeID")
public func cCMSDecoderGetTypeID() -> UInt {
    csec_type_id(csec_kind_cms_decoder)
}

/// The function of that name for C.
@_cdecl("CMSDecoderCreate")
public func cCMSDecoderCreate(_ cmsDecoderOut: CResult?) -> Int32 {
    guard let cmsDecoderOut else { return errSecParam }
    return CAnswer.status(cmsDecoderOut, CMSDecoder.self) {
        CMSDecoderCreate(&$0)
    }
}

/// The function of that name for C.
@_cdecl("CMSDecoderUpdateMessage")
public func cCMSDecoderUpdateMessage(_ cmsDecoder: CObject?, _ msgBytes: UnsafeRawPointer?, _ msgBytesLen: Int) -> Int32
{
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), let msgBytes, msgBytesLen >= 0 else {
        return errSecParam
    }
    return CMSDecoderUpdateMessage(cmsDecoder, msgBytes, msgBytesLen)
}

/// The function of that name for C.
@_cdecl("CMSDecoderFinalizeMessage")
public func cCMSDecoderFinalizeMessage(_ cmsDecoder: CObject?) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self) else { return errSecParam }
    return CMSDecoderFinalizeMessage(cmsDecoder)
}

/// The function of that name for C.
@_cdecl("CMSDecoderSetDetachedContent")
public func cCMSDecoderSetDetachedContent(_ cmsDecoder: CObject?, _ detachedContent: CObject?) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self),
        let detachedContent = Incoming.data(detachedContent)
    else { return errSecParam }
    return CMSDecoderSetDetachedContent(cmsDecoder, detachedContent)
}

/// The function of that name for C.
@_cdecl("CMSDecoderCopyDetachedContent")
public func cCMSDecoderCopyDetachedContent(_ cmsDecoder: CObject?, _ detachedContentOut: CResult?) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), let detachedContentOut else {
        return errSecParam
    }
    return CAnswer.status(detachedContentOut, CFData.self) {
        CMSDecoderCopyDetachedContent(cmsDecoder, &$0)
    }
}

/// The function of that name for C.
@_cdecl("CMSDecoderSetSearchKeychain")
public func cCMSDecoderSetSearchKeychain(_ cmsDecoder: CObject?, _ keychainOrArray: CObject?) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self),
        let keychainOrArray = Incoming.object(keychainOrArray)
    else { return errSecParam }
    return CMSDecoderSetSearchKeychain(cmsDecoder, keychainOrArray)
}

/// The function of that name for C.
@_cdecl("CMSDecoderIsContentEncrypted")
public func cCMSDecoderIsContentEncrypted(_ cmsDecoder: CObject?, _ isEncryptedOut: UnsafeMutablePointer<UInt8>?)
    -> Int32
{
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), let isEncryptedOut else {
        return errSecParam
    }
    var isEncryptedOutFound: DarwinBoolean = false
    let status = CMSDecoderIsContentEncrypted(cmsDecoder, &isEncryptedOutFound)
    guard status == errSecSuccess else { return status }
    isEncryptedOut.pointee = isEncryptedOutFound.boolValue ? 1 : 0
    return status
}

/// The function of that name for C.
@_cdecl("CMSDecoderCopyEncapsulatedContentType")
public func cCMSDecoderCopyEncapsulatedContentType(_ cmsDecoder: CObject?, _ eContentTypeOut: CResult?) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), let eContentTypeOut else {
        return errSecParam
    }
    return CAnswer.status(eContentTypeOut, CFData.self) {
        CMSDecoderCopyEncapsulatedContentType(cmsDecoder, &$0)
    }
}

/// The function of that name for C.
@_cdecl("CMSDecoderCopyAllCerts")
public func cCMSDecoderCopyAllCerts(_ cmsDecoder: CObject?, _ certsOut: CResult?) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), let certsOut else { return errSecParam }
    return CAnswer.status(certsOut, CFArray.self) {
        CMSDecoderCopyAllCerts(cmsDecoder, &$0)
    }
}

/// The function of that name for C.
@_cdecl("CMSDecoderCopyContent")
public func cCMSDecoderCopyContent(_ cmsDecoder: CObject?, _ contentOut: CResult?) -> Int32 {
    guard let cmsDecoder = Incoming.reference(cmsDecoder, CMSDecoder.self), let contentOut else { return errSecParam }
    return CAnswer.status(contentOut, CFData.self) {
        CMSDecoderCopyContent(cmsDecoder, &$0)
    }
}
