// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

// kSecAttrAccessible.

/// At any time, by the name without deprecation.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysPrivate: CFString = "dk"
/// At any time and on this machine only, by the name without deprecation.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnlyPrivate: CFString = "dku"
/// Until the machine restarts; such an item cannot be stored.
@safe nonisolated(unsafe) public let kSecAttrAccessibleUntilReboot: CFString = "f"

// kSecAttrTokenID.

/// The key store of the enclave.
@safe nonisolated(unsafe) public let kSecAttrTokenIDAppleKeyStore: CFString = "com.apple.setoken:aks"
/// The secure element.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureElement: CFString = "com.apple.secelemtoken"

// kSecAttrKeyType.

/// An elliptic curve key of the enclave's public key accelerator.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandomPKA: CFString = "2147483678"
/// The key that the enclave attests other keys with.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeSecureEnclaveAttestation: CFString = "2147483679"
/// The key that the enclave attests other keys with anonymously.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeSecureEnclaveAnonymousAttestation: CFString = "2147483680"
/// A key for signatures on Curve25519.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEd25519: CFString = "105"
/// A key for agreement on Curve25519.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeX25519: CFString = "106"
/// A key for signatures on Curve448.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEd448: CFString = "107"
/// A key for agreement on Curve448.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeX448: CFString = "108"
/// A key for encapsulation with Kyber.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeKyber: CFString = "109"
