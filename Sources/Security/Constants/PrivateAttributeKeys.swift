// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

// Every item.

/// Another name of the item.
@safe nonisolated(unsafe) public let kSecAttrAlias: CFString = "alis"
/// Whether the item stands for a deleted one.
@safe nonisolated(unsafe) public let kSecAttrTombstone: CFString = "tomb"
/// The user that the item belongs to, on a machine of many users.
@safe nonisolated(unsafe) public let kSecAttrMultiUser: CFString = "musr"
/// The item's identity in synchronization.
@safe nonisolated(unsafe) public let kSecAttrUUID: CFString = "UUID"
/// The digest of the item.
@safe nonisolated(unsafe) public let kSecAttrSHA1: CFString = "sha1"
/// Whether a backup leaves the item out and a restore leaves it alone.
@safe nonisolated(unsafe) public let kSecAttrSysBound: CFString = "sysb"
/// The former name of ``kSecUseDataProtectionKeychain``.
@safe nonisolated(unsafe) public let kSecAttrNoLegacy: CFString = "nleg"

// Passwords.

/// The script that the item's strings are written in.
@safe nonisolated(unsafe) public let kSecAttrScriptCode: CFString = "scrp"
/// Whether the item has an icon of its own.
@safe nonisolated(unsafe) public let kSecAttrHasCustomIcon: CFString = "cusi"
/// The volume on an AppleShare server; no class has it.
@safe nonisolated(unsafe) public let kSecAttrVolume: CFString = "volm"
/// The address of an AppleShare server; no class has it.
@safe nonisolated(unsafe) public let kSecAttrAddress: CFString = "addr"
/// The signature of an AppleShare server; no class has it.
@safe nonisolated(unsafe) public let kSecAttrAFPServerSignature: CFString = "afps"

// Certificates.

/// The type of a revocation list; no class has it.
@safe nonisolated(unsafe) public let kSecAttrCRLType: CFString = "crlt"
/// The encoding of a revocation list; no class has it.
@safe nonisolated(unsafe) public let kSecAttrCRLEncoding: CFString = "crle"

// Keys.

/// Whether the key is private.
@safe nonisolated(unsafe) public let kSecAttrIsPrivate: CFString = "priv"
/// Whether the key can be changed.
@safe nonisolated(unsafe) public let kSecAttrIsModifiable: CFString = "modi"
/// The creator of the key.
@safe nonisolated(unsafe) public let kSecAttrKeyCreator: CFString = "crtr"
/// When the key begins to be valid.
@safe nonisolated(unsafe) public let kSecAttrStartDate: CFString = "sdat"
/// When the key ceases to be valid.
@safe nonisolated(unsafe) public let kSecAttrEndDate: CFString = "edat"
/// Whether the key has been sensitive all its life.
@safe nonisolated(unsafe) public let kSecAttrWasAlwaysSensitive: CFString = "asen"
/// Whether the key has never been extractable.
@safe nonisolated(unsafe) public let kSecAttrWasNeverExtractable: CFString = "next"
/// Whether the key may sign so that the message can be recovered.
@safe nonisolated(unsafe) public let kSecAttrCanSignRecover: CFString = "snrc"
/// Whether the key may recover messages while verifying.
@safe nonisolated(unsafe) public let kSecAttrCanVerifyRecover: CFString = "vyrc"
/// The dictionary of attributes for a new symmetric key.
@safe nonisolated(unsafe) public let kSecSymmetricKeyAttrs: CFString = "symmetric"
/// The key's object within its token.
@safe nonisolated(unsafe) public let kSecAttrTokenOID: CFString = "toid"
/// The key as the enclave wrapped it.
@safe nonisolated(unsafe) public let kSecAttrSecureEnclaveKeyBlob: CFString = "toid"
