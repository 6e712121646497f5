// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// A function of C's that is told of events: the event, a `csec_callback_info`, and the client's context.
public typealias CCallback =
    @convention(c) (UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32

/// What is told in the place of a function of C's.
private final class CListener {
    let told: SecKeychainCallback

    init(_ function: @escaping CCallback) {
        told = { event, info, context in
            let item = Outgoing.object(info.pointee.item?.takeUnretainedValue())
            let keychain = Outgoing.object(info.pointee.keychain?.takeUnretainedValue())
            defer { for object in [item, keychain] { object.map { csec_release($0) } } }
            var given = csec_callback_info(
                version: info.pointee.version, item: item, keychain: keychain, pid: info.pointee.pid)
            return function(event.rawValue, &given, context)
        }
    }

    private static let lock = NSLock()
    // Used under the lock. A listener stays for ever: by it the module Security knows the function again.
    nonisolated(unsafe) private static var all: [UnsafeRawPointer: CListener] = [:]

    /// The one for a function, always the same.
    static func of(_ function: @escaping CCallback) -> CListener {
        let address = unsafeBitCast(function, to: UnsafeRawPointer.self)
        return lock.withLock {
            let listener = all[address] ?? CListener(function)
            all[address] = listener
            return listener
        }
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainAddCallback")
public func cKeychainAddCallback(
    _ callbackFunction: CCallback?, _ eventMask: UInt32, _ userContext: UnsafeMutableRawPointer?
) -> Int32 {
    guard let callbackFunction else { return errSecParam }
    let mask = SecKeychainEventMask(rawValue: eventMask)
    return SecKeychainAddCallback(CListener.of(callbackFunction).told, mask, userContext)
}

/// The function of that name for C.
@_cdecl("SecKeychainRemoveCallback")
public func cKeychainRemoveCallback(_ callbackFunction: CCallback?) -> Int32 {
    guard let callbackFunction else { return errSecParam }
    return SecKeychainRemoveCallback(CListener.of(callbackFunction).told)
}
