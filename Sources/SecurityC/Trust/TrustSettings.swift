// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecTrustSettingsCopyTrustSettings")
public func cTrustSettingsCopyTrustSettings(_ certRef: CObject?, _ domain: UInt32, _ trustSettings: CResult?) -> Int32 {
    guard let certRef = Incoming.reference(certRef, SecCertificate.self),
        let domain = SecTrustSettingsDomain(rawValue: domain), let trustSettings
    else { return errSecParam }
    return CAnswer.status(trustSettings, CFArray.self) {
        SecTrustSettingsCopyTrustSettings(certRef, domain, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecTrustSettingsSetTrustSettings")
public func cTrustSettingsSetTrustSettings(_ certRef: CObject?, _ domain: UInt32, _ trustSettingsDictOrArray: CObject?)
    -> Int32
{
    guard let certRef = Incoming.reference(certRef, SecCertificate.self),
        let domain = SecTrustSettingsDomain(rawValue: domain),
        let trustSettingsDictOrArray = Incoming.optional(trustSettingsDictOrArray, Incoming.object)
    else { return errSecParam }
    return SecTrustSettingsSetTrustSettings(certRef, domain, trustSettingsDictOrArray)
}

/// The function of that name for C.
@_cdecl("SecTrustSettingsRemoveTrustSettings")
public func cTrustSettingsRemoveTrustSettings(_ certRef: CObject?, _ domain: UInt32) -> Int32 {
    guard let certRef = Incoming.reference(certRef, SecCertificate.self),
        let domain = SecTrustSettingsDomain(rawValue: domain)
    else { return errSecParam }
    return SecTrustSettingsRemoveTrustSettings(certRef, domain)
}

/// The function of that name for C.
@_cdecl("SecTrustSettingsCopyCertificates")
public func cTrustSettingsCopyCertificates(_ domain: UInt32, _ certArray: CResult?) -> Int32 {
    guard let domain = SecTrustSettingsDomain(rawValue: domain) else { return errSecParam }
    return CAnswer.status(certArray, CFArray.self) {
        SecTrustSettingsCopyCertificates(domain, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecTrustSettingsCopyModificationDate")
public func cTrustSettingsCopyModificationDate(_ certRef: CObject?, _ domain: UInt32, _ modificationDate: CResult?)
    -> Int32
{
    guard let certRef = Incoming.reference(certRef, SecCertificate.self),
        let domain = SecTrustSettingsDomain(rawValue: domain), let modificationDate
    else { return errSecParam }
    return CAnswer.status(modificationDate, CFDate.self) {
        SecTrustSettingsCopyModificationDate(certRef, domain, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecTrustSettingsCreateExternalRepresentation")
public func cTrustSettingsCreateExternalRepresentation(_ domain: UInt32, _ trustSettings: CResult?) -> Int32 {
    guard let domain = SecTrustSettingsDomain(rawValue: domain), let trustSettings else { return errSecParam }
    return CAnswer.status(trustSettings, CFData.self) {
        SecTrustSettingsCreateExternalRepresentation(domain, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecTrustSettingsImportExternalRepresentation")
public func cTrustSettingsImportExternalRepresentation(_ domain: UInt32, _ trustSettings: CObject?) -> Int32 {
    guard let domain = SecTrustSettingsDomain(rawValue: domain), let trustSettings = Incoming.data(trustSettings) else {
        return errSecParam
    }
    return SecTrustSettingsImportExternalRepresentation(domain, trustSettings)
}
