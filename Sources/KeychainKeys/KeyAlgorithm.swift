// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainModel

/// A way to use a key, by the name that `SecKeyAlgorithm` gives it.
package struct KeyAlgorithm: Hashable, Sendable {
    package let name: String
    package let scheme: KeyScheme

    /// nil when the name is unknown.
    package init?(_ name: String) {
        // Swift takes two spellings of one character for the same; the names are ASCII and have no second one.
        guard name.isASCII, let scheme = Self.schemes[name] else { return nil }
        self.name = name
        self.scheme = scheme
    }

    /// Every name there is, Apple's and ours, in the order of the table.
    package static let names = table.map(\.name)

    /// The one algorithm of ours: AES-GCM with a key of AES.
    package static let aesGCMName = "algid:encrypt:AES:GCM"

    private static let schemes = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0.scheme) })

    /// Whether the name is one of an algorithm for that.
    internal func isFor(_ operation: KeyOperation) -> Bool {
        switch scheme {
        case .signature: operation == .sign || operation == .verify
        case .encryption: operation == .encrypt || operation == .decrypt
        case .keyExchange: operation == .keyExchange
        case .unavailable: false
        }
    }
}

/// What an algorithm consists of.
package enum KeyScheme: Hashable, Sendable {
    case signature(SignatureScheme)
    case encryption(EncryptionScheme)
    case keyExchange(KeyExchangeScheme)
    /// A name of Apple's for something OpenSSL does not have, that no function takes, or that only Apple's devices do.
    case unavailable
}

/// How something is signed.
package enum SignatureScheme: Hashable, Sendable {
    case rsa(RSASignaturePadding, SignedInput)
    case ecdsa(ECDSAEncoding, SignedInput)
    /// Ed25519 or Ed448, which digest messages in their own way.
    case edwards(KeyType)
    /// ML-DSA of a message, with no context.
    case mldsa
}

/// What is given to be signed.
package enum SignedInput: Hashable, Sendable {
    /// A message, which is digested here.
    case message(HashFunction)
    /// Its digest, of exactly that function's size.
    case digest(HashFunction)
    /// Bytes taken as they are.
    case any
}

/// How RSA's number is made of what is signed.
package enum RSASignaturePadding: Hashable, Sendable {
    case none
    /// No padding, and the least significant byte first.
    case noneReversed
    case pkcs1
    /// With a salt of the digest's size, and the mask of the same digest.
    case pss
}

/// How the two numbers of an ECDSA signature are written.
package enum ECDSAEncoding: Hashable, Sendable {
    /// As a DER sequence.
    case x962
    /// One after the other, each of the curve's size.
    case rfc4754
}

/// How something is encrypted.
package enum EncryptionScheme: Hashable, Sendable {
    case rsa(RSAEncryptionPadding)
    /// A session key by RSA, the rest by AES-GCM.
    case rsaSession(HashFunction)
    /// An ephemeral EC key, the rest by AES-GCM; the initial vector is zero unless it is derived too.
    case ecies(KeyExchangeScheme, derivesVector: Bool)
    /// AES-GCM with a random nonce in front; ours.
    case aesGCM
}

package enum RSAEncryptionPadding: Hashable, Sendable {
    case none
    /// No padding, and the least significant byte first.
    case noneReversed
    case pkcs1
    /// With the mask of the same digest, and no label.
    case oaep(HashFunction)
}

/// How two keys make one secret.
///
/// Whether the cofactor takes part is told apart by name only: that of every curve here is 1.
package struct KeyExchangeScheme: Hashable, Sendable {
    package let usesCofactor: Bool
    /// The digest of ANSI X9.63's derivation; the secret itself when there is none.
    package let derivation: HashFunction?
}

/// The digests that algorithms are made of.
package enum HashFunction: String, Sendable, CaseIterable {
    // The raw value is OpenSSL's name.
    case md5 = "MD5"
    case sha1 = "SHA1"
    case sha224 = "SHA224"
    case sha256 = "SHA256"
    case sha384 = "SHA384"
    case sha512 = "SHA512"

    /// The bytes of a digest.
    package var size: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The digest of bytes that are all there.
    internal func digest(of bytes: UnsafeRawBufferPointer) throws(KeyError) -> [UInt8] {
        let algorithm = try unsafe algorithm
        var result = [UInt8](repeating: 0, count: size)
        var written: UInt32 = 0
        guard unsafe EVP_Digest(bytes.baseAddress, bytes.count, &result, &written, algorithm, nil) == 1,
            Int(written) == size
        else { throw .takeFromLibrary() }
        return result
    }

    internal var algorithm: OpaquePointer {
        get throws(KeyError) {
            let found =
                switch self {
                case .md5: unsafe KeyLibrary.md5
                case .sha1: unsafe KeyLibrary.sha1
                case .sha224: unsafe KeyLibrary.sha224
                case .sha256: unsafe KeyLibrary.sha256
                case .sha384: unsafe KeyLibrary.sha384
                case .sha512: unsafe KeyLibrary.sha512
                }
            return try unsafe KeyLibrary.found(found)
        }
    }
}

/// Every name and what it means (semantics §1.9), and ours at the end.
extension KeyAlgorithm {
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
        ("algid:sign:ML-DSA:message", .signature(.mldsa)),
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
