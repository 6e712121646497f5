// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

// The structures of attributes are the same bytes in C and in Swift: tags and lengths of 32 bits, and pointers.

/// The function of that name for C.
@_cdecl("SecKeychainItemCopyContent")
public func cKeychainItemCopyContent(
    _ itemRef: CObject?, _ itemClass: UnsafeMutablePointer<UInt32>?, _ attrList: UnsafeMutableRawPointer?,
    _ length: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    guard let itemRef = Incoming.reference(itemRef, SecKeychainItem.self) else { return errSecParam }
    var itemClassFound: SecItemClass = .genericPasswordItemClass
    let status = SecKeychainItemCopyContent(
        itemRef, &itemClassFound, attrList?.assumingMemoryBound(to: SecKeychainAttributeList.self), length, outData)
    guard status == errSecSuccess else { return status }
    itemClass?.pointee = itemClassFound.rawValue
    return status
}

/// The function of that name for C.
@_cdecl("SecKeychainItemFreeContent")
public func cKeychainItemFreeContent(_ attrList: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?) -> Int32 {
    return SecKeychainItemFreeContent(attrList?.assumingMemoryBound(to: SecKeychainAttributeList.self), data)
}

/// The function of that name for C.
@_cdecl("SecKeychainItemCopyAttributesAndData")
public func cKeychainItemCopyAttributesAndData(
    _ itemRef: CObject?, _ info: UnsafeMutableRawPointer?, _ itemClass: UnsafeMutablePointer<UInt32>?,
    _ attrList: UnsafeMutableRawPointer?, _ length: UnsafeMutablePointer<UInt32>?,
    _ outData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    guard let itemRef = Incoming.reference(itemRef, SecKeychainItem.self) else { return errSecParam }
    var itemClassFound: SecItemClass = .genericPasswordItemClass
    let status = SecKeychainItemCopyAttributesAndData(
        itemRef, info?.assumingMemoryBound(to: SecKeychainAttributeInfo.self), &itemClassFound,
        attrList?.assumingMemoryBound(to: UnsafeMutablePointer<SecKeychainAttributeList>?.self), length, outData)
    guard status == errSecSuccess else { return status }
    itemClass?.pointee = itemClassFound.rawValue
    return status
}

/// The function of that name for C.
@_cdecl("SecKeychainItemFreeAttributesAndData")
public func cKeychainItemFreeAttributesAndData(_ attrList: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?)
    -> Int32
{
    return SecKeychainItemFreeAttributesAndData(attrList?.assumingMemoryBound(to: SecKeychainAttributeList.self), data)
}

/// The function of that name for C.
@_cdecl("SecKeychainItemModifyContent")
public func cKeychainItemModifyContent(
    _ itemRef: CObject?, _ attrList: UnsafeRawPointer?, _ length: UInt32, _ data: UnsafeRawPointer?
) -> Int32 {
    guard let itemRef = Incoming.reference(itemRef, SecKeychainItem.self) else { return errSecParam }
    return SecKeychainItemModifyContent(
        itemRef, attrList?.assumingMemoryBound(to: SecKeychainAttributeList.self), length, data)
}

/// The function of that name for C.
@_cdecl("SecKeychainItemModifyAttributesAndData")
public func cKeychainItemModifyAttributesAndData(
    _ itemRef: CObject?, _ attrList: UnsafeRawPointer?, _ length: UInt32, _ data: UnsafeRawPointer?
) -> Int32 {
    guard let itemRef = Incoming.reference(itemRef, SecKeychainItem.self) else { return errSecParam }
    return SecKeychainItemModifyAttributesAndData(
        itemRef, attrList?.assumingMemoryBound(to: SecKeychainAttributeList.self), length, data)
}

/// The function of that name for C.
@_cdecl("SecKeychainAttributeInfoForItemID")
public func cKeychainAttributeInfoForItemID(
    _ keychain: CObject?, _ itemID: UInt32, _ info: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    guard let keychain = Incoming.optional(keychain, SecKeychain.self), let info else { return errSecParam }
    var made: UnsafeMutablePointer<SecKeychainAttributeInfo>?
    let status = SecKeychainAttributeInfoForItemID(keychain, itemID, &made)
    if let made { info.pointee = UnsafeMutableRawPointer(made) }
    return status
}

/// The function of that name for C.
@_cdecl("SecKeychainFreeAttributeInfo")
public func cKeychainFreeAttributeInfo(_ info: UnsafeMutableRawPointer?) -> Int32 {
    guard let info else { return errSecParam }
    return SecKeychainFreeAttributeInfo(info.assumingMemoryBound(to: SecKeychainAttributeInfo.self))
}
