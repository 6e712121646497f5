// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// When a keychain locks by itself; a daemon that has it sees to that.
public struct SecKeychainSettings: Sendable, Equatable {
    /// Of this structure: ``SEC_KEYCHAIN_SETTINGS_VERS1``.
    public var version: UInt32
    /// Whether it locks when the machine sleeps, and with the session of its user.
    public var lockOnSleep: Bool
    /// Whether it locks when nobody has used it for ``lockInterval``.
    public var useLockInterval: Bool
    /// In seconds.
    public var lockInterval: UInt32

    /// Settings with everything off.
    public init() {
        self.init(version: SEC_KEYCHAIN_SETTINGS_VERS1, lockOnSleep: false, useLockInterval: false, lockInterval: 0)
    }

    /// Settings as they are spelled out.
    public init(version: UInt32, lockOnSleep: Bool, useLockInterval: Bool, lockInterval: UInt32) {
        self.version = version
        self.lockOnSleep = lockOnSleep
        self.useLockInterval = useLockInterval
        self.lockInterval = lockInterval
    }
}

/// The only version of ``SecKeychainSettings``.
public let SEC_KEYCHAIN_SETTINGS_VERS1: UInt32 = 1

/// Changes when a keychain locks by itself; nil stands for the default keychain.
@discardableResult
public func SecKeychainSetSettings(
    _ keychain: SecKeychain?, _ newSettings: UnsafePointer<SecKeychainSettings>
) -> OSStatus {
    let settings = unsafe newSettings.pointee
    return Call.status("SecKeychainSetSettings") { () throws(KeychainError) in
        guard settings.version == SEC_KEYCHAIN_SETTINGS_VERS1 else {
            throw KeychainError(.parameter, "there are no settings of that version")
        }
        guard !settings.useLockInterval || settings.lockInterval > 0 else {
            throw KeychainError(.parameter, "a keychain that locks after no time at all is never open")
        }
        let timeout = settings.useLockInterval ? settings.lockInterval : nil
        _ = try SecKeychain.meant(by: keychain).perform(
            .change(KeychainSettings(locksWithSession: settings.lockOnSleep, timeout: timeout)))
    }
}

/// Says when a keychain locks by itself; nil stands for the default keychain.
@discardableResult
public func SecKeychainCopySettings(
    _ keychain: SecKeychain?, _ outSettings: UnsafeMutablePointer<SecKeychainSettings>
) -> OSStatus {
    Call.status("SecKeychainCopySettings") { () throws(KeychainError) in
        guard case .settings(let settings) = try SecKeychain.meant(by: keychain).perform(.settings) else {
            throw KeychainError(.internalError, "the keychain answered something else than was asked")
        }
        unsafe outSettings.pointee = SecKeychainSettings(
            version: SEC_KEYCHAIN_SETTINGS_VERS1, lockOnSleep: settings.locksWithSession,
            useLockInterval: settings.timeout != nil, lockInterval: settings.timeout ?? 0)
    }
}
