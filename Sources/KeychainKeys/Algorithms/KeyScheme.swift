// SPDX-License-Identifier: Apache-2.0

/// What an algorithm consists of.
package enum KeyScheme: Hashable, Sendable {
    case signature(SignatureScheme)
    case encryption(EncryptionScheme)
    case keyExchange(KeyExchangeScheme)
    /// A name of Apple's for something OpenSSL 3.0 does not have, or only Apple's devices do.
    case unavailable
}

/// How something is signed.
package enum SignatureScheme: Hashable, Sendable {
    case rsa(RSASignaturePadding, SignedInput)
    case ecdsa(ECDSAEncoding, SignedInput)
    /// Ed25519 or Ed448, which digest messages in their own way.
    case edwards(KeyType)
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
