// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainModel

extension [UInt8] {
    /// Bytes that `fill` writes; not for secrets, which belong into `SecretBytes`.
    package init<Failure: Error>(
        count: Int, filling fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        // Not `init(repeating:count:)`, which runs generic code and costs five times as much for a few bytes.
        unsafe self.init(unsafeUninitializedCapacity: count) { memory, initialized in
            unsafe memory.initialize(repeating: 0)
            initialized = count
        }
        var span = mutableSpan
        var bytes = unsafe span.mutableBytes
        try unsafe bytes.withUnsafeMutableBytes { (buffer) throws(Failure) in try unsafe fill(buffer) }
    }

    /// Lends the bytes; unlike `withUnsafeBytes` of the standard library it keeps the type of what is thrown.
    package func lendingBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let span = span
        return try unsafe span.bytes.withUnsafeBytes { (bytes) throws(Failure) in try unsafe body(bytes) }
    }
}

extension SecretBytes {
    /// One secret, then the other.
    internal static func joined(_ first: borrowing SecretBytes, _ second: borrowing SecretBytes) -> SecretBytes {
        unsafe SecretBytes(count: first.count + second.count) { buffer in
            unsafe first.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
            unsafe second.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[first.count...]).copyMemory(from: $0)
            }
        }
    }
}

/// Compares in a time that depends on the sizes alone.
package func isEqualInConstantTime(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return true }
    return unsafe CRYPTO_memcmp(leftStart, rightStart, left.count) == 0
}

/// Whether every byte is zero, as in a key that was wiped; true of no bytes.
///
/// The time depends on the size alone.
internal func isZeroInConstantTime(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var seen: UInt8 = 0
    for index in 0..<bytes.count { seen |= unsafe bytes[index] }
    return seen == 0
}

/// Wipes `bytes` in a way that the optimiser keeps.
internal func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    if let start = bytes.baseAddress { unsafe OPENSSL_cleanse(start, bytes.count) }
}

/// Fills `buffer` from OpenSSL's generator for private values.
///
/// It is wiped when it could not be filled. The price is that of the call, whatever the size: draw all an operation
/// needs at once. OpenSSL seeds the generator anew in a forked child.
package func fillRandom(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    guard let start = buffer.baseAddress, buffer.count > 0 else { return }
    guard unsafe RAND_priv_bytes_ex(FetchedAlgorithm.library, start, buffer.count, 0) == 1 else {
        unsafe OPENSSL_cleanse(start, buffer.count)
        ERR_clear_error()
        throw .randomnessUnavailable
    }
}
