// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecKeychainAddGenericPassword")
public func cKeychainAddGenericPassword(
    _ keychain: CObject?, _ serviceNameLength: UInt32, _ serviceName: UnsafePointer<CChar>?,
    _ accountNameLength: UInt32, _ accountName: UnsafePointer<CChar>?, _ passwordLength: UInt32,
    _ passwordData: UnsafeRawPointer?, _ itemRef: CResult?
) -> Int32 {
    guard let keychain = Incoming.optional(keychain, SecKeychain.self) else { return errSecParam }
    return CAnswer.status(itemRef, SecKeychainItem.self) {
        SecKeychainAddGenericPassword(
            keychain, serviceNameLength, serviceName, accountNameLength, accountName, passwordLength, passwordData,
            &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainFindGenericPassword")
public func cKeychainFindGenericPassword(
    _ keychainOrArray: CObject?, _ serviceNameLength: UInt32, _ serviceName: UnsafePointer<CChar>?,
    _ accountNameLength: UInt32, _ accountName: UnsafePointer<CChar>?, _ passwordLength: UnsafeMutablePointer<UInt32>?,
    _ passwordData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ itemRef: CResult?
) -> Int32 {
    guard let keychainOrArray = Incoming.optional(keychainOrArray, Incoming.object) else { return errSecParam }
    return CAnswer.status(itemRef, SecKeychainItem.self) {
        SecKeychainFindGenericPassword(
            keychainOrArray, serviceNameLength, serviceName, accountNameLength, accountName, passwordLength,
            passwordData,
            &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainAddInternetPassword")
public func cKeychainAddInternetPassword(
    _ keychain: CObject?, _ serverNameLength: UInt32, _ serverName: UnsafePointer<CChar>?,
    _ securityDomainLength: UInt32, _ securityDomain: UnsafePointer<CChar>?, _ accountNameLength: UInt32,
    _ accountName: UnsafePointer<CChar>?, _ pathLength: UInt32, _ path: UnsafePointer<CChar>?, _ port: UInt16,
    _ scheme: UInt32, _ authenticationType: UInt32, _ passwordLength: UInt32, _ passwordData: UnsafeRawPointer?,
    _ itemRef: CResult?
) -> Int32 {
    guard let keychain = Incoming.optional(keychain, SecKeychain.self), let scheme = SecProtocolType(rawValue: scheme),
        let authenticationType = SecAuthenticationType(rawValue: authenticationType)
    else { return errSecParam }
    return CAnswer.status(itemRef, SecKeychainItem.self) {
        SecKeychainAddInternetPassword(
            keychain, serverNameLength, serverName, securityDomainLength, securityDomain, accountNameLength,
            accountName,
            pathLength, path, port, scheme, authenticationType, passwordLength, passwordData, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainFindInternetPassword")
public func cKeychainFindInternetPassword(
    _ keychainOrArray: CObject?, _ serverNameLength: UInt32, _ serverName: UnsafePointer<CChar>?,
    _ securityDomainLength: UInt32, _ securityDomain: UnsafePointer<CChar>?, _ accountNameLength: UInt32,
    _ accountName: UnsafePointer<CChar>?, _ pathLength: UInt32, _ path: UnsafePointer<CChar>?, _ port: UInt16,
    _ scheme: UInt32, _ authenticationType: UInt32, _ passwordLength: UnsafeMutablePointer<UInt32>?,
    _ passwordData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ itemRef: CResult?
) -> Int32 {
    guard let keychainOrArray = Incoming.optional(keychainOrArray, Incoming.object),
        let scheme = SecProtocolType(rawValue: scheme),
        let authenticationType = SecAuthenticationType(rawValue: authenticationType)
    else { return errSecParam }
    return CAnswer.status(itemRef, SecKeychainItem.self) {
        SecKeychainFindInternetPassword(
            keychainOrArray, serverNameLength, serverName, securityDomainLength, securityDomain, accountNameLength,
            accountName, pathLength, path, port, scheme, authenticationType, passwordLength, passwordData, &$0)
    }
}
