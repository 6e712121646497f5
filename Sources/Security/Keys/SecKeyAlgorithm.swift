// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// The name is kept as Swift's string, which makes the value Sendable; the object is made when it is asked for.
/// A way to use a key; Apple's names are the static members.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    let name: String

    /// The name in Apple's header: `algid:` and what the algorithm is made of.
    public var rawValue: CFString { name as NSString }

    /// An algorithm by its name; every key refuses one with an unknown name.
    public init(rawValue: CFString) { name = rawValue as String }

    init(_ name: String) { self.name = name }
}

/// RSA signatures.
extension SecKeyAlgorithm {
    /// The bare RSA operation on a number below the modulus.
    public static let rsaSignatureRaw = SecKeyAlgorithm("algid:sign:RSA:raw")
    /// The bare RSA operation on a number in units of 8 bytes, the lowest first.
    public static let rsaSignatureRawCCUnit = SecKeyAlgorithm("algid:sign:RSA:raw-cc")
    /// RSA with PKCS#1 v1.5 padding, of bytes that are signed as they are.
    public static let rsaSignatureDigestPKCS1v15Raw = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15")
    /// RSA with PKCS#1 v1.5 padding, of a digest made with MD5.
    public static let rsaSignatureDigestPKCS1v15MD5 = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15:MD5")
    /// RSA with PKCS#1 v1.5 padding, of a digest made with SHA-1.
    public static let rsaSignatureDigestPKCS1v15SHA1 = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15:SHA1")
    /// RSA with PKCS#1 v1.5 padding, of a digest made with SHA-224.
    public static let rsaSignatureDigestPKCS1v15SHA224 = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15:SHA224")
    /// RSA with PKCS#1 v1.5 padding, of a digest made with SHA-256.
    public static let rsaSignatureDigestPKCS1v15SHA256 = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15:SHA256")
    /// RSA with PKCS#1 v1.5 padding, of a digest made with SHA-384.
    public static let rsaSignatureDigestPKCS1v15SHA384 = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15:SHA384")
    /// RSA with PKCS#1 v1.5 padding, of a digest made with SHA-512.
    public static let rsaSignatureDigestPKCS1v15SHA512 = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15:SHA512")
    /// RSA with PSS padding, of a digest made with SHA-1.
    public static let rsaSignatureDigestPSSSHA1 = SecKeyAlgorithm("algid:sign:RSA:digest-PSS:SHA1:SHA1:20")
    /// RSA with PSS padding, of a digest made with SHA-224.
    public static let rsaSignatureDigestPSSSHA224 = SecKeyAlgorithm("algid:sign:RSA:digest-PSS:SHA224:SHA224:24")
    /// RSA with PSS padding, of a digest made with SHA-256.
    public static let rsaSignatureDigestPSSSHA256 = SecKeyAlgorithm("algid:sign:RSA:digest-PSS:SHA256:SHA256:32")
    /// RSA with PSS padding, of a digest made with SHA-384.
    public static let rsaSignatureDigestPSSSHA384 = SecKeyAlgorithm("algid:sign:RSA:digest-PSS:SHA384:SHA384:48")
    /// RSA with PSS padding, of a digest made with SHA-512.
    public static let rsaSignatureDigestPSSSHA512 = SecKeyAlgorithm("algid:sign:RSA:digest-PSS:SHA512:SHA512:64")
    /// RSA with PKCS#1 v1.5 padding, of a message, with MD5.
    public static let rsaSignatureMessagePKCS1v15MD5 = SecKeyAlgorithm("algid:sign:RSA:message-PKCS1v15:MD5")
    /// RSA with PKCS#1 v1.5 padding, of a message, with SHA-1.
    public static let rsaSignatureMessagePKCS1v15SHA1 = SecKeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA1")
    /// RSA with PKCS#1 v1.5 padding, of a message, with SHA-224.
    public static let rsaSignatureMessagePKCS1v15SHA224 = SecKeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA224")
    /// RSA with PKCS#1 v1.5 padding, of a message, with SHA-256.
    public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA256")
    /// RSA with PKCS#1 v1.5 padding, of a message, with SHA-384.
    public static let rsaSignatureMessagePKCS1v15SHA384 = SecKeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA384")
    /// RSA with PKCS#1 v1.5 padding, of a message, with SHA-512.
    public static let rsaSignatureMessagePKCS1v15SHA512 = SecKeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA512")
    /// RSA with PSS padding, of a message, with SHA-1.
    public static let rsaSignatureMessagePSSSHA1 = SecKeyAlgorithm("algid:sign:RSA:message-PSS:SHA1:SHA1:20")
    /// RSA with PSS padding, of a message, with SHA-224.
    public static let rsaSignatureMessagePSSSHA224 = SecKeyAlgorithm("algid:sign:RSA:message-PSS:SHA224:SHA224:24")
    /// RSA with PSS padding, of a message, with SHA-256.
    public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm("algid:sign:RSA:message-PSS:SHA256:SHA256:32")
    /// RSA with PSS padding, of a message, with SHA-384.
    public static let rsaSignatureMessagePSSSHA384 = SecKeyAlgorithm("algid:sign:RSA:message-PSS:SHA384:SHA384:48")
    /// RSA with PSS padding, of a message, with SHA-512.
    public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm("algid:sign:RSA:message-PSS:SHA512:SHA512:64")
}

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

/// ECDSA signatures.
extension SecKeyAlgorithm {
    /// ECDSA of a digest of any size; the signature is r and s side by side.
    public static let ecdsaSignatureRFC4754 = SecKeyAlgorithm("algid:sign:ECDSA:RFC4754")
    /// ECDSA of a digest of any size; the signature is r and s side by side.
    public static let ecdsaSignatureDigestRFC4754 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754")
    /// ECDSA of a digest made with SHA-1; the signature is r and s side by side.
    public static let ecdsaSignatureDigestRFC4754SHA1 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA1")
    /// ECDSA of a digest made with SHA-224; the signature is r and s side by side.
    public static let ecdsaSignatureDigestRFC4754SHA224 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA224")
    /// ECDSA of a digest made with SHA-256; the signature is r and s side by side.
    public static let ecdsaSignatureDigestRFC4754SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA256")
    /// ECDSA of a digest made with SHA-384; the signature is r and s side by side.
    public static let ecdsaSignatureDigestRFC4754SHA384 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA384")
    /// ECDSA of a digest made with SHA-512; the signature is r and s side by side.
    public static let ecdsaSignatureDigestRFC4754SHA512 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA512")
    /// ECDSA of a message, with SHA-1; the signature is r and s side by side.
    public static let ecdsaSignatureMessageRFC4754SHA1 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA1")
    /// ECDSA of a message, with SHA-224; the signature is r and s side by side.
    public static let ecdsaSignatureMessageRFC4754SHA224 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA224")
    /// ECDSA of a message, with SHA-256; the signature is r and s side by side.
    public static let ecdsaSignatureMessageRFC4754SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA256")
    /// ECDSA of a message, with SHA-384; the signature is r and s side by side.
    public static let ecdsaSignatureMessageRFC4754SHA384 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA384")
    /// ECDSA of a message, with SHA-512; the signature is r and s side by side.
    public static let ecdsaSignatureMessageRFC4754SHA512 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA512")
    /// ECDSA of a digest of any size; the signature is DER.
    public static let ecdsaSignatureDigestX962 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962")
    /// ECDSA of a digest made with SHA-1; the signature is DER.
    public static let ecdsaSignatureDigestX962SHA1 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA1")
    /// ECDSA of a digest made with SHA-224; the signature is DER.
    public static let ecdsaSignatureDigestX962SHA224 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA224")
    /// ECDSA of a digest made with SHA-256; the signature is DER.
    public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA256")
    /// ECDSA of a digest made with SHA-384; the signature is DER.
    public static let ecdsaSignatureDigestX962SHA384 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA384")
    /// ECDSA of a digest made with SHA-512; the signature is DER.
    public static let ecdsaSignatureDigestX962SHA512 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA512")
    /// ECDSA of a message, with SHA-1; the signature is DER.
    public static let ecdsaSignatureMessageX962SHA1 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA1")
    /// ECDSA of a message, with SHA-224; the signature is DER.
    public static let ecdsaSignatureMessageX962SHA224 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA224")
    /// ECDSA of a message, with SHA-256; the signature is DER.
    public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA256")
    /// ECDSA of a message, with SHA-384; the signature is DER.
    public static let ecdsaSignatureMessageX962SHA384 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA384")
    /// ECDSA of a message, with SHA-512; the signature is DER.
    public static let ecdsaSignatureMessageX962SHA512 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA512")
}

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

/// Key exchange.
extension SecKeyAlgorithm {
    /// ECDH: the x coordinate of the shared point.
    public static let ecdhKeyExchangeStandard = SecKeyAlgorithm("algid:keyexchange:ECDH")
    /// ECDH and the X9.63 derivation with SHA-1.
    public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA1")
    /// ECDH and the X9.63 derivation with SHA-224.
    public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA224")
    /// ECDH and the X9.63 derivation with SHA-256.
    public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA256")
    /// ECDH and the X9.63 derivation with SHA-384.
    public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA384")
    /// ECDH and the X9.63 derivation with SHA-512.
    public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA512")
    /// Cofactor ECDH: the x coordinate of the shared point.
    public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm("algid:keyexchange:ECDHC")
    /// Cofactor ECDH and the X9.63 derivation with SHA-1.
    public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA1")
    /// Cofactor ECDH and the X9.63 derivation with SHA-224.
    public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA224")
    /// Cofactor ECDH and the X9.63 derivation with SHA-256.
    public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA256")
    /// Cofactor ECDH and the X9.63 derivation with SHA-384.
    public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA384")
    /// Cofactor ECDH and the X9.63 derivation with SHA-512.
    public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA512")
}

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
    /// Encapsulation with ML-KEM, which no function takes; `MLKEM768` of CryptoKit encapsulates.
    public static let kemMLKEM = SecKeyAlgorithm("algid:kem:ML-KEM")
    /// ML-DSA of a message, with no context; there are keys for it where OpenSSL is 3.5 or newer.
    public static let mldsaSignatureMessage = SecKeyAlgorithm("algid:sign:ML-DSA:message")

    /// AES-GCM under a symmetric key: a random nonce of 12 bytes, the ciphertext, a tag of 16.
    ///
    /// Ours: Apple has none for symmetric keys.
    public static let aesEncryptionGCM = SecKeyAlgorithm("algid:encrypt:AES:GCM")
}
