// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecACLGetTypeID")
public func cACLGetTypeID() -> UInt {
    csec_type_id(csec_kind_acl)
}

/// The function of that name for C.
@_cdecl("SecACLCreateWithSimpleContents")
public func cACLCreateWithSimpleContents(
    _ access: CObject?, _ applicationList: CObject?, _ description: CObject?, _ promptSelector: UInt16,
    _ newAcl: CResult?
) -> Int32 {
    guard let access = Incoming.reference(access, SecAccess.self),
        let applicationList = Incoming.optional(applicationList, Incoming.array),
        let description = Incoming.string(of: description), let newAcl
    else { return errSecParam }
    return CAnswer.status(newAcl, SecACL.self) {
        SecACLCreateWithSimpleContents(
            access, applicationList, description, SecKeychainPromptSelector(rawValue: promptSelector), &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecACLRemove")
public func cACLRemove(_ aclRef: CObject?) -> Int32 {
    guard let aclRef = Incoming.reference(aclRef, SecACL.self) else { return errSecParam }
    return SecACLRemove(aclRef)
}

/// The function of that name for C.
@_cdecl("SecACLCopyContents")
public func cACLCopyContents(
    _ acl: CObject?, _ applicationList: CResult?, _ description: CResult?,
    _ promptSelector: UnsafeMutablePointer<UInt16>?
) -> Int32 {
    guard let acl = Incoming.reference(acl, SecACL.self), let applicationList, let description, let promptSelector
    else { return errSecParam }
    var applicationListFound: CFArray?
    var descriptionFound: CFString?
    var promptSelectorFound: SecKeychainPromptSelector = []
    let status = SecACLCopyContents(acl, &applicationListFound, &descriptionFound, &promptSelectorFound)
    Outgoing.put(applicationListFound, into: applicationList)
    Outgoing.put(descriptionFound, into: description)
    guard status == errSecSuccess else { return status }
    promptSelector.pointee = promptSelectorFound.rawValue
    return status
}

/// The function of that name for C.
@_cdecl("SecACLSetContents")
public func cACLSetContents(
    _ acl: CObject?, _ applicationList: CObject?, _ description: CObject?, _ promptSelector: UInt16
) -> Int32 {
    guard let acl = Incoming.reference(acl, SecACL.self),
        let applicationList = Incoming.optional(applicationList, Incoming.array),
        let description = Incoming.string(of: description)
    else { return errSecParam }
    return SecACLSetContents(acl, applicationList, description, SecKeychainPromptSelector(rawValue: promptSelector))
}

/// The function of that name for C.
@_cdecl("SecACLCopyAuthorizations")
public func cACLCopyAuthorizations(_ acl: CObject?) -> CObject? {
    guard let acl = Incoming.reference(acl, SecACL.self) else { return nil }
    return Outgoing.object(SecACLCopyAuthorizations(acl))
}

/// The function of that name for C.
@_cdecl("SecACLUpdateAuthorizations")
public func cACLUpdateAuthorizations(_ acl: CObject?, _ authorizations: CObject?) -> Int32 {
    guard let acl = Incoming.reference(acl, SecACL.self), let authorizations = Incoming.array(authorizations) else {
        return errSecParam
    }
    return SecACLUpdateAuthorizations(acl, authorizations)
}

/// The function of that name for C.
@_cdecl("SecTrustedApplicationGetTypeID")
public func cTrustedApplicationGetTypeID() -> UInt {
    csec_type_id(csec_kind_trusted_application)
}

/// The function of that name for C.
@_cdecl("SecTrustedApplicationCreateFromPath")
public func cTrustedApplicationCreateFromPath(_ path: UnsafePointer<CChar>?, _ app: CResult?) -> Int32 {
    guard let app else { return errSecParam }
    return CAnswer.status(app, SecTrustedApplication.self) {
        SecTrustedApplicationCreateFromPath(path, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecTrustedApplicationCopyData")
public func cTrustedApplicationCopyData(_ appRef: CObject?, _ data: CResult?) -> Int32 {
    guard let appRef = Incoming.reference(appRef, SecTrustedApplication.self), let data else { return errSecParam }
    return CAnswer.status(data, CFData.self) {
        SecTrustedApplicationCopyData(appRef, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecTrustedApplicationSetData")
public func cTrustedApplicationSetData(_ appRef: CObject?, _ data: CObject?) -> Int32 {
    guard let appRef = Incoming.reference(appRef, SecTrustedApplication.self), let data = Incoming.data(data) else {
        return errSecParam
    }
    return SecTrustedApplicationSetData(appRef, data)
}
