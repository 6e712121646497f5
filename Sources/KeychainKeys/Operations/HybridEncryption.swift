// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
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

/// Encryption of any size to an RSA key: an AES key by OAEP, the text by AES-GCM, the tag.
///
/// The AES key has 32 bytes for a modulus of 4096 bits or more, else 16; the initial vector is 16 zeros; the public key's
/// external bytes are authenticated too.
// Zeros for a vector are sound because the key is drawn for this text alone.
internal struct RSASession {
    internal let hash: HashFunction

    /// Whether a modulus of so many bits has room for the AES key.
    internal func hasRoom(in bits: Int) -> Bool {
        RSAEncryptionPadding.oaep(hash).largestInput(bits: bits) >= Self.keySize(bits: bits)
    }

    internal func encrypt(_ plain: UnsafeRawBufferPointer, to key: CryptoKey) throws(KeyError) -> [UInt8] {
        guard plain.count <= AESGCM.largestPlain else { throw .invalidLength }
        let session = try Self.newKey(bits: key.bits)
        return try unsafe session.withUnsafeBytes { (session) throws(KeyError) in
            let wrapped = try unsafe key.encryptRSA(session, .oaep(hash))
            return try unsafe [UInt8](count: wrapped.count + plain.count + AESGCM.tagSize) {
                (output) throws(KeyError) in
                unsafe output.copyBytes(from: wrapped)
                try unsafe AESGCM.seal(
                    plain, key: session, Self.context(key),
                    into: UnsafeMutableRawBufferPointer(rebasing: output[wrapped.count...]))
            }
        }
    }

    internal func decrypt(_ sealed: UnsafeRawBufferPointer, with key: CryptoKey) throws(KeyError) -> SecretBytes {
        guard sealed.count >= key.blockSize + AESGCM.tagSize else { throw .invalidLength }
        let wrapped = unsafe UnsafeRawBufferPointer(rebasing: sealed.prefix(key.blockSize))
        let session = try unsafe key.decryptRSA(wrapped, .oaep(hash))
        // A key of another size is not a key of this form.
        guard session.count == Self.keySize(bits: key.bits) else { throw .refused }
        return try unsafe session.withUnsafeBytes { (session) throws(KeyError) in
            try unsafe AESGCM.open(
                UnsafeRawBufferPointer(rebasing: sealed[key.blockSize...]), key: session, Self.context(key))
        }
    }

    private static func newKey(bits: Int) throws(KeyError) -> SecretBytes {
        try KeyError.translating { () throws(CryptoError) in
            try unsafe SecretBytes(count: keySize(bits: bits)) { (output) throws(CryptoError) in
                try unsafe fillRandom(output)
            }
        }
    }

    private static func context(_ key: CryptoKey) -> AESGCM.Context {
        AESGCM.Context(vector: [UInt8](repeating: 0, count: 16), additional: key.publicRepresentation ?? [])
    }

    private static func keySize(bits: Int) -> Int { bits >= 4096 ? 32 : 16 }
}
