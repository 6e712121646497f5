// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

// Sendable: nobody has one.
/// The access list of an item in a file keychain; there are none, and nothing makes one (decision D24).
public final class SecAccess: NSObject, @unchecked Sendable {
    private override init() {}
}

/// The type number of access lists.
public func SecAccessGetTypeID() -> CFTypeID { SecAccess.typeID }

extension SecAccess: CFTypeIdentified {
    static var typeID: CFTypeID { 108 }
}
