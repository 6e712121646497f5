// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

/// The two ways to write an ECDSA signature: DER (X9.62), and both numbers at full size (RFC 4754).
internal enum ECDSASignature {
    /// Both numbers, each `size` bytes; throws `malformed` when a number is larger, or the DER is none.
    internal static func fixed(_ signature: [UInt8], size: Int) throws(KeyError) -> [UInt8] {
        try unsafe signature.lendingBytes { (bytes) throws(KeyError) in
            var reader = unsafe DERNumberReader(unsafeBytes: bytes)
            try reader.enterSequence()
            let r = try reader.number()
            let s = try reader.number()
            guard reader.isAtEnd, r.count <= size, s.count <= size else { throw .malformed }
            return unsafe [UInt8](repeating: 0, count: size - r.count) + bytes[r]
                + [UInt8](repeating: 0, count: size - s.count) + bytes[s]
        }
    }

    /// The DER of both numbers, each `size` bytes; nil when they take another number of bytes.
    internal static func sequence(_ signature: UnsafeRawBufferPointer, size: Int) -> [UInt8]? {
        guard signature.count == 2 * size else { return nil }
        let content = unsafe number(signature.prefix(size)) + number(signature.suffix(size))
        return [0x30] + length(content.count) + content
    }

    private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        // A number of zero keeps one of its digits.
        let digits = unsafe Array(bytes.dropLast().drop { $0 == 0 }) + bytes.suffix(1)
        // One that began with a set bit would be negative.
        let sign: [UInt8] = digits[0] < 0x80 ? [] : [0]
        return [0x02] + length(sign.count + digits.count) + sign + digits
    }

    // Two numbers of P-521 are 138 bytes; nothing here is longer than 255.
    private static func length(_ count: Int) -> [UInt8] {
        count < 0x80 ? [UInt8(count)] : [0x81, UInt8(truncatingIfNeeded: count)]
    }
}
