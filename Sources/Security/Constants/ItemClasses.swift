// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// The key that says which kind of item a dictionary is about.
@safe nonisolated(unsafe) public let kSecClass: CFString = "class"
/// A password of any sort.
@safe nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"
/// A password for a server on the network.
@safe nonisolated(unsafe) public let kSecClassInternetPassword: CFString = "inet"
/// A certificate.
@safe nonisolated(unsafe) public let kSecClassCertificate: CFString = "cert"
/// A cryptographic key.
@safe nonisolated(unsafe) public let kSecClassKey: CFString = "keys"
/// A certificate together with its private key.
@safe nonisolated(unsafe) public let kSecClassIdentity: CFString = "idnt"
