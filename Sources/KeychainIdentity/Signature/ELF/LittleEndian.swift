// SPDX-License-Identifier: Apache-2.0

/// Numbers in bytes, least significant first; the places are ours, not the file's.
internal enum LittleEndian {
    static func number<Number: FixedWidthInteger & UnsignedInteger>(_ bytes: [UInt8], at offset: Int) -> Number {
        var value: Number = 0
        for index in (0..<MemoryLayout<Number>.size).reversed() {
            value = value << 8 | Number(truncatingIfNeeded: bytes[offset + index])
        }
        return value
    }

    static func write<Number: FixedWidthInteger & UnsignedInteger>(
        _ value: Number, to bytes: inout [UInt8], at offset: Int
    ) {
        for index in 0..<MemoryLayout<Number>.size {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> Number(8 * index))
        }
    }
}
