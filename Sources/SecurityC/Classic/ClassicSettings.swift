// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecKeychainSetUserInteractionAllowed")
public func cKeychainSetUserInteractionAllowed(_ state: UInt8) -> Int32 {
    return SecKeychainSetUserInteractionAllowed(state != 0)
}

/// The function of that name for C.
@_cdecl("SecKeychainGetUserInteractionAllowed")
public func cKeychainGetUserInteractionAllowed(_ state: UnsafeMutablePointer<UInt8>?) -> Int32 {
    guard let state else { return errSecParam }
    var stateFound: DarwinBoolean = false
    let status = SecKeychainGetUserInteractionAllowed(&stateFound)
    guard status == errSecSuccess else { return status }
    state.pointee = stateFound.boolValue ? 1 : 0
    return status
}

/// The function of that name for C.
@_cdecl("SecKeychainGetVersion")
public func cKeychainGetVersion(_ returnVers: UnsafeMutablePointer<UInt32>?) -> Int32 {
    guard let returnVers else { return errSecParam }
    return SecKeychainGetVersion(returnVers)
}

/// The function of that name for C.
@_cdecl("SecKeychainSetPreferenceDomain")
public func cKeychainSetPreferenceDomain(_ domain: Int32) -> Int32 {
    guard let domain = SecPreferencesDomain(rawValue: domain) else { return errSecParam }
    return SecKeychainSetPreferenceDomain(domain)
}

/// The function of that name for C.
@_cdecl("SecKeychainGetPreferenceDomain")
public func cKeychainGetPreferenceDomain(_ domain: UnsafeMutablePointer<Int32>?) -> Int32 {
    guard let domain else { return errSecParam }
    var domainFound: SecPreferencesDomain = .user
    let status = SecKeychainGetPreferenceDomain(&domainFound)
    guard status == errSecSuccess else { return status }
    domain.pointee = domainFound.rawValue
    return status
}

/// The function of that name for C.
@_cdecl("SecKeychainCopyDomainDefault")
public func cKeychainCopyDomainDefault(_ domain: Int32, _ keychain: CResult?) -> Int32 {
    guard let domain = SecPreferencesDomain(rawValue: domain), let keychain else { return errSecParam }
    return CAnswer.status(keychain, SecKeychain.self) {
        SecKeychainCopyDomainDefault(domain, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainSetDomainDefault")
public func cKeychainSetDomainDefault(_ domain: Int32, _ keychain: CObject?) -> Int32 {
    guard let domain = SecPreferencesDomain(rawValue: domain),
        let keychain = Incoming.optional(keychain, SecKeychain.self)
    else { return errSecParam }
    return SecKeychainSetDomainDefault(domain, keychain)
}

/// The function of that name for C.
@_cdecl("SecKeychainCopyDomainSearchList")
public func cKeychainCopyDomainSearchList(_ domain: Int32, _ searchList: CResult?) -> Int32 {
    guard let domain = SecPreferencesDomain(rawValue: domain), let searchList else { return errSecParam }
    return CAnswer.status(searchList, CFArray.self) {
        SecKeychainCopyDomainSearchList(domain, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainSetDomainSearchList")
public func cKeychainSetDomainSearchList(_ domain: Int32, _ searchList: CObject?) -> Int32 {
    guard let domain = SecPreferencesDomain(rawValue: domain), let searchList = Incoming.array(searchList) else {
        return errSecParam
    }
    return SecKeychainSetDomainSearchList(domain, searchList)
}

/// The function of that name for C.
@_cdecl("SecKeychainCopyAccess")
public func cKeychainCopyAccess(_ keychain: CObject?, _ access: CResult?) -> Int32 {
    guard let keychain = Incoming.optional(keychain, SecKeychain.self), let access else { return errSecParam }
    return CAnswer.status(access, SecAccess.self) {
        SecKeychainCopyAccess(keychain, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainSetAccess")
public func cKeychainSetAccess(_ keychain: CObject?, _ access: CObject?) -> Int32 {
    guard let keychain = Incoming.optional(keychain, SecKeychain.self),
        let access = Incoming.reference(access, SecAccess.self)
    else { return errSecParam }
    return SecKeychainSetAccess(keychain, access)
}
