// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// Seals under keys that are used often: AES-256-SIV (RFC 5297), the synthetic vector of 16 bytes first.
///
/// The same text with the same additional data is the same sealed bytes; where that must not show, one part of the data
/// is a nonce. A nonce that comes twice tells no more than that.
// OpenSSL's mode takes one message for each setting of the key, so a context lives for one call, or is copied for each.
package enum SIV {
    /// Seals what is not empty, with one or more parts of additional data that are not empty.
    package static func seal(
        _ plain: SecretValue, key: borrowing SecretBytes, additional: [[UInt8]]
    ) throws(CryptoError) -> [UInt8] {
        let context = try SIVContext()
        try context.set(key, isSealing: true)
        try unsafe context.take(additional, text: plain.count)
        return try unsafe [UInt8](count: vectorSize + plain.count) { (output) throws(CryptoError) in
            try unsafe plain.withUnsafeBytes { (plain) throws(CryptoError) in
                try unsafe context.seal(plain, into: output)
            }
        }
    }

    /// Throws `authenticationFailed` for what was not sealed with this key and this data.
    package static func open(
        _ sealed: ArraySlice<UInt8>, key: borrowing SecretBytes, additional: [[UInt8]]
    ) throws(CryptoError) -> SecretValue {
        try SIVOpening(key: key).open(sealed, additional: additional)
    }

    package static let keySize = 64
    /// What sealing adds.
    package static let vectorSize = 16
}

/// Opens what was sealed with one key, which is set up once: that takes as long as opening half a kilobyte.
///
/// Not for two threads at once. Its memory is wiped when it ends.
package final class SIVOpening {
    private let prepared: SIVContext
    /// A copy for each message.
    private let context: SIVContext

    package init(key: borrowing SecretBytes) throws(CryptoError) {
        prepared = try SIVContext()
        context = try SIVContext()
        try prepared.set(key, isSealing: false)
    }

    /// Throws `authenticationFailed` for what was not sealed with this key and this data.
    package func open(_ sealed: ArraySlice<UInt8>, additional: [[UInt8]]) throws(CryptoError) -> SecretValue {
        let textSize = sealed.count - SIV.vectorSize
        guard textSize > 0 else { throw .authenticationFailed }
        try context.copy(prepared)
        let span = sealed.span
        return try unsafe SecretValue(count: textSize) { (output) throws(CryptoError) in
            try unsafe span.bytes.withUnsafeBytes { (sealed) throws(CryptoError) in
                try unsafe context.take(additional, vector: sealed.baseAddress, text: textSize)
                try unsafe context.open(UnsafeRawBufferPointer(rebasing: sealed[SIV.vectorSize...]), into: output)
            }
        }
    }
}

// An OpenSSL context is not for two threads.
@available(*, unavailable)
extension SIVOpening: Sendable {}

/// OpenSSL's context for one message.
// Safe: the pointer is private, made here, and freed in deinit.
@safe
private struct SIVContext: ~Copyable {
    private let context: OpaquePointer
    private let inChild: WipedInChild

    /// One without a key.
    init() throws(CryptoError) {
        guard let made = unsafe EVP_CIPHER_CTX_new() else { throw .takeFromLibrary() }
        unsafe context = made
        unsafe inChild = WipedInChild(cipher: made)
    }

    deinit {
        inChild.end()
        unsafe EVP_CIPHER_CTX_free(context)
    }

    func set(_ key: borrowing SecretBytes, isSealing: Bool) throws(CryptoError) {
        guard key.count == SIV.keySize else { throw .invalidLength }
        guard !key.isAllZero else { throw .zeroKey }
        guard let cipher = unsafe cipherOrNil else { throw .takeFromLibrary() }
        let isReady = unsafe key.withUnsafeBytes { key in
            unsafe EVP_CipherInit_ex2(context, cipher, key.baseAddress, nil, isSealing ? 1 : 0, nil) == 1
        }
        guard isReady else { throw .takeFromLibrary() }
    }

    /// Takes the key of another, which has had no message yet.
    func copy(_ other: borrowing SIVContext) throws(CryptoError) {
        guard unsafe EVP_CIPHER_CTX_copy(context, other.context) == 1 else { throw .takeFromLibrary() }
    }

    /// Sets the vector of what is to be opened, and the additional data.
    func take(_ additional: [[UInt8]], vector: UnsafeRawPointer? = nil, text: Int) throws(CryptoError) {
        // What is empty would not be authenticated: OpenSSL 3.0 to 3.1.1 leaves empty parts out (CVE-2023-2975), and an
        // empty text never gets a vector. The RFC has room for 126 parts.
        guard (1...16).contains(additional.count), !additional.contains(where: { $0.isEmpty }),
            (1...largest).contains(text)
        else { throw .invalidLength }
        if let vector = unsafe vector {
            // Only read, though the call could write.
            let start = unsafe UnsafeMutableRawPointer(mutating: vector)
            guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(SIV.vectorSize), start) == 1 else {
                throw .takeFromLibrary()
            }
        }
        var taken: Int32 = 0
        for part in additional {
            guard unsafe EVP_CipherUpdate(context, nil, &taken, part, Int32(part.count)) == 1 else {
                throw .takeFromLibrary()
            }
        }
    }

    func seal(_ plain: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        guard let start = output.baseAddress else { throw .invalidLength }
        var (written, last): (Int32, Int32) = (0, 0)
        guard
            unsafe EVP_CipherUpdate(
                context, start + SIV.vectorSize, &written, plain.baseAddress, Int32(plain.count)) == 1,
            Int(written) == plain.count, unsafe EVP_CipherFinal_ex(context, start, &last) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(SIV.vectorSize), start) == 1
        else {
            unsafe wipe(output)
            throw .takeFromLibrary()
        }
    }

    func open(_ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        var (written, last): (Int32, Int32) = (0, 0)
        var nothing: UInt8 = 0
        guard
            unsafe EVP_CipherUpdate(context, output.baseAddress, &written, text.baseAddress, Int32(text.count)) == 1,
            Int(written) == text.count, unsafe EVP_CipherFinal_ex(context, &nothing, &last) == 1
        else {
            unsafe wipe(output)
            throw .takeRefusal()
        }
    }
}

// Not among the algorithms that every process needs.
nonisolated(unsafe) private let cipherOrNil = unsafe EVP_CIPHER_fetch(FetchedAlgorithm.library, "AES-256-SIV", nil)
// OpenSSL counts in Int32; what we seal so is small.
private let largest = 1 << 24
