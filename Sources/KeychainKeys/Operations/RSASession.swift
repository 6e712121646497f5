// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

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
        // A key of another size is no key of this form, whoever wrapped it.
        guard session.count == Self.keySize(bits: key.bits) else { throw .refused }
        return try unsafe session.withUnsafeBytes { (session) throws(KeyError) in
            try unsafe AESGCM.open(
                UnsafeRawBufferPointer(rebasing: sealed[key.blockSize...]), key: session, Self.context(key))
        }
    }

    private static func newKey(bits: Int) throws(KeyError) -> SecretBytes {
        do throws(CryptoError) {
            return try unsafe SecretBytes(count: keySize(bits: bits)) { (output) throws(CryptoError) in
                try unsafe fillRandom(output)
            }
        } catch { throw KeyError(error) }
    }

    private static func context(_ key: CryptoKey) -> AESGCM.Context {
        AESGCM.Context(vector: [UInt8](repeating: 0, count: 16), additional: key.publicRepresentation ?? [])
    }

    private static func keySize(bits: Int) -> Int { bits >= 4096 ? 32 : 16 }
}
