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

/// How a function of Swift's answers a function of C's.
enum CAnswer {
    /// What it sets is set, and what it leaves alone is left alone.
    static func status(_ result: CResult?, _ call: (UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus) -> Int32 {
        guard let result else { return call(nil) }
        var object: CFTypeRef?
        let status = call(&object)
        if status == errSecSuccess { Outgoing.put(object, into: result) }
        return status
    }

    /// A result that C owns, and an error that it owns where there is none.
    static func object(
        _ error: CResult?, _ call: (UnsafeMutablePointer<Unmanaged<CFError>?>?) -> AnyObject?
    ) -> CObject? {
        var failure: Unmanaged<CFError>?
        let object = call(&failure)
        set(error, failure)
        return Outgoing.object(object)
    }

    /// The same of a function that answers whether it succeeded.
    static func truth(_ error: CResult?, _ call: (UnsafeMutablePointer<Unmanaged<CFError>?>?) -> Bool) -> Bool {
        var failure: Unmanaged<CFError>?
        let truth = call(&failure)
        set(error, failure)
        return truth
    }

    /// NULL or an object of another class where one is needed.
    static func refused(_ error: CResult?) -> CObject? {
        let failure = NSError(
            domain: NSOSStatusErrorDomain, code: Int(errSecParam),
            userInfo: [NSLocalizedDescriptionKey: "A parameter is NULL, or an object of another class."])
        Outgoing.set(error, failure)
        return nil
    }

    private static func set(_ error: CResult?, _ failure: Unmanaged<CFError>?) {
        guard let failure = failure?.takeRetainedValue() else { return }
        Outgoing.set(error, failure)
    }
}
