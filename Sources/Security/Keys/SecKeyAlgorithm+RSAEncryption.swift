// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Encryption with RSA keys.
extension SecKeyAlgorithm {
    /// The bare RSA operation on a number below the modulus.
    public static let rsaEncryptionRaw = SecKeyAlgorithm("algid:encrypt:RSA:raw")
    /// The bare RSA operation on a number in units of 8 bytes, the lowest first.
    public static let rsaEncryptionRawCCUnit = SecKeyAlgorithm("algid:encrypt:RSA:raw-cc")
    /// RSA with PKCS#1 v1.5 padding.
    public static let rsaEncryptionPKCS1 = SecKeyAlgorithm("algid:encrypt:RSA:PKCS1")
    /// RSA with OAEP padding and SHA-1.
    public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA1")
    /// RSA with OAEP padding and SHA-224.
    public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA224")
    /// RSA with OAEP padding and SHA-256.
    public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA256")
    /// RSA with OAEP padding and SHA-384.
    public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA384")
    /// RSA with OAEP padding and SHA-512.
    public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA512")
    /// AES-GCM under a new key, which RSA with OAEP padding and SHA-1 encrypts.
    public static let rsaEncryptionOAEPSHA1AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA1:AESGCM")
    /// AES-GCM under a new key, which RSA with OAEP padding and SHA-224 encrypts.
    public static let rsaEncryptionOAEPSHA224AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA224:AESGCM")
    /// AES-GCM under a new key, which RSA with OAEP padding and SHA-256 encrypts.
    public static let rsaEncryptionOAEPSHA256AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA256:AESGCM")
    /// AES-GCM under a new key, which RSA with OAEP padding and SHA-384 encrypts.
    public static let rsaEncryptionOAEPSHA384AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA384:AESGCM")
    /// AES-GCM under a new key, which RSA with OAEP padding and SHA-512 encrypts.
    public static let rsaEncryptionOAEPSHA512AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA512:AESGCM")
}
