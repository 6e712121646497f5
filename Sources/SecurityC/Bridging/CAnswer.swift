// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

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

    /// The same of an object of one class.
    static func status<Object: AnyObject>(
        _ result: CResult?, _ type: Object.Type, _ call: (inout Object?) -> OSStatus
    ) -> Int32 {
        var object: Object?
        let status = call(&object)
        Outgoing.put(object, into: result)
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
