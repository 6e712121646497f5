// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// An RSA key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = "42"
/// An elliptic curve key, in the older spelling.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEC: CFString = "73"
/// A key on one of the elliptic curves over a prime field that NIST names.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// A key for encapsulation with ML-KEM.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeMLKEM: CFString = "110"
/// A key for signatures with ML-DSA.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeMLDSA: CFString = "111"

// A Mac alone has these.

/// A DES key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDES: CFString = "14"
/// A triple DES key.
@safe nonisolated(unsafe) public let kSecAttrKeyType3DES: CFString = "17"
/// An RC2 key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC2: CFString = "23"
/// An RC4 key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC4: CFString = "25"
/// A DSA key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDSA: CFString = "43"
/// A CAST key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeCAST: CFString = "56"
/// An elliptic curve key, by the name it has on a Mac.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECDSA: CFString = "73"
/// An AES key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeAES: CFString = "2147483649"
