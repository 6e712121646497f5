// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainModel

/// Wraps keys under one key: AES-256 key wrap (RFC 3394), which needs no nonce and recognises what it wrapped.
///
/// Not for two threads at once. Its memory is wiped when it ends.
// OpenSSL has the mode as a cipher, AES-256-WRAP; but through the version we build for (3.0) it runs on AES without the
// processor's instructions, which costs seven times as much (3.4 µs) and looks up tables at secret places. So the few
// lines of the mode are here, over single AES blocks, and through EVP_Cipher: EVP_CipherUpdate keeps account of incomplete blocks,
// which costs as much as the block. OpenSSL's manual would rather have programs call that, because what EVP_Cipher returns
// depends on the cipher; for whole blocks without padding it is the number of bytes, and anything else is an error here.
// The scheduled keys lie in OpenSSL's heap, not in the locked arena: they can be swapped out. They end with the connection that
// owns this, and in a forked child before fork returns.
// Safe: the contexts are private, made here, and freed in deinit or never.
@safe
package final class KeyWrap {
    private let key: SecretBytes
    // One for each direction, which need different schedules, and not before its first use.
    private var encrypting: OpaquePointer?
    private var decrypting: OpaquePointer?
    private var inChild: [WipedInChild] = []
    private var isAbandoned = false

    /// What wraps under the 32 bytes of `key`; throws `invalidLength`, or `zeroKey`.
    package init(key: UnsafeRawBufferPointer) throws(CryptoError) {
        guard key.count == Self.keySize else { throw .invalidLength }
        guard unsafe !isZeroInConstantTime(key) else { throw .zeroKey }
        self.key = unsafe SecretBytes(copying: key)
    }

    deinit {
        for context in inChild { context.end() }
        // Wipes the schedule first; nil is fine.
        unsafe EVP_CIPHER_CTX_free(encrypting)
        unsafe EVP_CIPHER_CTX_free(decrypting)
    }

    /// Wraps `plain`, 16 bytes or a longer multiple of 8, into `output`, 8 bytes more.
    ///
    /// The buffers may not overlap. Refuses to wrap zeros: no key is that.
    package func wrap(_ plain: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        guard plain.count % 8 == 0, (16...Self.largestPlain).contains(plain.count),
            output.count == plain.count + Self.overhead
        else { throw .invalidLength }
        guard unsafe !isZeroInConstantTime(plain) else { throw .zeroKey }
        if unsafe encrypting == nil { unsafe encrypting = try makeContext(forEncryption: 1) }

        // RFC 3394 §2.2.1, with its names: A is the first half of the block, R[i] is `output` from byte 8 · i.
        let n = plain.count / 8
        var block = SIMD2(Self.initialValue, 0)
        unsafe UnsafeMutableRawBufferPointer(rebasing: output[8...]).copyMemory(from: plain)
        for j in 0..<6 {
            for i in 1...n {
                unsafe block[1] = output.loadUnaligned(fromByteOffset: 8 * i, as: UInt64.self)
                guard unsafe apply(encrypting, to: &block) else {
                    unsafe wipe(output)
                    throw .takeFromLibrary()
                }
                block ^= SIMD2(UInt64(n * j + i).bigEndian, 0)
                unsafe output.storeBytes(of: block[1], toByteOffset: 8 * i, as: UInt64.self)
            }
        }
        unsafe output.storeBytes(of: block[0], as: UInt64.self)
    }

    /// Unwraps `wrapped` into `output`, 8 bytes less.
    ///
    /// The buffers may not overlap. Throws `authenticationFailed` with `output` wiped.
    package func unwrap(
        _ wrapped: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard output.count % 8 == 0, (16...Self.largestPlain).contains(output.count),
            wrapped.count == output.count + Self.overhead
        else { throw .invalidLength }
        if unsafe decrypting == nil { unsafe decrypting = try makeContext(forEncryption: 0) }

        // RFC 3394 §2.2.2: R[i] is `output` from byte 8 · (i - 1).
        let n = output.count / 8
        var block = unsafe SIMD2(wrapped.loadUnaligned(as: UInt64.self), 0)
        // Half of it is key.
        defer { unsafe withUnsafeMutableBytes(of: &block) { unsafe wipe($0) } }
        unsafe output.copyMemory(from: UnsafeRawBufferPointer(rebasing: wrapped[8...]))
        for j in (0..<6).reversed() {
            for i in (1...n).reversed() {
                let half = unsafe output.loadUnaligned(fromByteOffset: 8 * (i - 1), as: UInt64.self)
                block ^= SIMD2(UInt64(n * j + i).bigEndian, 0)
                block[1] = half
                guard unsafe apply(decrypting, to: &block) else {
                    unsafe wipe(output)
                    throw .takeFromLibrary()
                }
                unsafe output.storeBytes(of: block[1], toByteOffset: 8 * (i - 1), as: UInt64.self)
            }
        }
        // One comparison of whole words: its time says nothing about where they differ.
        guard block[0] == Self.initialValue else {
            unsafe wipe(output)
            throw .authenticationFailed
        }
    }

    /// Forgets the contexts without freeing them: for a forked child, where OpenSSL's heap may be mid-change.
    package func abandon() {
        isAbandoned = true
        unsafe encrypting = nil
        unsafe decrypting = nil
    }

    /// Encrypts or decrypts one block in place.
    // A vector, so that it is stored in one piece: AES loads it in one, and would wait for the two halves to arrive.
    @inline(__always)
    private func apply(_ context: OpaquePointer?, to block: inout SIMD2<UInt64>) -> Bool {
        unsafe withUnsafeMutableBytes(of: &block) { bytes in
            let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress
            return unsafe EVP_Cipher(context, start, start, 16) == 16
        }
    }

    private func makeContext(forEncryption: Int32) throws(CryptoError) -> OpaquePointer {
        // After a fork without abandon() the key is gone as well.
        guard !isAbandoned, !key.isAbandoned else { throw .abandoned }
        let cipher = try unsafe FetchedAlgorithm.aes256Block
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .takeFromLibrary() }
        let isReady = unsafe key.withUnsafeBytes { bytes in
            unsafe EVP_CipherInit_ex2(context, cipher, bytes.baseAddress, nil, forEncryption, nil) == 1
                && EVP_CIPHER_CTX_set_padding(context, 0) == 1
        }
        guard isReady else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw .takeFromLibrary()
        }
        unsafe inChild.append(WipedInChild(cipher: context))
        return unsafe context
    }

    package static let keySize = 32
    /// What wrapping adds.
    package static let overhead = 8
    private static let largestPlain = 1 << 16
    // §2.2.3.1; the same in either byte order.
    private static let initialValue: UInt64 = 0xA6A6_A6A6_A6A6_A6A6
}

// One store connection owns it: an OpenSSL context is not for two threads.
@available(*, unavailable)
extension KeyWrap: Sendable {}
