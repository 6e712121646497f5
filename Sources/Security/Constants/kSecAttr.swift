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

// Certificates.

/// The subject's name, as normalized DER.
@safe nonisolated(unsafe) public let kSecAttrSubject: CFString = "subj"
/// The issuer's name, as normalized DER.
@safe nonisolated(unsafe) public let kSecAttrIssuer: CFString = "issr"
/// The serial number of the certificate.
@safe nonisolated(unsafe) public let kSecAttrSerialNumber: CFString = "slnr"
/// The subject key identifier of the certificate.
@safe nonisolated(unsafe) public let kSecAttrSubjectKeyID: CFString = "skid"
/// The hash of the certificate's public key.
@safe nonisolated(unsafe) public let kSecAttrPublicKeyHash: CFString = "pkhh"
/// The type of the certificate, such as ``CSSM_CERT_X_509v3``.
@safe nonisolated(unsafe) public let kSecAttrCertificateType: CFString = "ctyp"
/// The encoding of the certificate, such as ``CSSM_CERT_ENCODING_DER``.
@safe nonisolated(unsafe) public let kSecAttrCertificateEncoding: CFString = "cenc"

// Keys.

/// Whether the key is public, private or symmetric: one of the `kSecAttrKeyClass…` values.
@safe nonisolated(unsafe) public let kSecAttrKeyClass: CFString = "kcls"
/// The label that programs find a key by: the hash of the public key unless it was set.
@safe nonisolated(unsafe) public let kSecAttrApplicationLabel: CFString = "klbl"
/// Whether the key is to be stored when it is made.
@safe nonisolated(unsafe) public let kSecAttrIsPermanent: CFString = "perm"
/// Whether the key leaves the keychain only wrapped.
@safe nonisolated(unsafe) public let kSecAttrIsSensitive: CFString = "sens"
/// Whether the key can leave the keychain at all.
@safe nonisolated(unsafe) public let kSecAttrIsExtractable: CFString = "extr"
/// The tag that a program gives its key.
@safe nonisolated(unsafe) public let kSecAttrApplicationTag: CFString = "atag"
/// The key's algorithm: one of the `kSecAttrKeyType…` values.
@safe nonisolated(unsafe) public let kSecAttrKeyType: CFString = "type"
/// The number of bits of the key.
@safe nonisolated(unsafe) public let kSecAttrKeySizeInBits: CFString = "bsiz"
/// The number of bits of the key that count for its strength.
@safe nonisolated(unsafe) public let kSecAttrEffectiveKeySize: CFString = "esiz"
/// The token that holds the key: one of the `kSecAttrTokenID…` values.
@safe nonisolated(unsafe) public let kSecAttrTokenID: CFString = "tkid"

// What the key may do.

/// Whether the key may encrypt.
@safe nonisolated(unsafe) public let kSecAttrCanEncrypt: CFString = "encr"
/// Whether the key may decrypt.
@safe nonisolated(unsafe) public let kSecAttrCanDecrypt: CFString = "decr"
/// Whether other keys may be derived from the key.
@safe nonisolated(unsafe) public let kSecAttrCanDerive: CFString = "drve"
/// Whether the key may sign.
@safe nonisolated(unsafe) public let kSecAttrCanSign: CFString = "sign"
/// Whether the key may verify signatures.
@safe nonisolated(unsafe) public let kSecAttrCanVerify: CFString = "vrfy"
/// Whether the key may wrap other keys.
@safe nonisolated(unsafe) public let kSecAttrCanWrap: CFString = "wrap"
/// Whether the key may unwrap other keys.
@safe nonisolated(unsafe) public let kSecAttrCanUnwrap: CFString = "unwp"

// A pair to be made.

/// The dictionary of attributes for the private key of a new pair.
@safe nonisolated(unsafe) public let kSecPrivateKeyAttrs: CFString = "private"
/// The dictionary of attributes for the public key of a new pair.
@safe nonisolated(unsafe) public let kSecPublicKeyAttrs: CFString = "public"

// A key that is derived from a password.

/// The function a key is derived with: one of the `kSecAttrPRFHmacAlg…` values.
@safe nonisolated(unsafe) public let kSecAttrPRF: CFString = "prf"
/// The salt a key is derived with, as data.
@safe nonisolated(unsafe) public let kSecAttrSalt: CFString = "salt"
/// The number of rounds a key is derived with.
@safe nonisolated(unsafe) public let kSecAttrRounds: CFString = "rounds"

// The values of kSecAttrPRF.

/// HMAC with SHA-1.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// HMAC with SHA-224.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// HMAC with SHA-256.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// HMAC with SHA-384.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// HMAC with SHA-512.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"

// Apple has the rest in private headers.

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

// Secret data beside an internet password.

/// Notes on an internet password, secret like the password.
@safe nonisolated(unsafe) public let kSecDataInetExtraNotes: CFString = "binn"
/// The history of an internet password, secret like the password.
@safe nonisolated(unsafe) public let kSecDataInetExtraHistory: CFString = "bini"
/// What a program keeps secret with an internet password, first of four.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined0: CFString = "bin0"
/// What a program keeps secret with an internet password, second of four.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined1: CFString = "bin1"
/// What a program keeps secret with an internet password, third of four.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined2: CFString = "bin2"
/// What a program keeps secret with an internet password, fourth of four.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined3: CFString = "bin3"

// Synchronization.

/// The service of a protected cloud storage key, in the clear.
@safe nonisolated(unsafe) public let kSecAttrPCSPlaintextServiceIdentifier: CFString = "pcss"
/// The public key of a protected cloud storage key, in the clear.
@safe nonisolated(unsafe) public let kSecAttrPCSPlaintextPublicKey: CFString = "pcsk"
/// The public identity of a protected cloud storage key, in the clear.
@safe nonisolated(unsafe) public let kSecAttrPCSPlaintextPublicIdentity: CFString = "pcsi"
/// Whether the item's identity in synchronization follows from its primary key.
@safe nonisolated(unsafe) public let kSecAttrDeriveSyncIDFromItemAttributes: CFString = "dspk"
/// The group of people that the item is shared with.
@safe nonisolated(unsafe) public let kSecAttrSharingGroup: CFString = "ggrp"
/// The value of ``kSecAttrSharingGroup`` for an item that is not shared.
@safe nonisolated(unsafe) public let kSecAttrSharingGroupNone: CFString = ""
