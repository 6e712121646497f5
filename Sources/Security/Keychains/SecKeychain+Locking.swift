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
        if try keychain.standing().lockState == .noPasscode { return }
        guard usePassword, let passcode = try unsafe Passcode.given(passwordLength, password) else {
            throw KeychainError(
                .interactionNotAllowed, "nobody is asked for the passcode here; `llavero unlock` does so")
        }
        _ = try keychain.perform(.unlock(passcode))
    }
}

/// Locks a keychain; nil stands for the default keychain.
///
/// One without a passcode stays open.
@discardableResult
public func SecKeychainLock(_ keychain: SecKeychain?) -> OSStatus {
    Call.status("SecKeychainLock") { () throws(KeychainError) in try SecKeychain.meant(by: keychain).lock() }
}

/// Locks every keychain of the search list.
@discardableResult
public func SecKeychainLockAll() -> OSStatus {
    Call.status("SecKeychainLockAll") { () throws(KeychainError) in
        for place in try SecKeychain.searched() where try place?.exists ?? true { try SecKeychain(place).lock() }
    }
}

/// Says how a keychain stands; nil stands for the default keychain.
@discardableResult
public func SecKeychainGetStatus(
    _ keychain: SecKeychain?, _ keychainStatus: UnsafeMutablePointer<SecKeychainStatus>
) -> OSStatus {
    Call.status("SecKeychainGetStatus") { () throws(KeychainError) in
        let isOpen =
            switch try SecKeychain.meant(by: keychain).standing().lockState {
            case .noPasscode, .unlocked: true
            case .locked, .beforeFirstUnlock: false
            }
        unsafe keychainStatus.pointee =
            kSecReadPermStatus | kSecWritePermStatus | (isOpen ? kSecUnlockStateStatus : 0)
    }
}

extension SecKeychain {
    func perform(_ request: KeybagRequest) throws(KeychainError) -> KeybagReply {
        let connection = try host().connection()
        return try connection.keybag.perform(request, from: connection.caller)
    }

    func standing() throws(KeychainError) -> KeychainStanding {
        guard case .standing(let standing) = try perform(.standing) else {
            throw KeychainError(.internalError, "the keychain answered something else than was asked")
        }
        return standing
    }

    func lock() throws(KeychainError) {
        if try standing().lockState != .noPasscode { _ = try perform(.lock) }
    }
}
