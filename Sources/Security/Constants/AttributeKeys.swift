// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

// Every item.

/// When the item can be read: one of the `kSecAttrAccessible…` values.
@safe nonisolated(unsafe) public let kSecAttrAccessible: CFString = "pdmn"
/// The `SecAccessControl` that protects the item.
@safe nonisolated(unsafe) public let kSecAttrAccessControl: CFString = "accc"
/// The access list of an item in a file keychain; it has no meaning on Linux and is refused.
@safe nonisolated(unsafe) public let kSecAttrAccess: CFString = "acls"
/// The access group the item belongs to.
@safe nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = "agrp"
/// Whether the item may be synchronized.
@safe nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = "sync"
/// The value of ``kSecAttrSynchronizable`` that finds items whether synchronized or not.
@safe nonisolated(unsafe) public let kSecAttrSynchronizableAny: CFString = "syna"
/// The set of synchronized items that the item belongs to.
@safe nonisolated(unsafe) public let kSecAttrSyncViewHint: CFString = "vwht"
/// When the item was added.
@safe nonisolated(unsafe) public let kSecAttrCreationDate: CFString = "cdat"
/// When the item last changed.
@safe nonisolated(unsafe) public let kSecAttrModificationDate: CFString = "mdat"
/// The name of the item that a user sees.
@safe nonisolated(unsafe) public let kSecAttrLabel: CFString = "labl"
/// The persistent reference of an item, in the older spelling.
@safe nonisolated(unsafe) public let kSecAttrPersistantReference: CFString = "persistref"
/// The persistent reference of an item.
@safe nonisolated(unsafe) public let kSecAttrPersistentReference: CFString = "persistref"

// Passwords.

/// What sort of item this is, for the user to see.
@safe nonisolated(unsafe) public let kSecAttrDescription: CFString = "desc"
/// A comment on the item that the user can edit.
@safe nonisolated(unsafe) public let kSecAttrComment: CFString = "icmt"
/// The creator of the item, a four-character code as a number.
@safe nonisolated(unsafe) public let kSecAttrCreator: CFString = "crtr"
/// The type of the item, a four-character code as a number.
@safe nonisolated(unsafe) public let kSecAttrType: CFString = "type"
/// Whether the item is hidden from lists shown to the user.
@safe nonisolated(unsafe) public let kSecAttrIsInvisible: CFString = "invi"
/// Whether the item stands for "ask the user each time" and holds no valid password.
@safe nonisolated(unsafe) public let kSecAttrIsNegative: CFString = "nega"
/// The account's name.
@safe nonisolated(unsafe) public let kSecAttrAccount: CFString = "acct"
/// The service that a generic password is for.
@safe nonisolated(unsafe) public let kSecAttrService: CFString = "svce"
/// What the program wants to keep with a generic password.
@safe nonisolated(unsafe) public let kSecAttrGeneric: CFString = "gena"
/// The security domain of an internet password.
@safe nonisolated(unsafe) public let kSecAttrSecurityDomain: CFString = "sdmn"
/// The server's name or address.
@safe nonisolated(unsafe) public let kSecAttrServer: CFString = "srvr"
/// The protocol: one of the `kSecAttrProtocol…` values.
@safe nonisolated(unsafe) public let kSecAttrProtocol: CFString = "ptcl"
/// The way of authenticating: one of the `kSecAttrAuthenticationType…` values.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationType: CFString = "atyp"
/// The server's port.
@safe nonisolated(unsafe) public let kSecAttrPort: CFString = "port"
/// The path on the server.
@safe nonisolated(unsafe) public let kSecAttrPath: CFString = "path"
