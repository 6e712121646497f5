// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecKeychainGetTypeID")
public func cKeychainGetTypeID() -> UInt {
    csec_type_id(csec_kind_keychain)
}

/// The function of that name for C.
@_cdecl("SecAccessGetTypeID")
public func cAccessGetTypeID() -> UInt {
    csec_type_id(csec_kind_access)
}

/// The function of that name for C.
@_cdecl("SecKeychainCreate")
public func cKeychainCreate(
    _ path: UnsafePointer<CChar>?, _ passwordLength: UInt32, _ password: UnsafeRawPointer?, _ promptUser: UInt8,
    _ access: CObject?, _ keychain: CResult?
) -> Int32 {
    let list = Incoming.reference(access, SecAccess.self)
    guard let path, access == nil || list != nil else { return errSecParam }
    return CAnswer.status(keychain, SecKeychain.self) {
        SecKeychainCreate(path, passwordLength, password, promptUser != 0, list, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainOpen")
public func cKeychainOpen(_ path: UnsafePointer<CChar>?, _ keychain: CResult?) -> Int32 {
    guard let path, let keychain else { return errSecParam }
    return CAnswer.status(keychain, SecKeychain.self) {
        SecKeychainOpen(path, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainDelete")
public func cKeychainDelete(_ keychainOrArray: CObject?) -> Int32 {
    guard let array = Incoming.array(keychainOrArray) else {
        return Incoming.reference(keychainOrArray).map { SecKeychainDelete($0) } ?? errSecInvalidKeychain
    }
    let keychains = array.compactMap { $0 as? SecKeychain }
    guard keychains.count == array.count else { return errSecParam }
    return keychains.reduce(errSecSuccess) { status, keychain in
        status == errSecSuccess ? SecKeychainDelete(keychain) : status
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainGetPath")
public func cKeychainGetPath(
    _ keychain: CObject?, _ length: UnsafeMutablePointer<UInt32>?, _ path: UnsafeMutablePointer<CChar>?
) -> Int32 {
    let chosen = Incoming.reference(keychain, SecKeychain.self)
    guard keychain == nil || chosen != nil, let length, let path else { return errSecParam }
    return SecKeychainGetPath(chosen, length, path)
}

/// The function of that name for C.
@_cdecl("SecKeychainCopyDefault")
public func cKeychainCopyDefault(_ keychain: CResult?) -> Int32 {
    guard let keychain else { return errSecParam }
    return CAnswer.status(keychain, SecKeychain.self) {
        SecKeychainCopyDefault(&$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainCopySearchList")
public func cKeychainCopySearchList(_ searchList: CResult?) -> Int32 {
    guard let searchList else { return errSecParam }
    return CAnswer.status(searchList, CFArray.self) {
        SecKeychainCopySearchList(&$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainSetSearchList")
public func cKeychainSetSearchList(_ searchList: CObject?) -> Int32 {
    Incoming.array(searchList).map { SecKeychainSetSearchList($0) } ?? errSecParam
}

/// The function of that name for C.
@_cdecl("SecKeychainSetDefault")
public func cKeychainSetDefault(_ keychain: CObject?) -> Int32 {
    let chosen = Incoming.reference(keychain, SecKeychain.self)
    guard keychain == nil || chosen != nil else { return errSecParam }
    return SecKeychainSetDefault(chosen)
}

/// The function of that name for C.
@_cdecl("SecKeychainLock")
public func cKeychainLock(_ keychain: CObject?) -> Int32 {
    let chosen = Incoming.reference(keychain, SecKeychain.self)
    guard keychain == nil || chosen != nil else { return errSecParam }
    return SecKeychainLock(chosen)
}

/// The function of that name for C.
@_cdecl("SecKeychainUnlock")
public func cKeychainUnlock(
    _ keychain: CObject?, _ passwordLength: UInt32, _ password: UnsafeRawPointer?, _ usePassword: UInt8
) -> Int32 {
    let chosen = Incoming.reference(keychain, SecKeychain.self)
    guard keychain == nil || chosen != nil else { return errSecParam }
    return SecKeychainUnlock(chosen, passwordLength, password, usePassword != 0)
}

/// The function of that name for C.
@_cdecl("SecKeychainLockAll")
public func cKeychainLockAll() -> Int32 {
    SecKeychainLockAll()
}

/// The function of that name for C.
@_cdecl("SecKeychainGetStatus")
public func cKeychainGetStatus(_ keychain: CObject?, _ status: UnsafeMutablePointer<UInt32>?) -> Int32 {
    let chosen = Incoming.reference(keychain, SecKeychain.self)
    guard keychain == nil || chosen != nil, let status else { return errSecParam }
    return SecKeychainGetStatus(chosen, status)
}

/// The function of that name for C.
@_cdecl("SecKeychainSetSettings")
public func cKeychainSetSettings(_ keychain: CObject?, _ settings: UnsafeRawPointer?) -> Int32 {
    let chosen = Incoming.reference(keychain, SecKeychain.self)
    guard keychain == nil || chosen != nil, let settings else { return errSecParam }
    let given = settings.load(as: csec_keychain_settings.self)
    var wanted = SecKeychainSettings(
        version: given.version, lockOnSleep: given.lock_on_sleep != 0, useLockInterval: given.use_lock_interval != 0,
        lockInterval: given.lock_interval)
    return SecKeychainSetSettings(chosen, &wanted)
}

/// The function of that name for C.
@_cdecl("SecKeychainCopySettings")
public func cKeychainCopySettings(_ keychain: CObject?, _ settings: UnsafeMutableRawPointer?) -> Int32 {
    let chosen = Incoming.reference(keychain, SecKeychain.self)
    guard keychain == nil || chosen != nil, let settings else { return errSecParam }
    var found = SecKeychainSettings()
    let status = SecKeychainCopySettings(chosen, &found)
    guard status == errSecSuccess else { return status }
    let given = csec_keychain_settings(
        version: found.version, lock_on_sleep: found.lockOnSleep ? 1 : 0,
        use_lock_interval: found.useLockInterval ? 1 : 0, lock_interval: found.lockInterval)
    settings.storeBytes(of: given, as: csec_keychain_settings.self)
    return status
}
