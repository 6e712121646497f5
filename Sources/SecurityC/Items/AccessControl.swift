// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecAccessControlGetTypeID")
public func cAccessControlGetTypeID() -> UInt {
    csec_type_id(csec_kind_access_control)
}

/// The function of that name for C.
@_cdecl("SecAccessControlCreateWithFlags")
public func cAccessControlCreateWithFlags(
    _ allocator: CObject?, _ protection: CObject?, _ flags: UInt, _ error: CResult?
) -> CObject? {
    guard let protection = Incoming.object(protection) else { return CAnswer.refused(error) }
    let wanted = SecAccessControlCreateFlags(rawValue: flags)
    return CAnswer.object(error) { SecAccessControlCreateWithFlags(nil, protection, wanted, $0) }
}

/// The function of that name for C.
@_cdecl("SecAccessControlCreate")
public func cAccessControlCreate(_ allocator: CObject?, _ error: CResult?) -> CObject? {
    CAnswer.object(error) { SecAccessControlCreate(nil, $0) }
}

/// The function of that name for C.
@_cdecl("SecAccessControlCreateFromData")
public func cAccessControlCreateFromData(_ allocator: CObject?, _ data: CObject?, _ error: CResult?) -> CObject? {
    guard let data = Incoming.data(data) else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecAccessControlCreateFromData(nil, data, $0) }
}

/// The function of that name for C.
@_cdecl("SecAccessControlCopyData")
public func cAccessControlCopyData(_ control: CObject?) -> CObject? {
    Incoming.reference(control).flatMap { Outgoing.object(SecAccessControlCopyData($0)) }
}

/// The function of that name for C.
@_cdecl("SecAccessControlSetProtection")
public func cAccessControlSetProtection(_ control: CObject?, _ protection: CObject?, _ error: CResult?) -> Bool {
    guard let control = Incoming.reference(control, SecAccessControl.self),
        let protection = Incoming.object(protection)
    else { return CAnswer.refused(error) != nil }
    return CAnswer.truth(error) { SecAccessControlSetProtection(control, protection, $0) }
}

/// The function of that name for C.
@_cdecl("SecAccessControlAddConstraintForOperation")
public func cAccessControlAddConstraintForOperation(
    _ control: CObject?, _ operation: CObject?, _ constraint: CObject?, _ error: CResult?
) -> Bool {
    guard let control = Incoming.reference(control, SecAccessControl.self), let operation = Incoming.object(operation),
        let constraint = Incoming.object(constraint)
    else { return CAnswer.refused(error) != nil }
    return CAnswer.truth(error) { SecAccessControlAddConstraintForOperation(control, operation, constraint, $0) }
}

/// The function of that name for C.
@_cdecl("SecAccessControlGetProtection")
public func cAccessControlGetProtection(_ control: CObject?) -> CObject? {
    guard let control, let held = Incoming.reference(control, SecAccessControl.self) else { return nil }
    return csec_keep(control, Outgoing.object(SecAccessControlGetProtection(held)))
}

/// The function of that name for C.
@_cdecl("SecAccessControlGetConstraint")
public func cAccessControlGetConstraint(_ control: CObject?, _ operation: CObject?) -> CObject? {
    guard let control, let held = Incoming.reference(control, SecAccessControl.self),
        let operation = Incoming.object(operation)
    else { return nil }
    return csec_keep(control, Outgoing.object(SecAccessControlGetConstraint(held, operation)))
}

/// The function of that name for C.
@_cdecl("SecAccessControlGetRequirePassword")
public func cAccessControlGetRequirePassword(_ control: CObject?) -> Bool {
    Incoming.reference(control).map { SecAccessControlGetRequirePassword($0) } ?? false
}

/// The function of that name for C.
@_cdecl("SecAccessControlIsBound")
public func cAccessControlIsBound(_ control: CObject?) -> Bool {
    Incoming.reference(control).map { SecAccessControlIsBound($0) } ?? false
}

/// The function of that name for C.
@_cdecl("SecAccessControlSetRequirePassword")
public func cAccessControlSetRequirePassword(_ control: CObject?, _ isOn: Bool) {
    Incoming.reference(control).map { SecAccessControlSetRequirePassword($0, isOn) }
}

/// The function of that name for C.
@_cdecl("SecAccessControlSetBound")
public func cAccessControlSetBound(_ control: CObject?, _ isOn: Bool) {
    Incoming.reference(control).map { SecAccessControlSetBound($0, isOn) }
}
