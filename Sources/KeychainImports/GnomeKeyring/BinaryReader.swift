// SPDX-License-Identifier: Apache-2.0

/// The numbers and strings of a sealed keyring, one after the other.
internal struct BinaryReader {
    internal let bytes: ImportedBytes
    internal private(set) var position: Int

    internal init(_ bytes: ImportedBytes, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    internal mutating func skip(_ count: Int) throws(ImportError) { _ = try take(count) }

    internal mutating func take(_ count: Int) throws(ImportError) -> Range<Int> {
        guard count >= 0, count <= bytes.count - position else { throw .damaged }
        defer { position += count }
        return position..<position + count
    }

    internal mutating func byte() throws(ImportError) -> UInt8 {
        let range = try take(1)
        guard let byte = bytes[range.lowerBound] else { throw .damaged }
        return byte
    }

    /// Four bytes, the highest first.
    internal mutating func number() throws(ImportError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 { value = value << 8 | UInt32(try byte()) }
        return value
    }

    /// Bytes after their count; nil where the count says that there are none, not even zero.
    internal mutating func string() throws(ImportError) -> Range<Int>? {
        let count = try number()
        return count == .max ? nil : try take(Int(count))
    }
}
