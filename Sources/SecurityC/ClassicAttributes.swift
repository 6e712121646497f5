// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

// The structures of attributes are the same bytes in C and in Swift: tags and lengths of 32 bits, and pointers.

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
