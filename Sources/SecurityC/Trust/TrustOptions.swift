// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecTrustSetOptions")
public func cTrustSetOptions(_ trustRef: CObject?, _ options: UInt32) -> Int32 {
    guard let trustRef = Incoming.reference(trustRef, SecTrust.self) else { return errSecParam }
    return SecTrustSetOptions(trustRef, SecTrustOptionFlags(rawValue: options))
}

/// The function of that name for C.
@_cdecl("SecTrustCopyExceptions")
public func cTrustCopyExceptions(_ trust: CObject?) -> CObject? {
    guard let trust = Incoming.reference(trust, SecTrust.self) else { return nil }
    return Outgoing.object(SecTrustCopyExceptions(trust))
}

/// The function of that name for C.
@_cdecl("SecTrustSetExceptions")
public func cTrustSetExceptions(_ trust: CObject?, _ exceptions: CObject?) -> Bool {
    guard let trust = Incoming.reference(trust, SecTrust.self),
        let exceptions = Incoming.optional(exceptions, Incoming.data)
    else { return false }
    return SecTrustSetExceptions(trust, exceptions)
}

/// The function of that name for C.
@_cdecl("SecTrustCopyAnchorCertificates")
public func cTrustCopyAnchorCertificates(_ anchors: CResult?) -> Int32 {
    guard let anchors else { return errSecParam }
    return CAnswer.status(anchors, CFArray.self) {
        SecTrustCopyAnchorCertificates(&$0)
    }
}

/// The function of that name for C.
@_cdecl("SecTrustCopyProperties")
public func cTrustCopyProperties(_ trust: CObject?) -> CObject? {
    guard let trust = Incoming.reference(trust, SecTrust.self) else { return nil }
    return Outgoing.object(SecTrustCopyProperties(trust))
}

/// The function of that name for C.
@available(*, deprecated, message: "as it is in Swift")
@_cdecl("SecTrustSetKeychains")
public func cTrustSetKeychains(_ trust: CObject?, _ keychainOrArray: CObject?) -> Int32 {
    guard let trust = Incoming.reference(trust, SecTrust.self),
        let keychainOrArray = Incoming.optional(keychainOrArray, Incoming.object)
    else { return errSecParam }
    return SecTrustSetKeychains(trust, keychainOrArray)
}

/// The function of that name for C.
@_cdecl("SecTrustSetSignedCertificateTimestamps")
public func cTrustSetSignedCertificateTimestamps(_ trust: CObject?, _ sctArray: CObject?) -> Int32 {
    guard let trust = Incoming.reference(trust, SecTrust.self),
        let sctArray = Incoming.optional(sctArray, Incoming.array)
    else { return errSecParam }
    return SecTrustSetSignedCertificateTimestamps(trust, sctArray)
}

/// The function of that name for C.
@_cdecl("SecTrustGetNetworkFetchAllowed")
public func cTrustGetNetworkFetchAllowed(_ trust: CObject?, _ allowFetch: UnsafeMutablePointer<UInt8>?) -> Int32 {
    guard let trust = Incoming.reference(trust, SecTrust.self), let allowFetch else { return errSecParam }
    var allowFetchFound: DarwinBoolean = false
    let status = SecTrustGetNetworkFetchAllowed(trust, &allowFetchFound)
    guard status == errSecSuccess else { return status }
    allowFetch.pointee = allowFetchFound.boolValue ? 1 : 0
    return status
}
