// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

package import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
internal import KeychainSystem
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into a dictionary.
// Sendable: what changes in it stands behind a lock.
/// What an item demands before it can be used.
public final class SecAccessControl: NSObject, @unchecked Sendable {
    private let state: ForkSafeMutex<AccessControl?>

    /// nil while it has no protection class, which one that is put together piece by piece begins without.
    init(_ control: AccessControl?) {
        state = ForkSafeMutex(control)
        super.init()
    }

    /// What it demands; nil for one that is not finished.
    var control: AccessControl? { state.withLock { $0 } }

    func change<Result: Sendable>(_ body: @Sendable (inout AccessControl?) -> Result) -> Result {
        state.withLock { body(&$0) }
    }

    /// The object for an access control; those without flags are made once, since every result carries one.
    static func shared(_ control: AccessControl) -> SecAccessControl {
        guard case .unrestricted = control.operations else { return SecAccessControl(control) }
        return plain[Int(control.protection.rawValue) - 6]
    }

    private static let plain = Accessibility.allCases.map { SecAccessControl(AccessControl(protection: $0)) }

    /// Two access controls are equal when they demand the same.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecAccessControl)?.control == control }

    /// A hash of the whole content.
    public override var hash: Int { control.hashValue }
}

extension SecAccessControl: AccessControlCarrying {
    package var accessControl: AccessControl? { control }
}

/// Makes an access control from a protection class and flags; nil, and an error, where flags contradict each other.
///
/// - Parameters:
///   - allocator: Not used; pass nil.
///   - protection: One of the `kSecAttrAccessible` values.
///   - flags: What is demanded besides.
///   - error: Set when nil is returned; the caller releases it.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    if let name = ValueReading.string(protection), let accessibility = Accessibility(name: name),
        let control = AccessControl(
            protection: accessibility, flags: AccessFlags(rawValue: UInt64(flags.rawValue)))
    {
        return SecAccessControl(control)
    }
    if let error = unsafe error {
        let failure = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam))
        unsafe error.pointee = Unmanaged.passRetained(failure)
    }
    return nil
}

/// The type number of access controls.
public func SecAccessControlGetTypeID() -> CFTypeID { SecAccessControl.typeID }

extension SecAccessControl: CFTypeIdentified {
    static var typeID: CFTypeID { 100 }
}

/// What an access control demands.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// The bits, as in Apple's header.
    public let rawValue: CFOptionFlags

    /// Flags from their bits.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// A person who is known to this device, by biometry or passcode.
    public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
    /// Any enrolled biometry.
    public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
    /// Any enrolled biometry, by its older name.
    public static let touchIDAny = biometryAny
    /// The biometry enrolled when the item was stored.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
    /// The biometry enrolled when the item was stored, by its older name.
    public static let touchIDCurrentSet = biometryCurrentSet
    /// The passcode.
    public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
    /// A paired watch.
    public static let watch = SecAccessControlCreateFlags(rawValue: 1 << 5)
    /// A paired companion device.
    public static let companion = watch
    /// One of the demands is enough.
    public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
    /// All of the demands are to be met.
    public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
    /// The item is a private key that signs and agrees, and is never read.
    public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
    /// A password of the item's own.
    public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)
}
