// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Encryption with elliptic curve keys.
extension SecKeyAlgorithm {
    /// AES-GCM under a key from ECDH and the X9.63 derivation with SHA-1.
    public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM")
    /// AES-GCM under a key from ECDH and the X9.63 derivation with SHA-224.
    public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM")
    /// AES-GCM under a key from ECDH and the X9.63 derivation with SHA-256.
    public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
    /// AES-GCM under a key from ECDH and the X9.63 derivation with SHA-384.
    public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM")
    /// AES-GCM under a key from ECDH and the X9.63 derivation with SHA-512.
    public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM")
    /// AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-1.
    public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM")
    /// AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-224.
    public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM")
    /// AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-256.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
    /// AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-384.
    public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM")
    /// AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-512.
    public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM")
    /// AES-GCM under a key from ECDH and the X9.63 derivation with SHA-224, which also derives its vector.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV")
    /// AES-GCM under a key from ECDH and the X9.63 derivation with SHA-256, which also derives its vector.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
    /// AES-GCM under a key from ECDH and the X9.63 derivation with SHA-384, which also derives its vector.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV")
    /// AES-GCM under a key from ECDH and the X9.63 derivation with SHA-512, which also derives its vector.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV")
    /// AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-224, which also derives its vector.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV")
    /// AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-256, which also derives its vector.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
    /// AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-384, which also derives its vector.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV")
    /// AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-512, which also derives its vector.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV")
    /// What some smart cards use; no key here supports it.
    public static let eciesEncryptionAKSSmartCard = SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:SHA256:2PubKeys")
}
