// SPDX-License-Identifier: Apache-2.0

package import KeychainCoding
internal import KeychainCrypto

/// The public key of a certificate, and in what forms others know it.
package struct PublicKeyInfo: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case rsa
        case ellipticCurve(ObjectIdentifier)
        /// Another algorithm; its key was not looked at.
        case other(ObjectIdentifier)
    }

    package let kind: Kind
    /// The SubjectPublicKeyInfo.
    package let der: [UInt8]
    /// Apple's external form: of an RSA key its RSAPublicKey (PKCS#1), of one on a curve 04, x, y; of others the bytes
    /// that stand in the certificate.
    package let externalBytes: [UInt8]
    /// SHA-1 of the external bytes: the application label of the key, and the certificate's public key hash.
    package let hash: [UInt8]
    /// The bits of an RSA modulus; nil for others.
    package let modulusBits: Int?

    /// `uncompressed` gives the point of a key whose point is written compressed.
    package init?(_ info: DERValue, uncompressed: () -> [UInt8]?) {
        guard info.tag == DERTag.sequence, let parts = info.elements, parts.count == 2,
            let algorithm = AlgorithmIdentifier(parts[0]), let key = parts[1].wholeBytesOfBitString, !key.isEmpty
        else { return nil }
        var external = Array(key)
        var bits: Int?
        switch algorithm.identifier {
        case .rsa, .rsaPSS:
            // PSS says its parameters; of plain RSA they are NULL, and some leave that out.
            if algorithm.identifier == .rsa, let parameters = algorithm.parameters, parameters.tag != DERTag.null {
                return nil
            }
            guard let modulus = RSAPublicNumbers(key) else { return nil }
            bits = modulus.modulusBits
            kind = .rsa
        case .ellipticCurve:
            // Only named curves: parameters written out can be chosen so that a forged key passes (CVE-2020-0601).
            guard let curve = ObjectIdentifier(algorithm.parameters) else { return nil }
            kind = .ellipticCurve(curve)
            switch key.first {
            case 4: break
            case 2, 3:
                guard let point = uncompressed() else { return nil }
                external = point
            default: return nil
            }
        case .ed25519, .x25519:
            guard key.count == 32, algorithm.parameters == nil else { return nil }
            kind = .other(algorithm.identifier)
        default: kind = .other(algorithm.identifier)
        }
        guard
            let hash = unsafe try? external.lendingBytes({ (bytes) throws(CryptoError) in
                try unsafe Digest.sha1(bytes)
            })
        else { return nil }
        der = Array(info.encoding)
        externalBytes = external
        self.hash = hash
        modulusBits = bits
    }

    /// Whether OpenSSL has to be able to read the key for the certificate to be one.
    internal var isOfKnownKind: Bool {
        switch kind {
        case .rsa, .ellipticCurve: true
        case .other(let identifier): Self.knownOthers.contains(identifier)
        }
    }

    private static let knownOthers: Set<ObjectIdentifier> = [.ed25519, .x25519, .ed448, .x448]
}

/// The numbers of an RSAPublicKey, checked for sense and size.
private struct RSAPublicNumbers {
    let modulusBits: Int

    init?(_ key: ArraySlice<UInt8>) {
        guard let sequence = DERValue(key, tag: DERTag.sequence), let numbers = sequence.elements, numbers.count == 2,
            let modulus = Self.odd(numbers[0]), let exponent = Self.odd(numbers[1]),
            Self.sizes.contains(Self.bits(modulus)), (2...Self.largestExponent).contains(Self.bits(exponent))
        else { return nil }
        modulusBits = Self.bits(modulus)
    }

    /// The bytes of a positive odd number, without leading zero.
    private static func odd(_ value: DERValue) -> ArraySlice<UInt8>? {
        guard value.tag == DERTag.integer, value.isStrictPrimitive, let first = value.content.first, first < 0x80,
            let last = value.content.last, last & 1 == 1
        else { return nil }
        return first == 0 ? value.content.dropFirst() : value.content
    }

    private static func bits(_ number: ArraySlice<UInt8>) -> Int {
        number.count * 8 - (number.first?.leadingZeroBitCount ?? 0)
    }

    // OpenSSL computes with no larger ones (OPENSSL_RSA_MAX_MODULUS_BITS); smaller ones were never used for anything.
    private static let sizes = 512...16384
    private static let largestExponent = 64
}
