// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecAccessCreate")
public func cAccessCreate(_ descriptor: CObject?, _ trustedlist: CObject?, _ accessRef: CResult?) -> Int32 {
    guard let descriptor = Incoming.string(of: descriptor),
        let trustedlist = Incoming.optional(trustedlist, Incoming.array), let accessRef
    else { return errSecParam }
    return CAnswer.status(accessRef, SecAccess.self) {
        SecAccessCreate(descriptor, trustedlist, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecAccessCopyACLList")
public func cAccessCopyACLList(_ accessRef: CObject?, _ aclList: CResult?) -> Int32 {
    guard let accessRef = Incoming.reference(accessRef, SecAccess.self), let aclList else { return errSecParam }
    return CAnswer.status(aclList, CFArray.self) {
        SecAccessCopyACLList(accessRef, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecAccessCopyMatchingACLList")
public func cAccessCopyMatchingACLList(_ accessRef: CObject?, _ authorizationTag: CObject?) -> CObject? {
    guard let accessRef = Incoming.reference(accessRef, SecAccess.self),
        let authorizationTag = Incoming.object(authorizationTag)
    else { return nil }
    return Outgoing.object(SecAccessCopyMatchingACLList(accessRef, authorizationTag))
}

/// The function of that name for C.
@_cdecl("SecAccessCreateWithOwnerAndACL")
public func cAccessCreateWithOwnerAndACL(
    _ userId: UInt32, _ groupId: UInt32, _ ownerType: UInt32, _ acls: CObject?, _ error: CResult?
) -> CObject? {
    guard let acls = Incoming.optional(acls, Incoming.array) else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecAccessCreateWithOwnerAndACL(userId, groupId, ownerType, acls, $0) }
}

/// The function of that name for C.
@_cdecl("SecAccessCopyOwnerAndACL")
public func cAccessCopyOwnerAndACL(
    _ accessRef: CObject?, _ userId: UnsafeMutablePointer<UInt32>?, _ groupId: UnsafeMutablePointer<UInt32>?,
    _ ownerType: UnsafeMutablePointer<UInt32>?, _ aclList: CResult?
) -> Int32 {
    guard let accessRef = Incoming.reference(accessRef, SecAccess.self) else { return errSecParam }
    return CAnswer.status(aclList, CFArray.self) {
        SecAccessCopyOwnerAndACL(accessRef, userId, groupId, ownerType, &$0)
    }
}
