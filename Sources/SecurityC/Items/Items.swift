// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecItemAdd")
public func cItemAdd(_ attributes: CObject?, _ result: CResult?) -> Int32 {
    guard let attributes = Incoming.dictionary(attributes) else { return errSecParam }
    return CAnswer.status(result) { SecItemAdd(attributes, $0) }
}

/// The function of that name for C.
@_cdecl("SecItemCopyMatching")
public func cItemCopyMatching(_ query: CObject?, _ result: CResult?) -> Int32 {
    guard let query = Incoming.dictionary(query) else { return errSecParam }
    return CAnswer.status(result) { SecItemCopyMatching(query, $0) }
}

/// The function of that name for C.
@_cdecl("SecItemUpdate")
public func cItemUpdate(_ query: CObject?, _ attributes: CObject?) -> Int32 {
    guard let query = Incoming.dictionary(query), let attributes = Incoming.dictionary(attributes) else {
        return errSecParam
    }
    return SecItemUpdate(query, attributes)
}

/// The function of that name for C.
@_cdecl("SecItemDelete")
public func cItemDelete(_ query: CObject?) -> Int32 {
    guard let query = Incoming.dictionary(query) else { return errSecParam }
    return SecItemDelete(query)
}

/// The function of that name for C.
@_cdecl("SecKeychainItemGetTypeID")
public func cKeychainItemGetTypeID() -> UInt { csec_type_id(csec_kind_keychain_item) }

/// The function of that name for C.
@_cdecl("SecCopyErrorMessageString")
public func cCopyErrorMessageString(_ status: Int32, _ reserved: UnsafeMutableRawPointer?) -> CObject? {
    Outgoing.object(SecCopyErrorMessageString(status, nil))
}

/// The function of that name for C.
@_cdecl("SecRandomCopyBytes")
public func cRandomCopyBytes(_ source: CObject?, _ count: Int, _ bytes: UnsafeMutableRawPointer?) -> Int32 {
    guard let bytes, count >= 0 else { return errSecParam }
    return SecRandomCopyBytes(nil, count, bytes)
}
