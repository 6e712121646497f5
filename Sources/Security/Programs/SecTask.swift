// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainModel
public import LlaveroFoundation

// Sendable: it never changes.
/// This program, as it declares itself to the keychain.
///
/// Other programs cannot be asked for: a token of the kernel that names one does not exist on Linux.
public final class SecTask: NSObject, @unchecked Sendable {
    let values: [String: Any]

    init(_ values: [String: Any]) {
        self.values = values
        super.init()
    }
}

/// The type number of tasks.
public func SecTaskGetTypeID() -> CFTypeID { SecTask.typeID }

extension SecTask: CFTypeIdentified {
    static var typeID: CFTypeID { 113 }
}

/// This program; nil when its keychain cannot be found.
public func SecTaskCreateFromSelf(_ allocator: CFAllocator?) -> SecTask? {
    unsafe KeyCall.result("SecTaskCreateFromSelf", nil) { () throws(KeychainError) in
        let host = try CurrentKeychain.host()
        guard let own = (host as? EmbeddedHost)?.entitlements ?? (host as? HandoverHost)?.embedded.entitlements else {
            throw KeychainError(.notAvailable, "what the program declares is not known here")
        }
        var values: [String: Any] = [:]
        if let groups = own.keychainAccessGroups { values["keychain-access-groups"] = groups }
        if let identifier = own.applicationIdentifier { values["application-identifier"] = identifier }
        if !own.associatedApplicationIdentifiers.isEmpty {
            values["com.apple.developer.associated-application-identifier"] = own.associatedApplicationIdentifiers
        }
        if !own.applicationGroups.isEmpty {
            values["com.apple.security.application-groups"] = own.applicationGroups
        }
        return SecTask(values)
    }
}

/// What the program declares under a name; nil, without an error, where it declares nothing.
///
/// What a daemon grants it may be less: the daemon looks who it is.
public func SecTaskCopyValueForEntitlement(
    _ task: SecTask, _ entitlement: CFString, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFTypeRef? {
    task.values[entitlement as String].map { $0 as AnyObject }
}

/// What the program declares under these names, those of them that it has.
public func SecTaskCopyValuesForEntitlements(
    _ task: SecTask, _ entitlements: CFArray, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFDictionary? {
    guard let names = entitlements as? [String] else {
        unsafe KeyCall.report(errSecParam, "the array has something else than names", error)
        return nil
    }
    return task.values.filter { names.contains($0.key) } as NSDictionary
}

/// The name that the program declares for itself; nil where it has none.
public func SecTaskCopySigningIdentifier(
    _ task: SecTask, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? {
    (task.values["application-identifier"] as? String).map { $0 as NSString }
}
