// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// One side of a Diffie-Hellman agreement modulo the second Oakley group's prime (RFC 2409 §6.2), which has 1024 bits.
///
/// For what others defined by it; nothing of ours is agreed on so. It keeps readers of a bus out, not whoever can break
/// a prime that all the world shares.
package struct OakleyKey: ~Copyable {
    private let key: LibraryKey
    /// Big-endian, always 128 bytes.
    package let publicKey: [UInt8]

    /// A new one.
    package init() throws(CryptoError) {
        let key = try unsafe LibraryKey(llv_openssl_oakley_new_key(FetchedAlgorithm.library))
        publicKey = try unsafe key.withUnsafePointer { (key) throws(CryptoError) in
            try unsafe [UInt8](count: Self.size) { (output) throws(CryptoError) in
                guard unsafe llv_openssl_oakley_number(key, output.baseAddress) == 1 else {
                    throw .takeFromLibrary()
                }
            }
        }
        self.key = key
    }

    /// The 128 bytes that both sides compute, to derive keys from; zeros stand in front where the number is short.
    ///
    /// The other's key is a big-endian number with any zeros in front. Throws `invalidLength` when it has no bytes or
    /// more than `longest`, and `authenticationFailed` when it is 0, 1, p - 1, or no smaller than p.
    package borrowing func sharedSecret(with other: UnsafeRawBufferPointer) throws(CryptoError) -> SecretBytes {
        guard (1...Self.longest).contains(other.count) else { throw .invalidLength }
        var refused: Int32 = 0
        let made = unsafe llv_openssl_oakley_public_key(
            FetchedAlgorithm.library, other.baseAddress, other.count, &refused)
        guard refused == 0 else { throw .takeRefusal() }
        return try key.sharedSecret(with: unsafe LibraryKey(made), count: Self.size, padded: true)
    }

    private static let size = Int(LLV_OAKLEY_SIZE)
    /// Nobody sends so many zeros in front of a number of 128 bytes.
    package static let longest = 200
}
