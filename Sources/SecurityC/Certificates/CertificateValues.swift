// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecCertificateCopyValues")
public func cCertificateCopyValues(_ certificate: CObject?, _ keys: CObject?, _ error: CResult?) -> CObject? {
    guard let certificate = Incoming.reference(certificate, SecCertificate.self),
        let keys = Incoming.optional(keys, Incoming.array)
    else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecCertificateCopyValues(certificate, keys, $0) }
}

/// The function of that name for C.
@_cdecl("SecCertificateCopyShortDescription")
public func cCertificateCopyShortDescription(_ alloc: CObject?, _ certificate: CObject?, _ error: CResult?) -> CObject?
{
    guard let certificate = Incoming.reference(certificate, SecCertificate.self) else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecCertificateCopyShortDescription(nil, certificate, $0) }
}

/// The function of that name for C.
@_cdecl("SecCertificateCopyLongDescription")
public func cCertificateCopyLongDescription(_ alloc: CObject?, _ certificate: CObject?, _ error: CResult?) -> CObject? {
    guard let certificate = Incoming.reference(certificate, SecCertificate.self) else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecCertificateCopyLongDescription(nil, certificate, $0) }
}

/// The function of that name for C.
@available(*, deprecated, message: "as it is in Swift")
@_cdecl("SecCertificateCopySerialNumber")
public func cCertificateCopySerialNumber(_ certificate: CObject?, _ error: CResult?) -> CObject? {
    guard let certificate = Incoming.reference(certificate, SecCertificate.self) else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecCertificateCopySerialNumber(certificate, $0) }
}

/// The function of that name for C.
@available(*, deprecated, message: "as it is in Swift")
@_cdecl("SecCertificateCopyNormalizedIssuerContent")
public func cCertificateCopyNormalizedIssuerContent(_ certificate: CObject?, _ error: CResult?) -> CObject? {
    guard let certificate = Incoming.reference(certificate, SecCertificate.self) else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecCertificateCopyNormalizedIssuerContent(certificate, $0) }
}

/// The function of that name for C.
@available(*, deprecated, message: "as it is in Swift")
@_cdecl("SecCertificateCopyNormalizedSubjectContent")
public func cCertificateCopyNormalizedSubjectContent(_ certificate: CObject?, _ error: CResult?) -> CObject? {
    guard let certificate = Incoming.reference(certificate, SecCertificate.self) else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecCertificateCopyNormalizedSubjectContent(certificate, $0) }
}

/// The function of that name for C.
@_cdecl("SecCertificateAddToKeychain")
public func cCertificateAddToKeychain(_ certificate: CObject?, _ keychain: CObject?) -> Int32 {
    guard let certificate = Incoming.reference(certificate, SecCertificate.self),
        let keychain = Incoming.optional(keychain, SecKeychain.self)
    else { return errSecParam }
    return SecCertificateAddToKeychain(certificate, keychain)
}
