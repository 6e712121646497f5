// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecTaskGetTypeID")
public func cTaskGetTypeID() -> UInt {
    csec_type_id(csec_kind_task)
}

/// The function of that name for C.
@_cdecl("SecTaskCreateFromSelf")
public func cTaskCreateFromSelf(_ allocator: CObject?) -> CObject? {
    return Outgoing.object(SecTaskCreateFromSelf(nil))
}

/// The function of that name for C.
@_cdecl("SecTaskCopyValueForEntitlement")
public func cTaskCopyValueForEntitlement(_ task: CObject?, _ entitlement: CObject?, _ error: CResult?) -> CObject? {
    guard let task = Incoming.reference(task, SecTask.self), let entitlement = Incoming.string(of: entitlement) else {
        return CAnswer.refused(error)
    }
    return CAnswer.object(error) { SecTaskCopyValueForEntitlement(task, entitlement, $0) }
}

/// The function of that name for C.
@_cdecl("SecTaskCopyValuesForEntitlements")
public func cTaskCopyValuesForEntitlements(_ task: CObject?, _ entitlements: CObject?, _ error: CResult?) -> CObject? {
    guard let task = Incoming.reference(task, SecTask.self), let entitlements = Incoming.array(entitlements) else {
        return CAnswer.refused(error)
    }
    return CAnswer.object(error) { SecTaskCopyValuesForEntitlements(task, entitlements, $0) }
}

/// The function of that name for C.
@_cdecl("SecTaskCopySigningIdentifier")
public func cTaskCopySigningIdentifier(_ task: CObject?, _ error: CResult?) -> CObject? {
    guard let task = Incoming.reference(task, SecTask.self) else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecTaskCopySigningIdentifier(task, $0) }
}
