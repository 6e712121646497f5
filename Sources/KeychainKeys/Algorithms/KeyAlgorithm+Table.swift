// SPDX-License-Identifier: Apache-2.0

/// Every name and what it means (semantics §1.9), and ours at the end.
extension KeyAlgorithm {
    // Longer than a file should be, because each name has its line.
    internal static let table: [(name: String, scheme: KeyScheme)] = [
        ("algid:sign:RSA:raw", .signature(.rsa(.none, .any))),
        ("algid:sign:RSA:raw-cc", .signature(.rsa(.noneReversed, .any))),
        ("algid:sign:RSA:digest-PKCS1v15", .signature(.rsa(.pkcs1, .any))),
        ("algid:sign:RSA:digest-PKCS1v15:MD5", .signature(.rsa(.pkcs1, .digest(.md5)))),
        ("algid:sign:RSA:digest-PKCS1v15:SHA1", .signature(.rsa(.pkcs1, .digest(.sha1)))),
        ("algid:sign:RSA:digest-PKCS1v15:SHA224", .signature(.rsa(.pkcs1, .digest(.sha224)))),
        ("algid:sign:RSA:digest-PKCS1v15:SHA256", .signature(.rsa(.pkcs1, .digest(.sha256)))),
        ("algid:sign:RSA:digest-PKCS1v15:SHA384", .signature(.rsa(.pkcs1, .digest(.sha384)))),
        ("algid:sign:RSA:digest-PKCS1v15:SHA512", .signature(.rsa(.pkcs1, .digest(.sha512)))),
        ("algid:sign:RSA:digest-PSS:SHA1:SHA1:20", .signature(.rsa(.pss, .digest(.sha1)))),
        ("algid:sign:RSA:digest-PSS:SHA224:SHA224:24", .signature(.rsa(.pss, .digest(.sha224)))),
        ("algid:sign:RSA:digest-PSS:SHA256:SHA256:32", .signature(.rsa(.pss, .digest(.sha256)))),
        ("algid:sign:RSA:digest-PSS:SHA384:SHA384:48", .signature(.rsa(.pss, .digest(.sha384)))),
        ("algid:sign:RSA:digest-PSS:SHA512:SHA512:64", .signature(.rsa(.pss, .digest(.sha512)))),
        ("algid:sign:RSA:message-PKCS1v15:MD5", .signature(.rsa(.pkcs1, .message(.md5)))),
        ("algid:sign:RSA:message-PKCS1v15:SHA1", .signature(.rsa(.pkcs1, .message(.sha1)))),
        ("algid:sign:RSA:message-PKCS1v15:SHA224", .signature(.rsa(.pkcs1, .message(.sha224)))),
        ("algid:sign:RSA:message-PKCS1v15:SHA256", .signature(.rsa(.pkcs1, .message(.sha256)))),
        ("algid:sign:RSA:message-PKCS1v15:SHA384", .signature(.rsa(.pkcs1, .message(.sha384)))),
        ("algid:sign:RSA:message-PKCS1v15:SHA512", .signature(.rsa(.pkcs1, .message(.sha512)))),
        ("algid:sign:RSA:message-PSS:SHA1:SHA1:20", .signature(.rsa(.pss, .message(.sha1)))),
        ("algid:sign:RSA:message-PSS:SHA224:SHA224:24", .signature(.rsa(.pss, .message(.sha224)))),
        ("algid:sign:RSA:message-PSS:SHA256:SHA256:32", .signature(.rsa(.pss, .message(.sha256)))),
        ("algid:sign:RSA:message-PSS:SHA384:SHA384:48", .signature(.rsa(.pss, .message(.sha384)))),
        ("algid:sign:RSA:message-PSS:SHA512:SHA512:64", .signature(.rsa(.pss, .message(.sha512)))),
        ("algid:sign:ECDSA:RFC4754", .signature(.ecdsa(.rfc4754, .any))),
        ("algid:sign:ECDSA:digest-RFC4754", .signature(.ecdsa(.rfc4754, .any))),
        ("algid:sign:ECDSA:digest-RFC4754:SHA1", .signature(.ecdsa(.rfc4754, .digest(.sha1)))),
        ("algid:sign:ECDSA:digest-RFC4754:SHA224", .signature(.ecdsa(.rfc4754, .digest(.sha224)))),
        ("algid:sign:ECDSA:digest-RFC4754:SHA256", .signature(.ecdsa(.rfc4754, .digest(.sha256)))),
        ("algid:sign:ECDSA:digest-RFC4754:SHA384", .signature(.ecdsa(.rfc4754, .digest(.sha384)))),
        ("algid:sign:ECDSA:digest-RFC4754:SHA512", .signature(.ecdsa(.rfc4754, .digest(.sha512)))),
        ("algid:sign:ECDSA:message-RFC4754:SHA1", .signature(.ecdsa(.rfc4754, .message(.sha1)))),
        ("algid:sign:ECDSA:message-RFC4754:SHA224", .signature(.ecdsa(.rfc4754, .message(.sha224)))),
        ("algid:sign:ECDSA:message-RFC4754:SHA256", .signature(.ecdsa(.rfc4754, .message(.sha256)))),
        ("algid:sign:ECDSA:message-RFC4754:SHA384", .signature(.ecdsa(.rfc4754, .message(.sha384)))),
        ("algid:sign:ECDSA:message-RFC4754:SHA512", .signature(.ecdsa(.rfc4754, .message(.sha512)))),
        ("algid:sign:ECDSA:digest-X962", .signature(.ecdsa(.x962, .any))),
        ("algid:sign:ECDSA:digest-X962:SHA1", .signature(.ecdsa(.x962, .digest(.sha1)))),
        ("algid:sign:ECDSA:digest-X962:SHA224", .signature(.ecdsa(.x962, .digest(.sha224)))),
        ("algid:sign:ECDSA:digest-X962:SHA256", .signature(.ecdsa(.x962, .digest(.sha256)))),
        ("algid:sign:ECDSA:digest-X962:SHA384", .signature(.ecdsa(.x962, .digest(.sha384)))),
        ("algid:sign:ECDSA:digest-X962:SHA512", .signature(.ecdsa(.x962, .digest(.sha512)))),
        ("algid:sign:ECDSA:message-X962:SHA1", .signature(.ecdsa(.x962, .message(.sha1)))),
        ("algid:sign:ECDSA:message-X962:SHA224", .signature(.ecdsa(.x962, .message(.sha224)))),
        ("algid:sign:ECDSA:message-X962:SHA256", .signature(.ecdsa(.x962, .message(.sha256)))),
        ("algid:sign:ECDSA:message-X962:SHA384", .signature(.ecdsa(.x962, .message(.sha384)))),
        ("algid:sign:ECDSA:message-X962:SHA512", .signature(.ecdsa(.x962, .message(.sha512)))),
        ("algid:encrypt:RSA:raw", .encryption(.rsa(.none))),
        ("algid:encrypt:RSA:raw-cc", .encryption(.rsa(.noneReversed))),
        ("algid:encrypt:RSA:PKCS1", .encryption(.rsa(.pkcs1))),
        ("algid:encrypt:RSA:OAEP:SHA1", .encryption(.rsa(.oaep(.sha1)))),
        ("algid:encrypt:RSA:OAEP:SHA224", .encryption(.rsa(.oaep(.sha224)))),
        ("algid:encrypt:RSA:OAEP:SHA256", .encryption(.rsa(.oaep(.sha256)))),
        ("algid:encrypt:RSA:OAEP:SHA384", .encryption(.rsa(.oaep(.sha384)))),
        ("algid:encrypt:RSA:OAEP:SHA512", .encryption(.rsa(.oaep(.sha512)))),
        ("algid:encrypt:RSA:OAEP:SHA1:AESGCM", .encryption(.rsaSession(.sha1))),
        ("algid:encrypt:RSA:OAEP:SHA224:AESGCM", .encryption(.rsaSession(.sha224))),
        ("algid:encrypt:RSA:OAEP:SHA256:AESGCM", .encryption(.rsaSession(.sha256))),
        ("algid:encrypt:RSA:OAEP:SHA384:AESGCM", .encryption(.rsaSession(.sha384))),
        ("algid:encrypt:RSA:OAEP:SHA512:AESGCM", .encryption(.rsaSession(.sha512))),
        ("algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM", .ecies(.standard(.sha1), derivesVector: false)),
        ("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM", .ecies(.standard(.sha224), derivesVector: false)),
        ("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM", .ecies(.standard(.sha256), derivesVector: false)),
        ("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM", .ecies(.standard(.sha384), derivesVector: false)),
        ("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM", .ecies(.standard(.sha512), derivesVector: false)),
        ("algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM", .ecies(.cofactor(.sha1), derivesVector: false)),
        ("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM", .ecies(.cofactor(.sha224), derivesVector: false)),
        ("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM", .ecies(.cofactor(.sha256), derivesVector: false)),
        ("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM", .ecies(.cofactor(.sha384), derivesVector: false)),
        ("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM", .ecies(.cofactor(.sha512), derivesVector: false)),
        ("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV", .ecies(.standard(.sha224), derivesVector: true)),
        ("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV", .ecies(.standard(.sha256), derivesVector: true)),
        ("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV", .ecies(.standard(.sha384), derivesVector: true)),
        ("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV", .ecies(.standard(.sha512), derivesVector: true)),
        ("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV", .ecies(.cofactor(.sha224), derivesVector: true)),
        ("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV", .ecies(.cofactor(.sha256), derivesVector: true)),
        ("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV", .ecies(.cofactor(.sha384), derivesVector: true)),
        ("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV", .ecies(.cofactor(.sha512), derivesVector: true)),
        ("algid:keyexchange:ECDH", .keyExchange(.standard(nil))),
        ("algid:keyexchange:ECDH:KDFX963:SHA1", .keyExchange(.standard(.sha1))),
        ("algid:keyexchange:ECDH:KDFX963:SHA224", .keyExchange(.standard(.sha224))),
        ("algid:keyexchange:ECDH:KDFX963:SHA256", .keyExchange(.standard(.sha256))),
        ("algid:keyexchange:ECDH:KDFX963:SHA384", .keyExchange(.standard(.sha384))),
        ("algid:keyexchange:ECDH:KDFX963:SHA512", .keyExchange(.standard(.sha512))),
        ("algid:keyexchange:ECDHC", .keyExchange(.cofactor(nil))),
        ("algid:keyexchange:ECDHC:KDFX963:SHA1", .keyExchange(.cofactor(.sha1))),
        ("algid:keyexchange:ECDHC:KDFX963:SHA224", .keyExchange(.cofactor(.sha224))),
        ("algid:keyexchange:ECDHC:KDFX963:SHA256", .keyExchange(.cofactor(.sha256))),
        ("algid:keyexchange:ECDHC:KDFX963:SHA384", .keyExchange(.cofactor(.sha384))),
        ("algid:keyexchange:ECDHC:KDFX963:SHA512", .keyExchange(.cofactor(.sha512))),
        ("algid:encrypt:ECIES:ECDH:SHA256:2PubKeys", .unavailable),
        ("algid:sign:EdDSA:message-Curve25519:SHA512", .signature(.edwards(.ed25519))),
        ("algid:sign:EdDSA:message-Curve448:SHAKE256", .signature(.edwards(.ed448))),
        ("algid:kem:kyber", .unavailable),
        ("algid:kem:ML-KEM", .unavailable),
        ("algid:sign:ML-DSA:message", .unavailable),
        (aesGCMName, .encryption(.aesGCM)),
    ]
}

extension KeyScheme {
    fileprivate static func ecies(_ exchange: KeyExchangeScheme, derivesVector: Bool) -> KeyScheme {
        .encryption(.ecies(exchange, derivesVector: derivesVector))
    }
}

extension KeyExchangeScheme {
    fileprivate static func standard(_ derivation: HashFunction?) -> KeyExchangeScheme {
        KeyExchangeScheme(usesCofactor: false, derivation: derivation)
    }

    fileprivate static func cofactor(_ derivation: HashFunction?) -> KeyExchangeScheme {
        KeyExchangeScheme(usesCofactor: true, derivation: derivation)
    }
}
