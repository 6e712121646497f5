// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

// What a part of an access list allows.

/// Anything.
@safe nonisolated(unsafe) public let kSecACLAuthorizationAny: CFString = "ACLAuthorizationAny"
/// Changing the access list.
@safe nonisolated(unsafe) public let kSecACLAuthorizationChangeACL: CFString = "ACLAuthorizationChangeACL"
/// Changing the owner.
@safe nonisolated(unsafe) public let kSecACLAuthorizationChangeOwner: CFString = "ACLAuthorizationChangeOwner"
/// Decrypting, and reading a password.
@safe nonisolated(unsafe) public let kSecACLAuthorizationDecrypt: CFString = "ACLAuthorizationDecrypt"
/// Deleting.
@safe nonisolated(unsafe) public let kSecACLAuthorizationDelete: CFString = "ACLAuthorizationDelete"
/// Deriving keys.
@safe nonisolated(unsafe) public let kSecACLAuthorizationDerive: CFString = "ACLAuthorizationDerive"
/// Encrypting.
@safe nonisolated(unsafe) public let kSecACLAuthorizationEncrypt: CFString = "ACLAuthorizationEncrypt"
/// Exporting a key as it is.
@safe nonisolated(unsafe) public let kSecACLAuthorizationExportClear: CFString = "ACLAuthorizationExportClear"
/// Exporting a key encrypted.
@safe nonisolated(unsafe) public let kSecACLAuthorizationExportWrapped: CFString = "ACLAuthorizationExportWrapped"
/// Making keys.
@safe nonisolated(unsafe) public let kSecACLAuthorizationGenKey: CFString = "ACLAuthorizationGenKey"
/// Importing a key as it is.
@safe nonisolated(unsafe) public let kSecACLAuthorizationImportClear: CFString = "ACLAuthorizationImportClear"
/// Importing an encrypted key.
@safe nonisolated(unsafe) public let kSecACLAuthorizationImportWrapped: CFString = "ACLAuthorizationImportWrapped"
/// What seals the access list.
@safe nonisolated(unsafe) public let kSecACLAuthorizationIntegrity: CFString = "ACLAuthorizationIntegrity"
/// Making a keychain.
@safe nonisolated(unsafe) public let kSecACLAuthorizationKeychainCreate: CFString = "ACLAuthorizationKeychainCreate"
/// Deleting a keychain.
@safe nonisolated(unsafe) public let kSecACLAuthorizationKeychainDelete: CFString = "ACLAuthorizationKeychainDelete"
/// Deleting an item of a keychain.
@safe nonisolated(unsafe) public let kSecACLAuthorizationKeychainItemDelete: CFString =
    "ACLAuthorizationKeychainItemDelete"
/// Adding an item to a keychain.
@safe nonisolated(unsafe) public let kSecACLAuthorizationKeychainItemInsert: CFString =
    "ACLAuthorizationKeychainItemInsert"
/// Changing an item of a keychain.
@safe nonisolated(unsafe) public let kSecACLAuthorizationKeychainItemModify: CFString =
    "ACLAuthorizationKeychainItemModify"
/// Reading an item of a keychain.
@safe nonisolated(unsafe) public let kSecACLAuthorizationKeychainItemRead: CFString = "ACLAuthorizationKeychainItemRead"
/// Beginning a session.
@safe nonisolated(unsafe) public let kSecACLAuthorizationLogin: CFString = "ACLAuthorizationLogin"
/// Authenticating messages.
@safe nonisolated(unsafe) public let kSecACLAuthorizationMAC: CFString = "ACLAuthorizationMAC"
/// The partitions of programs that share it.
@safe nonisolated(unsafe) public let kSecACLAuthorizationPartitionID: CFString = "ACLAuthorizationPartitionID"
/// Signing.
@safe nonisolated(unsafe) public let kSecACLAuthorizationSign: CFString = "ACLAuthorizationSign"
