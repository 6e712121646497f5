// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainKeys

/// Public keys in files.
extension CryptoKey {
    /// The SubjectPublicKeyInfo of the public half; nil of a symmetric key.
    package var subjectPublicKeyInfo: [UInt8]? {
        guard let algorithm = KeyAlgorithmIdentifier(of: self), let publicRepresentation else { return nil }
        return DERWriter.sequence(algorithm.der, DERWriter.bitString(publicRepresentation))
    }

    /// The key that is all of `der`, a SubjectPublicKeyInfo.
    static func publicKey(info der: [UInt8]) throws(ExchangeFailure) -> CryptoKey {
        let parts = unsafe der.lendingBytes { bytes -> (algorithm: [UInt8], key: [UInt8])? in
            var outer = unsafe DERReader(unsafeBytes: bytes)
            guard var info = outer.enter(DERTag.sequence), outer.isAtEnd, let algorithm = info.next(DERTag.sequence),
                let key = info.next(DERTag.bitString), info.isAtEnd
            else { return nil }
            return (info.unsecretBytes(algorithm.whole), info.unsecretBytes(key.content))
        }
        // A bit string begins with how many bits of its last byte do not count.
        guard let parts, parts.key.first == 0 else { throw malformed }
        guard let algorithm = KeyAlgorithmIdentifier(der: parts.algorithm) else {
            throw ExchangeFailure(.unsupportedFormat, "a key is of a kind, or on a curve, that no SecKey is")
        }
        let key = try publicKey(algorithm.type, Array(parts.key.dropFirst()))
        guard algorithm.curveBits ?? key.bits == key.bits else { throw malformed }
        return key
    }

    /// The key that is all of `der`, an RSAPublicKey (PKCS#1).
    static func publicKey(pkcs1 der: [UInt8]) throws(ExchangeFailure) -> CryptoKey { try publicKey(.rsa, der) }

    private static func publicKey(_ type: KeyType, _ bytes: [UInt8]) throws(ExchangeFailure) -> CryptoKey {
        do throws(KeyError) { return try CryptoKey(type, .public, representation: bytes) } catch {
            throw ExchangeFailure(imported: error)
        }
    }

    private static var malformed: ExchangeFailure { ExchangeFailure(.undecodable, "a public key is malformed") }
}
