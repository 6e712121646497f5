// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// HMAC-SHA-256 under one key, set up once and begun anew for each message.
///
/// Not for two threads at once. Its memory is wiped when it ends.
// Safe: the context is private, made here, and freed in deinit or never.
@safe
package final class KeyedHash {
    private var context: OpaquePointer?
    private let inChild: WipedInChild

    /// What hashes under `key`; throws `invalidLength` when that is empty, or `zeroKey`.
    package init(key: UnsafeRawBufferPointer) throws(CryptoError) {
        guard key.count > 0 else { throw .invalidLength }
        guard unsafe !isZeroInConstantTime(key) else { throw .zeroKey }
        let algorithm = try unsafe FetchedAlgorithm.hmac
        guard let context = unsafe EVP_MAC_CTX_new(algorithm) else { throw .takeFromLibrary() }
        guard unsafe llv_openssl_hmac_sha256_init(context, key.baseAddress, key.count) == 1 else {
            unsafe EVP_MAC_CTX_free(context)
            throw .takeFromLibrary()
        }
        unsafe self.context = context
        unsafe inChild = WipedInChild(mac: context)
    }

    deinit {
        inChild.end()
        unsafe EVP_MAC_CTX_free(context)
    }

    /// Starts a message, whatever became of the last one.
    package func begin() throws(CryptoError) {
        guard let context = unsafe context else { throw .abandoned }
        // No key means the one it has, already absorbed: a sixth of the price of setting it again.
        guard unsafe EVP_MAC_init(context, nil, 0, nil) == 1 else { throw .takeFromLibrary() }
    }

    /// Takes in the next part of the message.
    package func update(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) {
        guard let context = unsafe context else { throw .abandoned }
        guard bytes.count > 0 else { return }
        guard unsafe EVP_MAC_update(context, bytes.baseAddress, bytes.count) == 1 else { throw .takeFromLibrary() }
    }

    /// Writes the 32 bytes of the hash and ends the message.
    package func finish(into output: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        guard let context = unsafe context else { throw .abandoned }
        guard output.count == Self.size else { throw .invalidLength }
        var written = 0
        guard unsafe EVP_MAC_final(context, output.baseAddress, &written, output.count) == 1, written == output.count
        else { throw .takeFromLibrary() }
    }

    /// Writes the first 16 bytes of the hash of `domain`, big-endian, followed by `bytes`.
    ///
    /// Equal bytes in two domains have unrelated hashes.
    package func hash(
        domain: UInt64, _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard output.count == Self.cutSize else { throw .invalidLength }
        try begin()
        try unsafe withUnsafeBytes(of: domain.bigEndian) { prefix throws(CryptoError) in
            try unsafe update(prefix)
        }
        try unsafe update(bytes)
        var whole: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        try unsafe withUnsafeMutableBytes(of: &whole) { whole throws(CryptoError) in
            try unsafe finish(into: whole)
            unsafe output.copyMemory(from: UnsafeRawBufferPointer(rebasing: whole[..<Self.cutSize]))
        }
    }

    /// Forgets the context without freeing it: for a forked child, where OpenSSL's heap may be mid-change.
    package func abandon() {
        unsafe context = nil
    }

    package static let size = 32
    /// What `hash(domain:_:into:)` writes.
    package static let cutSize = 16
}

// One store connection owns it: an OpenSSL context is not for two threads.
@available(*, unavailable)
extension KeyedHash: Sendable {}
