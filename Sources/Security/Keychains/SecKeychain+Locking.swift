// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// What ``SecKeychainGetStatus(_:_:)`` says of a keychain, in bits.
public typealias SecKeychainStatus = UInt32

/// It is open.
public let kSecUnlockStateStatus: SecKeychainStatus = 1
/// It can be read.
public let kSecReadPermStatus: SecKeychainStatus = 2
/// It can be written.
public let kSecWritePermStatus: SecKeychainStatus = 4

/// Unlocks a keychain; nil stands for the default keychain.
///
/// Without a daemon it is unlocked for this process alone.
///
/// - Parameters:
///   - keychain: The keychain.
///   - passwordLength: How many bytes the passcode has.
///   - password: The passcode.
///   - usePassword: True: people are asked by `llavero unlock`.
@discardableResult
public func SecKeychainUnlock(
    _ keychain: SecKeychain?, _ passwordLength: UInt32, _ password: UnsafeRawPointer?, _ usePassword: Bool
) -> OSStatus {
    Call.status("SecKeychainUnlock") { () throws(KeychainError) in
        let keychain = try SecKeychain.meant(by: keychain)
        if try keychain.state().lockState == .noPasscode { return }
        guard usePassword, let passcode = try unsafe Passcode.given(passwordLength, password) else {
            throw KeychainError(
                .interactionNotAllowed, "this function does not ask for the passcode; give it, or run `llavero unlock`")
        }
        _ = try keychain.perform(.unlock(passcode))
        KeychainCallbacks.tell(.unlockEvent, keychain)
    }
}

/// Locks a keychain; nil stands for the default keychain.
///
/// One without a passcode stays open.
@discardableResult
public func SecKeychainLock(_ keychain: SecKeychain?) -> OSStatus {
    Call.status("SecKeychainLock") { () throws(KeychainError) in
        let keychain = try SecKeychain.meant(by: keychain)
        try keychain.lock()
        KeychainCallbacks.tell(.lockEvent, keychain)
    }
}

/// Locks every keychain of the search list.
@discardableResult
public func SecKeychainLockAll() -> OSStatus {
    Call.status("SecKeychainLockAll") { () throws(KeychainError) in
        for place in try SecKeychain.searched() where try place?.exists ?? true {
            let keychain = SecKeychain(place)
            try keychain.lock()
            KeychainCallbacks.tell(.lockEvent, keychain)
        }
    }
}

/// Says how a keychain stands; nil stands for the default keychain.
@discardableResult
public func SecKeychainGetStatus(
    _ keychain: SecKeychain?, _ keychainStatus: UnsafeMutablePointer<SecKeychainStatus>
) -> OSStatus {
    Call.status("SecKeychainGetStatus") { () throws(KeychainError) in
        let isOpen =
            switch try SecKeychain.meant(by: keychain).state().lockState {
            case .noPasscode, .unlocked: true
            case .locked, .beforeFirstUnlock: false
            }
        unsafe keychainStatus.pointee =
            kSecReadPermStatus | kSecWritePermStatus | (isOpen ? kSecUnlockStateStatus : 0)
    }
}

/// When a keychain locks by itself; a daemon that has it sees to that.
public struct SecKeychainSettings: Sendable, Equatable {
    /// Of this structure: ``SEC_KEYCHAIN_SETTINGS_VERS1``.
    public var version: UInt32
    /// Whether it locks when the machine sleeps, and with the session of its user.
    public var lockOnSleep: Bool
    /// Whether it locks when it was not used for ``lockInterval``.
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
            throw KeychainError(.parameter, "unknown version of the settings")
        }
        guard !settings.useLockInterval || settings.lockInterval > 0 else {
            throw KeychainError(.parameter, "the lock interval must be at least one second")
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
            throw KeychainError(.internalError, "the keychain returned an answer of another kind than requested")
        }
        unsafe outSettings.pointee = SecKeychainSettings(
            version: SEC_KEYCHAIN_SETTINGS_VERS1, lockOnSleep: settings.locksWithSession,
            useLockInterval: settings.timeout != nil, lockInterval: settings.timeout ?? 0)
    }
}

extension SecKeychain {
    func perform(_ request: KeybagRequest) throws(KeychainError) -> KeybagReply {
        try host().session().perform(request)
    }

    func state() throws(KeychainError) -> KeychainState {
        guard case .state(let state) = try perform(.state) else {
            throw KeychainError(.internalError, "the keychain returned an answer of another kind than requested")
        }
        return state
    }

    func lock() throws(KeychainError) {
        if try state().lockState != .noPasscode { _ = try perform(.lock) }
    }
}
