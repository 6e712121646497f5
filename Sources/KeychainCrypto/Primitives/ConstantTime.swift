// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

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
