// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

/// Bytes of a vector, and the primitives in terms of arrays.
internal struct PrimitiveBytes: Equatable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    internal var array: [UInt8]

    internal init(_ array: [UInt8]) {
        self.array = array
    }

    /// Hexadecimal digits; anything that is no digit is left out.
    internal init(stringLiteral hexadecimal: String) {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        precondition(digits.count % 2 == 0, "half a byte")
        array = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    internal static func ascii(_ text: String) -> PrimitiveBytes {
        PrimitiveBytes(Array(text.utf8))
    }

    internal static func repeating(_ byte: UInt8, _ count: Int) -> PrimitiveBytes {
        PrimitiveBytes([UInt8](repeating: byte, count: count))
    }

    internal var count: Int { array.count }

    internal var description: String {
        array.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// One copy for every byte, in which one bit of that byte is different.
    internal var withOneByteChanged: [PrimitiveBytes] {
        array.indices.map { index in
            var copy = self
            copy.array[index] ^= 1 << UInt8(index % 8)
            return copy
        }
    }

    internal func lend<Result>(
        _ body: (UnsafeRawBufferPointer) throws(CryptoError) -> Result
    ) throws(CryptoError) -> Result {
        try array.span.bytes.withUnsafeBytes(body)
    }

    /// What `body` writes into `count` bytes, which begin as anything but zero.
    internal static func filled(
        _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(CryptoError) -> Void
    ) throws(CryptoError) -> PrimitiveBytes {
        let (result, error) = attempt(count, body)
        if let error { throw error }
        return result
    }

    /// The same, with what was written when it failed.
    internal static func attempt(
        _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(CryptoError) -> Void
    ) -> (bytes: PrimitiveBytes, error: CryptoError?) {
        var array = [UInt8](repeating: 0xEE, count: count)
        var failure: CryptoError?
        var span = array.mutableSpan
        span.withUnsafeMutableBytes { output in
            do throws(CryptoError) { try body(output) } catch { failure = error }
        }
        return (PrimitiveBytes(array), failure)
    }
}
