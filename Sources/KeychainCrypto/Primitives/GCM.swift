// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Seals under keys that are used once: AES-256-GCM with one fixed nonce, the 16-byte tag at the end.
///
/// Not for two threads at once. Its memory is wiped when it ends; until then it holds the last key it was given,
/// because nothing cheaper than another key overwrites a schedule. So free it with the connection that owns it.
// The nonce is always zero. GCM needs each pair of key and nonce to be used at most once: with a random 256-bit key
// drawn for every seal, the key alone makes the pair unique, and there is no counter that a restored or copied disk
// could repeat. (A running machine that is snapshotted and resumed twice repeats OpenSSL's generator too; the threat
// model names that case.) To seal two texts under one key, even the same item edited in place, would reveal their
// difference and let anyone forge tags under that key. The caller of seal() draws the key just before.
// Safe: the context is private, made here, and freed in deinit or never.
@safe
package final class GCM {
    private var context: OpaquePointer?
    private let inChild: WipedInChild

    package init() throws(CryptoError) {
        let cipher = try unsafe FetchedAlgorithm.aes256GCM
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .takeFromLibrary() }
        guard unsafe EVP_CipherInit_ex2(context, cipher, nil, nil, 1, nil) == 1 else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw .takeFromLibrary()
        }
        unsafe self.context = context
        unsafe inChild = WipedInChild(cipher: context)
    }

    deinit {
        inChild.end()
        unsafe EVP_CIPHER_CTX_free(context)
    }

    /// Seals `plain` into `output`, 16 bytes more, under a key that was never used before and never will be again.
    ///
    /// The buffers may not overlap. Throws `zeroKey`, or `invalidLength`; `output` is wiped when OpenSSL fails.
    package func seal(
        key: UnsafeRawBufferPointer, additional: UnsafeRawBufferPointer, plain: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try unsafe seal(key: key, nonce: GCM.zeroNonce, additional: additional, plain: plain, into: output)
    }

    /// The same with the nonce that a protocol of others derives beside the key.
    internal func seal(
        key: UnsafeRawBufferPointer, nonce: FullNonce, additional: UnsafeRawBufferPointer,
        plain: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard plain.count <= Self.largestPlain, output.count == plain.count + Self.tagSize,
            let outputStart = output.baseAddress
        else { throw .invalidLength }
        guard unsafe key.count != Self.keySize || !isZeroInConstantTime(key) else { throw .zeroKey }
        let context = try unsafe begin(key: key, nonce: nonce, additional: additional, encrypting: 1)

        let tag = unsafe outputStart + plain.count
        var written: Int32 = 0
        guard unsafe update(context, plain, into: outputStart),
            unsafe EVP_CipherFinal_ex(context, tag, &written) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagSize), tag) == 1
        else {
            unsafe wipe(output)
            throw .takeFromLibrary()
        }
    }

    /// Opens `sealed` into `output`, 16 bytes less.
    ///
    /// The buffers may not overlap. Throws `authenticationFailed` with `output` wiped.
    package func open(
        key: UnsafeRawBufferPointer, additional: UnsafeRawBufferPointer, sealed: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try unsafe open(key: key, nonce: GCM.zeroNonce, additional: additional, sealed: sealed, into: output)
    }

    internal func open(
        key: UnsafeRawBufferPointer, nonce: FullNonce, additional: UnsafeRawBufferPointer,
        sealed: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard sealed.count == output.count + Self.tagSize, output.count <= Self.largestPlain,
            let sealedStart = sealed.baseAddress
        else { throw .invalidLength }
        let context = try unsafe begin(key: key, nonce: nonce, additional: additional, encrypting: 0)

        // OpenSSL only reads the tag; its control call is older than const.
        let tag = unsafe UnsafeMutableRawPointer(mutating: sealedStart + output.count)
        guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagSize), tag) == 1,
            unsafe update(
                context, UnsafeRawBufferPointer(start: sealedStart, count: output.count),
                into: output.baseAddress)
        else {
            unsafe wipe(output)
            throw .takeFromLibrary()
        }
        // The text is in `output` before the tag has been checked: no one may see it unless the next call agrees.
        var written: Int32 = 0
        var nothing: UInt8 = 0
        guard unsafe EVP_CipherFinal_ex(context, &nothing, &written) == 1 else {
            unsafe wipe(output)
            throw .takeRefusal()
        }
    }

    /// Forgets the context without freeing it: for a forked child, where OpenSSL's heap may be mid-change.
    package func abandon() {
        unsafe context = nil
    }

    /// Schedules `key` with the nonce and takes in the additional data.
    private func begin(
        key: UnsafeRawBufferPointer, nonce: FullNonce, additional: UnsafeRawBufferPointer, encrypting: Int32
    ) throws(CryptoError) -> OpaquePointer {
        guard let context = unsafe context else { throw .abandoned }
        guard key.count == Self.keySize, let additionalCount = Int32(exactly: additional.count) else {
            throw .invalidLength
        }
        var nonce = nonce
        var taken: Int32 = 0
        let isReady = unsafe withUnsafeBytes(of: &nonce) { nonce in
            unsafe EVP_CipherInit_ex2(context, nil, key.baseAddress, nonce.baseAddress, encrypting, nil) == 1
        }
        guard isReady,
            unsafe additionalCount == 0
                || EVP_CipherUpdate(context, nil, &taken, additional.baseAddress, additionalCount) == 1
        else { throw .takeFromLibrary() }
        return unsafe context
    }

    private func update(
        _ context: OpaquePointer, _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer?
    ) -> Bool {
        // OpenSSL takes an update without output for additional data.
        guard let output = unsafe output, input.count > 0 else { return true }
        var written: Int32 = 0
        return unsafe EVP_CipherUpdate(context, output, &written, input.baseAddress, Int32(input.count)) == 1
            && Int(written) == input.count
    }

    /// Twelve bytes, as they lie in memory.
    internal typealias FullNonce = (UInt64, UInt32)
    private static let zeroNonce: FullNonce = (0, 0)

    package static let keySize = 32
    /// What sealing adds.
    package static let tagSize = 16
    // OpenSSL counts in Int32.
    private static let largestPlain = Int(Int32.max) - 64
}

// One store connection owns it: an OpenSSL context is not for two threads.
@available(*, unavailable)
extension GCM: Sendable {}
