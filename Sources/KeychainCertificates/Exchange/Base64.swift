// SPDX-License-Identifier: Apache-2.0

/// Base64 between memory and memory, so that a key can be written in it without a copy anywhere else.
internal enum Base64 {
    /// How many bytes `text` stands for; nil when it is no base64, or not the one way to write them.
    ///
    /// Spaces and line ends do not count.
    internal static func decodedCount(_ text: UnsafeRawBufferPointer) -> Int? {
        var digits = 0
        var padding = 0
        var last: UInt8 = 0
        for index in text.indices {
            let byte = unsafe text[index]
            if isSpace(byte) { continue }
            if byte == equals {
                padding += 1
            } else {
                guard padding == 0, let digit = value(byte) else { return nil }
                digits += 1
                last = digit
            }
        }
        switch (digits % 4, padding) {
        case (0, 0): return digits / 4 * 3
        // The bits that stand for nothing are zero.
        case (2, 2): return last & 0x0F == 0 ? digits / 4 * 3 + 1 : nil
        case (3, 1): return last & 0x03 == 0 ? digits / 4 * 3 + 2 : nil
        default: return nil
        }
    }

    /// Writes what `text` stands for; `output` has room for `decodedCount` bytes.
    internal static func decode(_ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        var bits: UInt32 = 0
        var count = 0
        var position = 0
        for index in text.indices {
            guard let digit = unsafe value(text[index]) else { continue }
            bits = bits << 6 | UInt32(digit)
            count += 6
            guard count >= 8, position < output.count else { continue }
            count -= 8
            unsafe output[position] = UInt8(truncatingIfNeeded: bits >> UInt32(count))
            position += 1
        }
    }

    /// How many bytes `count` bytes take, in lines of 64 that each end.
    internal static func encodedCount(_ count: Int) -> Int {
        let digits = (count + 2) / 3 * 4
        return digits + (digits + lineLength - 1) / lineLength
    }

    /// Writes `bytes` in lines of 64; `output` has room for `encodedCount` bytes.
    internal static func encode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        var position = 0
        var column = 0
        func put(_ byte: UInt8) {
            unsafe output[position] = byte
            position += 1
        }
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 { group = unsafe group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
            for digit in 0..<4 {
                put(digit <= count ? self.digit(UInt8(group >> (18 - 6 * UInt32(digit)) & 0x3F)) : equals)
            }
            column += 4
            if column == lineLength {
                put(lineFeed)
                column = 0
            }
        }
        if column > 0 { put(lineFeed) }
    }

    // Comparisons instead of a table, whose place in the cache would tell about a key.
    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: value + 0x41
        case 26..<52: value - 26 + 0x61
        case 52..<62: value - 52 + 0x30
        case 62: 0x2B
        default: 0x2F
        }
    }

    internal static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private static let equals: UInt8 = 0x3D
    private static let lineFeed: UInt8 = 0x0A
    private static let lineLength = 64
}
