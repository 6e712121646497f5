// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecPolicyGetTypeID")
public func cPolicyGetTypeID() -> UInt {
    csec_type_id(csec_kind_policy)
}

/// The function of that name for C.
@_cdecl("SecPolicyCreateBasicX509")
public func cPolicyCreateBasicX509() -> CObject? {
    Outgoing.object(SecPolicyCreateBasicX509())
}

/// The function of that name for C.
@_cdecl("SecPolicyCreateSSL")
public func cPolicyCreateSSL(_ server: UInt8, _ hostname: CObject?) -> CObject? {
    let name = Incoming.string(of: hostname)
    guard hostname == nil || name != nil else { return nil }
    return Outgoing.object(SecPolicyCreateSSL(server != 0, name))
}

/// The function of that name for C.
@_cdecl("SecPolicyCreateRevocation")
public func cPolicyCreateRevocation(_ flags: UInt) -> CObject? {
    Outgoing.object(SecPolicyCreateRevocation(flags))
}

/// The function of that name for C.
@_cdecl("SecPolicyCreateWithProperties")
public func cPolicyCreateWithProperties(_ identifier: CObject?, _ properties: CObject?) -> CObject? {
    let entries = Incoming.dictionary(properties)
    guard let identifier = Incoming.string(of: identifier), properties == nil || entries != nil else { return nil }
    return Outgoing.object(SecPolicyCreateWithProperties(identifier, entries))
}

/// The function of that name for C.
@_cdecl("SecPolicyCopyProperties")
public func cPolicyCopyProperties(_ policy: CObject?) -> CObject? {
    Incoming.reference(policy).flatMap { Outgoing.object(SecPolicyCopyProperties($0)) }
}

/// The function of that name for C.
@available(*, deprecated, message: "as it is in Swift")
@_cdecl("SecPolicyCreateWithOID")
public func cPolicyCreateWithOID(_ policyOID: CObject?) -> CObject? {
    guard let policyOID = Incoming.object(policyOID) else { return nil }
    return Outgoing.object(SecPolicyCreateWithOID(policyOID))
}

/// The function of that name for C.
@available(*, deprecated, message: "as it is in Swift")
@_cdecl("SecPolicySetProperties")
public func cPolicySetProperties(_ policyRef: CObject?, _ properties: CObject?) -> Int32 {
    guard let policyRef = Incoming.reference(policyRef, SecPolicy.self),
        let properties = Incoming.dictionary(properties)
    else { return errSecParam }
    return SecPolicySetProperties(policyRef, properties)
}
