// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecKeychainSearchGetTypeID")
public func cKeychainSearchGetTypeID() -> UInt {
    csec_type_id(csec_kind_keychain_search)
}

/// The function of that name for C.
@_cdecl("SecKeychainSearchCreateFromAttributes")
public func cKeychainSearchCreateFromAttributes(
    _ keychainOrArray: CObject?, _ itemClass: UInt32, _ attrList: UnsafeRawPointer?, _ searchRef: CResult?
) -> Int32 {
    guard let keychainOrArray = Incoming.optional(keychainOrArray, Incoming.object),
        let itemClass = SecItemClass(rawValue: itemClass), let searchRef
    else { return errSecParam }
    return CAnswer.status(searchRef, SecKeychainSearch.self) {
        SecKeychainSearchCreateFromAttributes(
            keychainOrArray, itemClass, attrList?.assumingMemoryBound(to: SecKeychainAttributeList.self), &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainSearchCopyNext")
public func cKeychainSearchCopyNext(_ searchRef: CObject?, _ itemRef: CResult?) -> Int32 {
    guard let searchRef = Incoming.reference(searchRef, SecKeychainSearch.self), let itemRef else { return errSecParam }
    return CAnswer.status(itemRef, SecKeychainItem.self) {
        SecKeychainSearchCopyNext(searchRef, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecIdentitySearchGetTypeID")
public func cIdentitySearchGetTypeID() -> UInt {
    csec_type_id(csec_kind_identity_search)
}

/// The function of that name for C.
@_cdecl("SecIdentitySearchCreate")
public func cIdentitySearchCreate(_ keychainOrArray: CObject?, _ keyUsage: UInt32, _ searchRef: CResult?) -> Int32 {
    guard let keychainOrArray = Incoming.optional(keychainOrArray, Incoming.object), let searchRef else {
        return errSecParam
    }
    return CAnswer.status(searchRef, SecIdentitySearch.self) {
        SecIdentitySearchCreate(keychainOrArray, keyUsage, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecIdentitySearchCopyNext")
public func cIdentitySearchCopyNext(_ searchRef: CObject?, _ identity: CResult?) -> Int32 {
    guard let searchRef = Incoming.reference(searchRef, SecIdentitySearch.self), let identity else {
        return errSecParam
    }
    return CAnswer.status(identity, SecIdentity.self) {
        SecIdentitySearchCopyNext(searchRef, &$0)
    }
}
