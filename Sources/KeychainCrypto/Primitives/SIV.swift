// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// Seals under keys that are used often: AES-256-SIV (RFC 5297), the synthetic vector of 16 bytes first.
///
/// The same text with the same additional data is the same sealed bytes; where that must not show, one part of the data
/// is a nonce. A nonce that comes twice tells no more than that.
// OpenSSL's mode takes one message for each setting of the key, so the context lives for one call.
package enum SIV {
    /// Seals what is not empty, with one or more parts of additional data that are not empty.
    package static func seal(
        _ plain: SecretValue, key: borrowing SecretBytes, additional: [[UInt8]]
    ) throws(CryptoError) -> [UInt8] {
        let context = try SIVContext(key: key, additional: additional, tag: nil, text: plain.count)
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
        guard sealed.count > vectorSize else { throw .authenticationFailed }
        let context = try SIVContext(
            key: key, additional: additional, tag: Array(sealed.prefix(vectorSize)),
            text: sealed.count - vectorSize)
        return try unsafe SecretValue(count: sealed.count - vectorSize) { (output) throws(CryptoError) in
            try unsafe Array(sealed.dropFirst(vectorSize)).lendingBytes { (text) throws(CryptoError) in
                try unsafe context.open(text, into: output)
            }
        }
    }

    package static let keySize = 64
    /// What sealing adds.
    package static let vectorSize = 16
}

/// OpenSSL's context for one message.
// Safe: the pointer is private, made here, and freed in deinit.
@safe
private struct SIVContext: ~Copyable {
    private let context: OpaquePointer
    private let inChild: WipedInChild

    /// Sets the key, the vector of what is to be opened, and the additional data.
    init(
        key: borrowing SecretBytes, additional: [[UInt8]], tag: [UInt8]?, text: Int
    ) throws(CryptoError) {
        // What is empty would not be authenticated: OpenSSL 3.0 to 3.1.1 leaves empty parts out (CVE-2023-2975), and an
        // empty text never gets a vector. The RFC has room for 126 parts.
        guard key.count == SIV.keySize, (1...16).contains(additional.count), !additional.contains(where: \.isEmpty),
            (1...largest).contains(text)
        else { throw .invalidLength }
        guard !key.isAllZero else { throw .zeroKey }
        guard let cipher = unsafe cipherOrNil, let made = unsafe EVP_CIPHER_CTX_new() else {
            throw .takeFromLibrary()
        }
        let inChild = unsafe WipedInChild(cipher: made)
        let isReady = unsafe key.withUnsafeBytes { key in
            unsafe EVP_CipherInit_ex2(made, cipher, key.baseAddress, nil, tag == nil ? 1 : 0, nil) == 1
        }
        var vector = tag ?? []
        var taken: Int32 = 0
        guard isReady,
            unsafe tag == nil
                || EVP_CIPHER_CTX_ctrl(made, EVP_CTRL_AEAD_SET_TAG, Int32(SIV.vectorSize), &vector) == 1,
            additional.allSatisfy({ part in
                unsafe EVP_CipherUpdate(made, nil, &taken, part, Int32(part.count)) == 1
            })
        else {
            let error = CryptoError.takeFromLibrary()
            inChild.end()
            unsafe EVP_CIPHER_CTX_free(made)
            throw error
        }
        unsafe context = made
        self.inChild = inChild
    }

    deinit {
        inChild.end()
        unsafe EVP_CIPHER_CTX_free(context)
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
