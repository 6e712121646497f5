// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What was not among the first algorithms.
extension SecKeyAlgorithm {
    /// Ed25519 of a message.
    public static let edDSASignatureMessageCurve25519SHA512 = SecKeyAlgorithm(
        "algid:sign:EdDSA:message-Curve25519:SHA512")
    /// Ed448 of a message.
    public static let edDSASignatureMessageCurve448SHAKE256 = SecKeyAlgorithm(
        "algid:sign:EdDSA:message-Curve448:SHAKE256")
    /// Encapsulation with Kyber; no key here supports it.
    public static let kemKyber = SecKeyAlgorithm("algid:kem:kyber")
    /// Encapsulation with ML-KEM; no key here supports it.
    public static let kemMLKEM = SecKeyAlgorithm("algid:kem:ML-KEM")
    /// ML-DSA of a message; no key here supports it.
    public static let mldsaSignatureMessage = SecKeyAlgorithm("algid:sign:ML-DSA:message")

    /// AES-GCM under a symmetric key: a random nonce of 12 bytes, the ciphertext, a tag of 16.
    ///
    /// Ours: Apple has none for symmetric keys.
    public static let aesEncryptionGCM = SecKeyAlgorithm("algid:encrypt:AES:GCM")
}
