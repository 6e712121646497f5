// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// Sendable: it holds nothing.
/// The keychain, for the functions of a Mac that want one named; there is only one.
public final class SecKeychain: NSObject, @unchecked Sendable {
    fileprivate override init() {}

    /// All are the same.
    public override func isEqual(_ object: Any?) -> Bool { object is SecKeychain }

    /// The same for all.
    public override var hash: Int { 0 }
}

// Sendable: nobody has one.
/// The access list of an item in a file keychain; there are none, and nothing makes one.
public final class SecAccess: NSObject, @unchecked Sendable {
    private override init() {}
}

/// Gives the keychain that every other function uses too; always ``errSecSuccess``.
@discardableResult
public func SecKeychainCopyDefault(_ keychain: UnsafeMutablePointer<SecKeychain?>) -> OSStatus {
    unsafe keychain.pointee = SecKeychain()
    return errSecSuccess
}

/// The type number of keychains.
public func SecKeychainGetTypeID() -> CFTypeID { SecKeychain.typeID }

/// The type number of access lists.
public func SecAccessGetTypeID() -> CFTypeID { SecAccess.typeID }

extension SecKeychain: CFTypeIdentified {
    static var typeID: CFTypeID { 107 }
}

extension SecAccess: CFTypeIdentified {
    static var typeID: CFTypeID { 108 }
}
