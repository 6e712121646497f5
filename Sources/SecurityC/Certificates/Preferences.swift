// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecCertificateSetPreferred")
public func cCertificateSetPreferred(_ certificate: CObject?, _ name: CObject?, _ keyUsage: CObject?) -> Int32 {
    guard let certificate = Incoming.optional(certificate, SecCertificate.self), let name = Incoming.string(of: name),
        let keyUsage = Incoming.optional(keyUsage, Incoming.array)
    else { return errSecParam }
    return SecCertificateSetPreferred(certificate, name, keyUsage)
}

/// The function of that name for C.
@_cdecl("SecCertificateCopyPreferred")
public func cCertificateCopyPreferred(_ name: CObject?, _ keyUsage: CObject?) -> CObject? {
    guard let name = Incoming.string(of: name), let keyUsage = Incoming.optional(keyUsage, Incoming.array) else {
        return nil
    }
    return Outgoing.object(SecCertificateCopyPreferred(name, keyUsage))
}

/// The function of that name for C.
@available(*, deprecated, message: "as it is in Swift")
@_cdecl("SecCertificateSetPreference")
public func cCertificateSetPreference(_ certificate: CObject?, _ name: CObject?, _ keyUsage: UInt32, _ date: CObject?)
    -> Int32
{
    guard let certificate = Incoming.reference(certificate, SecCertificate.self), let name = Incoming.string(of: name),
        let date = Incoming.optional(date, Incoming.date)
    else { return errSecParam }
    return SecCertificateSetPreference(certificate, name, keyUsage, date)
}

/// The function of that name for C.
@available(*, deprecated, message: "as it is in Swift")
@_cdecl("SecCertificateCopyPreference")
public func cCertificateCopyPreference(_ name: CObject?, _ keyUsage: UInt32, _ certificate: CResult?) -> Int32 {
    guard let name = Incoming.string(of: name), let certificate else { return errSecParam }
    return CAnswer.status(certificate, SecCertificate.self) {
        SecCertificateCopyPreference(name, keyUsage, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecIdentityCreateWithCertificate")
public func cIdentityCreateWithCertificate(
    _ keychainOrArray: CObject?, _ certificateRef: CObject?, _ identityRef: CResult?
) -> Int32 {
    guard let keychainOrArray = Incoming.optional(keychainOrArray, Incoming.object),
        let certificateRef = Incoming.reference(certificateRef, SecCertificate.self), let identityRef
    else { return errSecParam }
    return CAnswer.status(identityRef, SecIdentity.self) {
        SecIdentityCreateWithCertificate(keychainOrArray, certificateRef, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecIdentitySetPreferred")
public func cIdentitySetPreferred(_ identity: CObject?, _ name: CObject?, _ keyUsage: CObject?) -> Int32 {
    guard let identity = Incoming.optional(identity, SecIdentity.self), let name = Incoming.string(of: name),
        let keyUsage = Incoming.optional(keyUsage, Incoming.array)
    else { return errSecParam }
    return SecIdentitySetPreferred(identity, name, keyUsage)
}

/// The function of that name for C.
@_cdecl("SecIdentityCopyPreferred")
public func cIdentityCopyPreferred(_ name: CObject?, _ keyUsage: CObject?, _ validIssuers: CObject?) -> CObject? {
    guard let name = Incoming.string(of: name), let keyUsage = Incoming.optional(keyUsage, Incoming.array),
        let validIssuers = Incoming.optional(validIssuers, Incoming.array)
    else { return nil }
    return Outgoing.object(SecIdentityCopyPreferred(name, keyUsage, validIssuers))
}

/// The function of that name for C.
@available(*, deprecated, message: "as it is in Swift")
@_cdecl("SecIdentitySetPreference")
public func cIdentitySetPreference(_ identity: CObject?, _ name: CObject?, _ keyUsage: UInt32) -> Int32 {
    guard let identity = Incoming.reference(identity, SecIdentity.self), let name = Incoming.string(of: name) else {
        return errSecParam
    }
    return SecIdentitySetPreference(identity, name, keyUsage)
}

/// The function of that name for C.
@available(*, deprecated, message: "as it is in Swift")
@_cdecl("SecIdentityCopyPreference")
public func cIdentityCopyPreference(
    _ name: CObject?, _ keyUsage: UInt32, _ validIssuers: CObject?, _ identity: CResult?
) -> Int32 {
    guard let name = Incoming.string(of: name), let validIssuers = Incoming.optional(validIssuers, Incoming.array),
        let identity
    else { return errSecParam }
    return CAnswer.status(identity, SecIdentity.self) {
        SecIdentityCopyPreference(name, keyUsage, validIssuers, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecIdentityCopySystemIdentity")
public func cIdentityCopySystemIdentity(_ domain: CObject?, _ idRef: CResult?, _ actualDomain: CResult?) -> Int32 {
    guard let domain = Incoming.string(of: domain), let idRef else { return errSecParam }
    var idRefFound: SecIdentity?
    var actualDomainFound: CFString?
    let status = SecIdentityCopySystemIdentity(domain, &idRefFound, &actualDomainFound)
    Outgoing.put(idRefFound, into: idRef)
    Outgoing.put(actualDomainFound, into: actualDomain)
    return status
}

/// The function of that name for C.
@_cdecl("SecIdentitySetSystemIdentity")
public func cIdentitySetSystemIdentity(_ domain: CObject?, _ idRef: CObject?) -> Int32 {
    guard let domain = Incoming.string(of: domain), let idRef = Incoming.optional(idRef, SecIdentity.self) else {
        return errSecParam
    }
    return SecIdentitySetSystemIdentity(domain, idRef)
}
