// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

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
