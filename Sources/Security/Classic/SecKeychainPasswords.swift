// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainModel
internal import LlaveroFoundation

/// Stores a generic password; its label becomes the service.
///
/// - Parameters:
///   - keychain: Where to; nil for the default keychain.
///   - serviceNameLength: How many bytes the service has.
///   - serviceName: The service, in UTF-8.
///   - accountNameLength: How many bytes the account has.
///   - accountName: The account, in UTF-8.
///   - passwordLength: How many bytes the password has.
///   - passwordData: The password.
///   - itemRef: Set to a reference to the item.
/// - Returns: ``errSecDuplicateItem`` when there is such an item.
@discardableResult
public func SecKeychainAddGenericPassword(
    _ keychain: SecKeychain?, _ serviceNameLength: UInt32, _ serviceName: UnsafePointer<CChar>?,
    _ accountNameLength: UInt32, _ accountName: UnsafePointer<CChar>?, _ passwordLength: UInt32,
    _ passwordData: UnsafeRawPointer?, _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    Call.status("SecKeychainAddGenericPassword") { () throws(KeychainError) in
        var name = ClassicName(.genericPassword)
        try unsafe name.set(kSecAttrService, serviceName, serviceNameLength)
        try unsafe name.set(kSecAttrAccount, accountName, accountNameLength)
        name[kSecAttrLabel] = name[kSecAttrService]
        let item = try name.add(unsafe ClassicMemory.secret(passwordData, passwordLength), to: keychain)
        if let itemRef = unsafe itemRef { unsafe itemRef.pointee = item }
    }
}

/// Finds the first generic password of a service and an account.
///
/// - Parameters:
///   - keychainOrArray: The keychain, or an array of them; nil for the search list.
///   - serviceNameLength: How many bytes the service has.
///   - serviceName: The service, in UTF-8; nil for any.
///   - accountNameLength: How many bytes the account has.
///   - accountName: The account, in UTF-8; nil for any.
///   - passwordLength: Set to how many bytes the password has.
///   - passwordData: Set to the password, which ``SecKeychainItemFreeContent(_:_:)`` wipes and gives back.
///   - itemRef: Set to a reference to the item.
@discardableResult
public func SecKeychainFindGenericPassword(
    _ keychainOrArray: CFTypeRef?, _ serviceNameLength: UInt32, _ serviceName: UnsafePointer<CChar>?,
    _ accountNameLength: UInt32, _ accountName: UnsafePointer<CChar>?,
    _ passwordLength: UnsafeMutablePointer<UInt32>?,
    _ passwordData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    Call.status("SecKeychainFindGenericPassword") { () throws(KeychainError) in
        var name = ClassicName(.genericPassword)
        try unsafe name.set(kSecAttrService, serviceName, serviceNameLength)
        try unsafe name.set(kSecAttrAccount, accountName, accountNameLength)
        let found = try name.find(in: keychainOrArray, withSecret: unsafe passwordData != nil || passwordLength != nil)
        try unsafe found.handOut(passwordLength, passwordData, itemRef)
    }
}

/// Stores the password of an account on a server; its label becomes the server.
///
/// - Parameters:
///   - keychain: Where to; nil for the default keychain.
///   - serverNameLength: How many bytes the server has.
///   - serverName: The server, in UTF-8.
///   - securityDomainLength: How many bytes the security domain has.
///   - securityDomain: The security domain, in UTF-8.
///   - accountNameLength: How many bytes the account has.
///   - accountName: The account, in UTF-8.
///   - pathLength: How many bytes the path has.
///   - path: The path, in UTF-8.
///   - port: The port; 0 for none.
///   - protocol: The protocol.
///   - authenticationType: How the server asks.
///   - passwordLength: How many bytes the password has.
///   - passwordData: The password.
///   - itemRef: Set to a reference to the item.
/// - Returns: ``errSecDuplicateItem`` when there is such an item.
@discardableResult
public func SecKeychainAddInternetPassword(
    _ keychain: SecKeychain?, _ serverNameLength: UInt32, _ serverName: UnsafePointer<CChar>?,
    _ securityDomainLength: UInt32, _ securityDomain: UnsafePointer<CChar>?, _ accountNameLength: UInt32,
    _ accountName: UnsafePointer<CChar>?, _ pathLength: UInt32, _ path: UnsafePointer<CChar>?, _ port: UInt16,
    _ `protocol`: SecProtocolType, _ authenticationType: SecAuthenticationType, _ passwordLength: UInt32,
    _ passwordData: UnsafeRawPointer?, _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    Call.status("SecKeychainAddInternetPassword") { () throws(KeychainError) in
        var name = ClassicName(.internetPassword)
        try unsafe name.set(kSecAttrServer, serverName, serverNameLength)
        try unsafe name.set(kSecAttrSecurityDomain, securityDomain, securityDomainLength)
        try unsafe name.set(kSecAttrAccount, accountName, accountNameLength)
        try unsafe name.set(kSecAttrPath, path, pathLength)
        name.set(port, `protocol`, authenticationType)
        name[kSecAttrLabel] = name[kSecAttrServer]
        let item = try name.add(unsafe ClassicMemory.secret(passwordData, passwordLength), to: keychain)
        if let itemRef = unsafe itemRef { unsafe itemRef.pointee = item }
    }
}

/// Finds the first password of an account on a server; what is nil, zero or `any` is not looked at.
///
/// - Parameters:
///   - keychainOrArray: The keychain, or an array of them; nil for the search list.
///   - serverNameLength: How many bytes the server has.
///   - serverName: The server, in UTF-8.
///   - securityDomainLength: How many bytes the security domain has.
///   - securityDomain: The security domain, in UTF-8.
///   - accountNameLength: How many bytes the account has.
///   - accountName: The account, in UTF-8.
///   - pathLength: How many bytes the path has.
///   - path: The path, in UTF-8.
///   - port: The port.
///   - protocol: The protocol.
///   - authenticationType: How the server asks.
///   - passwordLength: Set to how many bytes the password has.
///   - passwordData: Set to the password, which ``SecKeychainItemFreeContent(_:_:)`` wipes and gives back.
///   - itemRef: Set to a reference to the item.
@discardableResult
public func SecKeychainFindInternetPassword(
    _ keychainOrArray: CFTypeRef?, _ serverNameLength: UInt32, _ serverName: UnsafePointer<CChar>?,
    _ securityDomainLength: UInt32, _ securityDomain: UnsafePointer<CChar>?, _ accountNameLength: UInt32,
    _ accountName: UnsafePointer<CChar>?, _ pathLength: UInt32, _ path: UnsafePointer<CChar>?, _ port: UInt16,
    _ `protocol`: SecProtocolType, _ authenticationType: SecAuthenticationType,
    _ passwordLength: UnsafeMutablePointer<UInt32>?,
    _ passwordData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    Call.status("SecKeychainFindInternetPassword") { () throws(KeychainError) in
        var name = ClassicName(.internetPassword)
        // An empty text is no condition either: callers write `0, ""` for what they do not know.
        try unsafe name.set(kSecAttrServer, serverNameLength == 0 ? nil : serverName, serverNameLength)
        try unsafe name.set(
            kSecAttrSecurityDomain, securityDomainLength == 0 ? nil : securityDomain, securityDomainLength)
        try unsafe name.set(kSecAttrAccount, accountNameLength == 0 ? nil : accountName, accountNameLength)
        try unsafe name.set(kSecAttrPath, pathLength == 0 ? nil : path, pathLength)
        name.set(port, `protocol`, authenticationType)
        let found = try name.find(in: keychainOrArray, withSecret: unsafe passwordData != nil || passwordLength != nil)
        try unsafe found.handOut(passwordLength, passwordData, itemRef)
    }
}
