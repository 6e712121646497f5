// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainRequest
public import LlaveroFoundation

/// Says whether anybody may be asked by what this process calls from now on; at first they may.
///
/// Where they may not, an item that requires somebody fails with ``errSecInteractionNotAllowed``.
@discardableResult
public func SecKeychainSetUserInteractionAllowed(_ state: Bool) -> OSStatus {
    AuthenticationTerms.forbidPrompts(!state)
    return errSecSuccess
}

/// Tells whether anybody may be asked by what this process calls.
@discardableResult
public func SecKeychainGetUserInteractionAllowed(_ state: UnsafeMutablePointer<DarwinBoolean>) -> OSStatus {
    unsafe state.pointee = DarwinBoolean(!AuthenticationTerms.arePromptsForbidden)
    return errSecSuccess
}

/// The version of these functions, which is that of Apple's; always ``errSecSuccess``.
@discardableResult
public func SecKeychainGetVersion(_ returnVers: UnsafeMutablePointer<UInt32>) -> OSStatus {
    unsafe returnVers.pointee = 0x0200_8000
    return errSecSuccess
}

// Which domain's settings the functions are about. On a Mac each has a default keychain and a search list of its own; here
// a user has one of both.

/// Whose settings are meant.
@frozen public enum SecPreferencesDomain: Int32, Sendable {
    /// The user's.
    case user = 0
    /// The machine's.
    case system = 1
    /// Those that all have.
    case common = 2
    /// Those of what is plugged in.
    case dynamic = 3
}

/// Chooses whose settings are meant from now on: those of the user alone can be, others are ``errSecUnimplemented``.
@discardableResult
public func SecKeychainSetPreferenceDomain(_ domain: SecPreferencesDomain) -> OSStatus {
    domain == .user ? errSecSuccess : errSecUnimplemented
}

/// Tells whose settings are meant: the user's.
@discardableResult
public func SecKeychainGetPreferenceDomain(_ domain: UnsafeMutablePointer<SecPreferencesDomain>) -> OSStatus {
    unsafe domain.pointee = .user
    return errSecSuccess
}

/// Gives the default keychain of a domain; ``errSecUnimplemented`` for another than the user's.
@discardableResult
public func SecKeychainCopyDomainDefault(
    _ domain: SecPreferencesDomain, _ keychain: UnsafeMutablePointer<SecKeychain?>
) -> OSStatus {
    unsafe domain == .user ? SecKeychainCopyDefault(keychain) : errSecUnimplemented
}

/// Changes the default keychain of a domain; ``errSecUnimplemented`` for another than the user's.
@discardableResult
public func SecKeychainSetDomainDefault(_ domain: SecPreferencesDomain, _ keychain: SecKeychain?) -> OSStatus {
    domain == .user ? SecKeychainSetDefault(keychain) : errSecUnimplemented
}

/// Gives the search list of a domain; ``errSecUnimplemented`` for another than the user's.
@discardableResult
public func SecKeychainCopyDomainSearchList(
    _ domain: SecPreferencesDomain, _ searchList: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    unsafe domain == .user ? SecKeychainCopySearchList(searchList) : errSecUnimplemented
}

/// Changes the search list of a domain; ``errSecUnimplemented`` for another than the user's.
@discardableResult
public func SecKeychainSetDomainSearchList(_ domain: SecPreferencesDomain, _ searchList: CFArray) -> OSStatus {
    domain == .user ? SecKeychainSetSearchList(searchList) : errSecUnimplemented
}
