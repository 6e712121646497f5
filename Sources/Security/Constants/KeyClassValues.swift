// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// A public key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPublic: CFString = "0"
/// A private key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPrivate: CFString = "1"
/// A symmetric key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassSymmetric: CFString = "2"
