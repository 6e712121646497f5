// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecCertificateGetTypeID")
public func cCertificateGetTypeID() -> UInt {
    csec_type_id(csec_kind_certificate)
}

/// The function of that name for C.
@_cdecl("SecCertificateCreateWithData")
public func cCertificateCreateWithData(_ allocator: CObject?, _ data: CObject?) -> CObject? {
    Incoming.data(data).flatMap { Outgoing.object(SecCertificateCreateWithData(nil, $0)) }
}

/// The function of that name for C.
@_cdecl("SecCertificateCopyData")
public func cCertificateCopyData(_ certificate: CObject?) -> CObject? {
    Incoming.reference(certificate).flatMap { Outgoing.object(SecCertificateCopyData($0)) }
}

/// The function of that name for C.
@_cdecl("SecCertificateCopySubjectSummary")
public func cCertificateCopySubjectSummary(_ certificate: CObject?) -> CObject? {
    Incoming.reference(certificate).flatMap { Outgoing.object(SecCertificateCopySubjectSummary($0)) }
}

/// The function of that name for C.
@_cdecl("SecCertificateCopyNormalizedIssuerSequence")
public func cCertificateCopyNormalizedIssuerSequence(_ certificate: CObject?) -> CObject? {
    Incoming.reference(certificate).flatMap { Outgoing.object(SecCertificateCopyNormalizedIssuerSequence($0)) }
}

/// The function of that name for C.
@_cdecl("SecCertificateCopyNormalizedSubjectSequence")
public func cCertificateCopyNormalizedSubjectSequence(_ certificate: CObject?) -> CObject? {
    Incoming.reference(certificate).flatMap { Outgoing.object(SecCertificateCopyNormalizedSubjectSequence($0)) }
}

/// The function of that name for C.
@_cdecl("SecCertificateCopyNotValidBeforeDate")
public func cCertificateCopyNotValidBeforeDate(_ certificate: CObject?) -> CObject? {
    Incoming.reference(certificate).flatMap { Outgoing.object(SecCertificateCopyNotValidBeforeDate($0)) }
}

/// The function of that name for C.
@_cdecl("SecCertificateCopyNotValidAfterDate")
public func cCertificateCopyNotValidAfterDate(_ certificate: CObject?) -> CObject? {
    Incoming.reference(certificate).flatMap { Outgoing.object(SecCertificateCopyNotValidAfterDate($0)) }
}

/// The function of that name for C.
@_cdecl("SecCertificateCopySHA256Digest")
public func cCertificateCopySHA256Digest(_ certificate: CObject?) -> CObject? {
    Incoming.reference(certificate).flatMap { Outgoing.object(SecCertificateCopySHA256Digest($0)) }
}

/// The function of that name for C.
@_cdecl("SecCertificateCopyKey")
public func cCertificateCopyKey(_ certificate: CObject?) -> CObject? {
    Incoming.reference(certificate).flatMap { Outgoing.object(SecCertificateCopyKey($0)) }
}

/// The function of that name for C.
@_cdecl("SecCertificateCopyPublicKey")
public func cCertificateCopyPublicKey(_ certificate: CObject?) -> CObject? {
    cCertificateCopyKey(certificate)
}

/// The function of that name for C.
@_cdecl("SecCertificateCopySerialNumberData")
public func cCertificateCopySerialNumberData(_ certificate: CObject?, _ error: CResult?) -> CObject? {
    guard let certificate = Incoming.reference(certificate, SecCertificate.self) else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecCertificateCopySerialNumberData(certificate, $0) }
}

/// The function of that name for C.
@_cdecl("SecCertificateCopyCommonName")
public func cCertificateCopyCommonName(_ certificate: CObject?, _ result: CResult?) -> Int32 {
    guard let certificate = Incoming.reference(certificate, SecCertificate.self), let result else { return errSecParam }
    var object: CFString?
    let status = SecCertificateCopyCommonName(certificate, &object)
    Outgoing.set(result, object)
    return status
}

/// The function of that name for C.
@_cdecl("SecCertificateCopyEmailAddresses")
public func cCertificateCopyEmailAddresses(_ certificate: CObject?, _ result: CResult?) -> Int32 {
    guard let certificate = Incoming.reference(certificate, SecCertificate.self), let result else { return errSecParam }
    var object: CFArray?
    let status = SecCertificateCopyEmailAddresses(certificate, &object)
    Outgoing.set(result, object)
    return status
}

/// The function of that name for C.
@_cdecl("SecIdentityGetTypeID")
public func cIdentityGetTypeID() -> UInt {
    csec_type_id(csec_kind_identity)
}

/// The function of that name for C.
@_cdecl("SecIdentityCreate")
public func cIdentityCreate(_ allocator: CObject?, _ certificate: CObject?, _ privateKey: CObject?) -> CObject? {
    guard let certificate = Incoming.reference(certificate, SecCertificate.self),
        let privateKey = Incoming.reference(privateKey, SecKey.self)
    else { return nil }
    return Outgoing.object(SecIdentityCreate(nil, certificate, privateKey))
}

/// The function of that name for C.
@_cdecl("SecIdentityCopyCertificate")
public func cIdentityCopyCertificate(_ identity: CObject?, _ result: CResult?) -> Int32 {
    guard let identity = Incoming.reference(identity, SecIdentity.self), let result else { return errSecParam }
    var object: SecCertificate?
    let status = SecIdentityCopyCertificate(identity, &object)
    Outgoing.set(result, object)
    return status
}

/// The function of that name for C.
@_cdecl("SecIdentityCopyPrivateKey")
public func cIdentityCopyPrivateKey(_ identity: CObject?, _ result: CResult?) -> Int32 {
    guard let identity = Incoming.reference(identity, SecIdentity.self), let result else { return errSecParam }
    var object: SecKey?
    let status = SecIdentityCopyPrivateKey(identity, &object)
    Outgoing.set(result, object)
    return status
}
