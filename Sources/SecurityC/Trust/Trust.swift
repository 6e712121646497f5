// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecTrustGetTypeID")
public func cTrustGetTypeID() -> UInt {
    csec_type_id(csec_kind_trust)
}

/// The function of that name for C.
@_cdecl("SecTrustCreateWithCertificates")
public func cTrustCreateWithCertificates(_ certificates: CObject?, _ policies: CObject?, _ trust: CResult?) -> Int32 {
    let chosen = Incoming.object(policies)
    guard let certificates = Incoming.object(certificates), let trust, policies == nil || chosen != nil else {
        return errSecParam
    }
    return CAnswer.status(trust, SecTrust.self) {
        SecTrustCreateWithCertificates(certificates, chosen, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecTrustEvaluateWithError")
public func cTrustEvaluateWithError(_ trust: CObject?, _ error: CResult?) -> Bool {
    guard let trust = Incoming.reference(trust, SecTrust.self) else { return CAnswer.refused(error) != nil }
    var failure: CFError?
    let isTrusted = SecTrustEvaluateWithError(trust, &failure)
    Outgoing.set(error, failure)
    return isTrusted
}

/// The function of that name for C.
@_cdecl("SecTrustEvaluate")
public func cTrustEvaluate(_ trust: CObject?, _ result: UnsafeMutablePointer<UInt32>?) -> Int32 {
    guard let trust = Incoming.reference(trust, SecTrust.self), let result else { return errSecParam }
    SecTrustEvaluateWithError(trust, nil)
    return put(SecTrustGetTrustResult, trust, result)
}

/// The function of that name for C.
@_cdecl("SecTrustGetTrustResult")
public func cTrustGetTrustResult(_ trust: CObject?, _ result: UnsafeMutablePointer<UInt32>?) -> Int32 {
    guard let trust = Incoming.reference(trust, SecTrust.self), let result else { return errSecParam }
    return put(SecTrustGetTrustResult, trust, result)
}

private func put(
    _ call: (SecTrust, UnsafeMutablePointer<SecTrustResultType>) -> OSStatus, _ trust: SecTrust,
    _ result: UnsafeMutablePointer<UInt32>
) -> Int32 {
    var type = SecTrustResultType.invalid
    let status = call(trust, &type)
    result.pointee = type.rawValue
    return status
}

/// The function of that name for C.
@_cdecl("SecTrustCopyResult")
public func cTrustCopyResult(_ trust: CObject?) -> CObject? {
    Incoming.reference(trust).flatMap { Outgoing.object(SecTrustCopyResult($0)) }
}

/// The function of that name for C.
@_cdecl("SecTrustCopyKey")
public func cTrustCopyKey(_ trust: CObject?) -> CObject? {
    Incoming.reference(trust).flatMap { Outgoing.object(SecTrustCopyKey($0)) }
}

/// The function of that name for C.
@_cdecl("SecTrustCopyCertificateChain")
public func cTrustCopyCertificateChain(_ trust: CObject?) -> CObject? {
    Incoming.reference(trust).flatMap { Outgoing.object(SecTrustCopyCertificateChain($0)) }
}

/// The function of that name for C.
@_cdecl("SecTrustCopyPublicKey")
public func cTrustCopyPublicKey(_ trust: CObject?) -> CObject? {
    cTrustCopyKey(trust)
}

/// The function of that name for C.
@_cdecl("SecTrustGetCertificateCount")
public func cTrustGetCertificateCount(_ trust: CObject?) -> Int {
    Incoming.reference(trust).map { SecTrustGetCertificateCount($0) } ?? 0
}

/// The function of that name for C.
@_cdecl("SecTrustGetCertificateAtIndex")
public func cTrustGetCertificateAtIndex(_ trust: CObject?, _ index: Int) -> CObject? {
    guard let trust, let held = Incoming.reference(trust, SecTrust.self),
        let chain = SecTrustCopyCertificateChain(held), index >= 0, index < chain.count
    else { return nil }
    return csec_keep(trust, Outgoing.object(chain.object(at: index) as AnyObject))
}

/// The function of that name for C.
@_cdecl("SecTrustSetPolicies")
public func cTrustSetPolicies(_ trust: CObject?, _ policies: CObject?) -> Int32 {
    guard let trust = Incoming.reference(trust, SecTrust.self), let policies = Incoming.object(policies) else {
        return errSecParam
    }
    return SecTrustSetPolicies(trust, policies)
}

/// The function of that name for C.
@_cdecl("SecTrustCopyPolicies")
public func cTrustCopyPolicies(_ trust: CObject?, _ result: CResult?) -> Int32 {
    guard let trust = Incoming.reference(trust, SecTrust.self), let result else { return errSecParam }
    var array: CFArray?
    let status = SecTrustCopyPolicies(trust, &array)
    Outgoing.set(result, array)
    return status
}

/// The function of that name for C.
@_cdecl("SecTrustCopyCustomAnchorCertificates")
public func cTrustCopyCustomAnchorCertificates(_ trust: CObject?, _ result: CResult?) -> Int32 {
    guard let trust = Incoming.reference(trust, SecTrust.self), let result else { return errSecParam }
    var array: CFArray?
    let status = SecTrustCopyCustomAnchorCertificates(trust, &array)
    Outgoing.set(result, array)
    return status
}

/// The function of that name for C.
@_cdecl("SecTrustSetAnchorCertificates")
public func cTrustSetAnchorCertificates(_ trust: CObject?, _ anchors: CObject?) -> Int32 {
    let certificates = Incoming.array(anchors)
    guard let trust = Incoming.reference(trust, SecTrust.self), anchors == nil || certificates != nil else {
        return errSecParam
    }
    return SecTrustSetAnchorCertificates(trust, certificates)
}

/// The function of that name for C.
@_cdecl("SecTrustSetAnchorCertificatesOnly")
public func cTrustSetAnchorCertificatesOnly(_ trust: CObject?, _ isOn: UInt8) -> Int32 {
    Incoming.reference(trust).map { SecTrustSetAnchorCertificatesOnly($0, isOn != 0) } ?? errSecParam
}

/// The function of that name for C.
@_cdecl("SecTrustSetNetworkFetchAllowed")
public func cTrustSetNetworkFetchAllowed(_ trust: CObject?, _ isOn: UInt8) -> Int32 {
    Incoming.reference(trust).map { SecTrustSetNetworkFetchAllowed($0, isOn != 0) } ?? errSecParam
}

/// The function of that name for C.
@_cdecl("SecTrustSetVerifyDate")
public func cTrustSetVerifyDate(_ trust: CObject?, _ date: CObject?) -> Int32 {
    guard let trust = Incoming.reference(trust, SecTrust.self), let date = Incoming.object(date) as? NSDate else {
        return errSecParam
    }
    return SecTrustSetVerifyDate(trust, date)
}

/// The function of that name for C.
@_cdecl("SecTrustGetVerifyTime")
public func cTrustGetVerifyTime(_ trust: CObject?) -> Double {
    Incoming.reference(trust).map { SecTrustGetVerifyTime($0) } ?? 0
}

/// The function of that name for C.
@_cdecl("SecTrustSetOCSPResponse")
public func cTrustSetOCSPResponse(_ trust: CObject?, _ response: CObject?) -> Int32 {
    let data = Incoming.object(response)
    guard let trust = Incoming.reference(trust, SecTrust.self), response == nil || data != nil else {
        return errSecParam
    }
    return SecTrustSetOCSPResponse(trust, data)
}

/// The function of that name for C.
@_cdecl("SecTrustEvaluateAsyncWithError")
public func cTrustEvaluateAsyncWithError(
    _ trust: CObject?, _ queue: UnsafeMutableRawPointer?, _ block: UnsafeMutableRawPointer?
) -> Int32 {
    guard let trust, Incoming.reference(trust, SecTrust.self) != nil, let queue, let block else { return errSecParam }
    let isOnItsWay = csec_dispatch(queue, trust, block) { trust, error in cTrustEvaluateWithError(trust, error) }
    return isOnItsWay ? errSecSuccess : errSecAllocate
}
