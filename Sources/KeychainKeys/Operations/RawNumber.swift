// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// Inputs and outputs of RSA without padding.
///
/// Reversed means Apple's "CCUnit" form: the least significant byte first, in whole units of eight bytes.
internal enum RawNumber {
    /// The input as a number of exactly `size` bytes, most significant first; shorter ones get zeros in front.
    ///
    /// Throws `invalidLength` when it does not fit.
    internal static func padded(
        _ bytes: UnsafeRawBufferPointer, size: Int, isReversed: Bool
    ) throws(KeyError) -> SecretBytes {
        guard bytes.count <= (isReversed ? unitSize(size) : size) else { throw .invalidLength }
        let count = bytes.count
        return try unsafe SecretBytes(count: size) { (output) throws(KeyError) in
            for index in 0..<count {
                // Counted from the least significant end.
                let byte = unsafe isReversed ? bytes[index] : bytes[count - 1 - index]
                guard index < size else {
                    guard byte == 0 else { throw .invalidLength }
                    continue
                }
                unsafe output[size - 1 - index] = byte
            }
        }
    }

    internal static func reversed(_ bytes: [UInt8]) -> [UInt8] {
        bytes.reversed() + [UInt8](repeating: 0, count: unitSize(bytes.count) - bytes.count)
    }

    internal static func reversed(_ bytes: borrowing SecretBytes) -> SecretBytes {
        let size = bytes.count
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe SecretBytes(count: unitSize(size)) { output in
                for index in 0..<bytes.count { unsafe output[index] = bytes[bytes.count - 1 - index] }
            }
        }
    }

    /// `size` in whole units.
    internal static func unitSize(_ size: Int) -> Int { (size + 7) / 8 * 8 }
}
