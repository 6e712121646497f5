// SPDX-License-Identifier: Apache-2.0

internal import Foundation

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
