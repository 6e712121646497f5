// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecKeychainItemDelete")
public func cKeychainItemDelete(_ itemRef: CObject?) -> Int32 {
    guard let itemRef = Incoming.reference(itemRef, SecKeychainItem.self) else { return errSecParam }
    return SecKeychainItemDelete(itemRef)
}

/// The function of that name for C.
@_cdecl("SecKeychainItemCopyKeychain")
public func cKeychainItemCopyKeychain(_ itemRef: CObject?, _ keychainRef: CResult?) -> Int32 {
    guard let itemRef = Incoming.reference(itemRef, SecKeychainItem.self), let keychainRef else { return errSecParam }
    return CAnswer.status(keychainRef, SecKeychain.self) {
        SecKeychainItemCopyKeychain(itemRef, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainItemCreateFromContent")
public func cKeychainItemCreateFromContent(
    _ itemClass: UInt32, _ attrList: UnsafeMutableRawPointer?, _ length: UInt32, _ data: UnsafeRawPointer?,
    _ keychainRef: CObject?, _ initialAccess: CObject?, _ itemRef: CResult?
) -> Int32 {
    guard let itemClass = SecItemClass(rawValue: itemClass),
        let keychainRef = Incoming.optional(keychainRef, SecKeychain.self),
        let initialAccess = Incoming.optional(initialAccess, SecAccess.self)
    else { return errSecParam }
    return CAnswer.status(itemRef, SecKeychainItem.self) {
        SecKeychainItemCreateFromContent(
            itemClass, attrList?.assumingMemoryBound(to: SecKeychainAttributeList.self), length, data, keychainRef,
            initialAccess, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainItemCreateCopy")
public func cKeychainItemCreateCopy(
    _ itemRef: CObject?, _ destKeychainRef: CObject?, _ initialAccess: CObject?, _ itemCopy: CResult?
) -> Int32 {
    guard let itemRef = Incoming.reference(itemRef, SecKeychainItem.self),
        let destKeychainRef = Incoming.optional(destKeychainRef, SecKeychain.self),
        let initialAccess = Incoming.optional(initialAccess, SecAccess.self)
    else { return errSecParam }
    return CAnswer.status(itemCopy, SecKeychainItem.self) {
        SecKeychainItemCreateCopy(itemRef, destKeychainRef, initialAccess, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainItemCreatePersistentReference")
public func cKeychainItemCreatePersistentReference(_ itemRef: CObject?, _ persistentItemRef: CResult?) -> Int32 {
    guard let itemRef = Incoming.reference(itemRef, SecKeychainItem.self), let persistentItemRef else {
        return errSecParam
    }
    return CAnswer.status(persistentItemRef, CFData.self) {
        SecKeychainItemCreatePersistentReference(itemRef, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainItemCopyFromPersistentReference")
public func cKeychainItemCopyFromPersistentReference(_ persistentItemRef: CObject?, _ itemRef: CResult?) -> Int32 {
    guard let persistentItemRef = Incoming.data(persistentItemRef), let itemRef else { return errSecParam }
    return CAnswer.status(itemRef, SecKeychainItem.self) {
        SecKeychainItemCopyFromPersistentReference(persistentItemRef, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainItemCopyAccess")
public func cKeychainItemCopyAccess(_ itemRef: CObject?, _ access: CResult?) -> Int32 {
    guard let itemRef = Incoming.reference(itemRef, SecKeychainItem.self), let access else { return errSecParam }
    return CAnswer.status(access, SecAccess.self) {
        SecKeychainItemCopyAccess(itemRef, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainItemSetAccess")
public func cKeychainItemSetAccess(_ itemRef: CObject?, _ access: CObject?) -> Int32 {
    guard let itemRef = Incoming.reference(itemRef, SecKeychainItem.self),
        let access = Incoming.reference(access, SecAccess.self)
    else { return errSecParam }
    return SecKeychainItemSetAccess(itemRef, access)
}
