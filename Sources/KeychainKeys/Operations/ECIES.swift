// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

/// Encryption to an EC key: the point of a key made for it, the text by AES-GCM, the tag.
///
/// The AES key is derived (X9.63) from what the two keys share, with the ephemeral point as shared information: 16
/// bytes for curves of up to 256 bits, else 32. The initial vector is 16 zeros, or the 16 bytes derived behind the key.
// Zeros for a vector are sound because a key is used once: it is derived from a point made for this text.
// Nothing is authenticated besides. Apple's header speaks of the static public key there; programs that are known to
// read and write Apple's form authenticate nothing, and these two contradict each other. To be compared with a Mac.
internal struct ECIES {
    private let derivation: HashFunction
    private let derivesVector: Bool

    internal init(_ scheme: KeyExchangeScheme, derivesVector: Bool) throws(KeyError) {
        guard let derivation = scheme.derivation else { throw .unsupportedAlgorithm }
        self.derivation = derivation
        self.derivesVector = derivesVector
    }

    internal func encrypt(_ plain: UnsafeRawBufferPointer, to key: CryptoKey) throws(KeyError) -> [UInt8] {
        guard plain.count <= AESGCM.largestPlain else { throw .invalidLength }
        let ephemeral = try CryptoKey.generate(.ec, bits: key.bits)
        guard let point = ephemeral.publicRepresentation else { throw .unsupportedKey }
        let material = try keyMaterial(ephemeral.sharedSecret(with: key), point, bits: key.bits)
        let size = Self.keySize(bits: key.bits)
        return try unsafe material.withUnsafeBytes { (material) throws(KeyError) in
            let context = unsafe context(material, size)
            return try unsafe [UInt8](count: point.count + plain.count + AESGCM.tagSize) { (output) throws(KeyError) in
                unsafe output.copyBytes(from: point)
                try unsafe AESGCM.seal(
                    plain, key: UnsafeRawBufferPointer(rebasing: material.prefix(size)), context,
                    into: UnsafeMutableRawBufferPointer(rebasing: output[point.count...]))
            }
        }
    }

    internal func decrypt(_ sealed: UnsafeRawBufferPointer, with key: CryptoKey) throws(KeyError) -> SecretBytes {
        guard let curve = Curve(bits: key.bits) else { throw .unsupportedKey }
        guard sealed.count >= curve.pointSize + AESGCM.tagSize else { throw .invalidLength }
        let point = unsafe Array(sealed.prefix(curve.pointSize))
        let ephemeral: CryptoKey
        do throws(KeyError) {
            ephemeral = try CryptoKey(.ec, .public, representation: point)
        } catch { throw error == .malformed ? .refused : error }
        let material = try keyMaterial(key.sharedSecret(with: ephemeral), point, bits: key.bits)
        let size = Self.keySize(bits: key.bits)
        return try unsafe material.withUnsafeBytes { (material) throws(KeyError) in
            try unsafe AESGCM.open(
                UnsafeRawBufferPointer(rebasing: sealed[curve.pointSize...]),
                key: UnsafeRawBufferPointer(rebasing: material.prefix(size)), context(material, size))
        }
    }

    /// The AES key and, if it is derived, the vector behind it.
    private func keyMaterial(
        _ secret: borrowing SecretBytes, _ point: [UInt8], bits: Int
    ) throws(KeyError) -> SecretBytes {
        try X963.derive(
            secret, info: point, derivation,
            count: Self.keySize(bits: bits) + (derivesVector ? Self.vectorSize : 0))
    }

    private func context(_ material: UnsafeRawBufferPointer, _ keySize: Int) -> AESGCM.Context {
        AESGCM.Context(
            vector: unsafe derivesVector
                ? Array(material.dropFirst(keySize)) : [UInt8](repeating: 0, count: Self.vectorSize))
    }

    private static func keySize(bits: Int) -> Int { bits <= 256 ? 16 : 32 }

    private static let vectorSize = 16
}
