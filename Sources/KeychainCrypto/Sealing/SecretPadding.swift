// SPDX-License-Identifier: Apache-2.0

/// Padding of a secret's plaintext to a multiple of 32 bytes: one byte 0x80, then zeros.
///
/// It hides exact lengths.
enum SecretPadding {
    static let block = 32

    /// The padded size; there is always at least one byte of padding.
    static func paddedSize(_ count: Int) -> Int { (count / block + 1) * block }

    /// The bytes before the padding, or nil when there is no proper padding.
    static func content(of padded: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard padded.count > 0, padded.count % block == 0 else { return nil }
        var end = padded.count - 1
        while unsafe padded[end] == 0 {
            guard end > padded.count - block else { return nil }
            end -= 1
        }
        guard unsafe padded[end] == 0x80 else { return nil }
        return unsafe UnsafeRawBufferPointer(rebasing: padded[0..<end])
    }
}
