// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

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
