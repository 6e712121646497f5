// SPDX-License-Identifier: Apache-2.0

/// Bytes in hexadecimal digits.
///
/// Digits are computed without tables and branches, whose traces in the processor's caches would tell about a secret.
package enum Hexadecimal {
    /// Not for secrets, which stay in memory that is wiped.
    package static func digits(of bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digit(of: byte >> 4, uppercase: uppercase))
            text.append(digit(of: byte & 15, uppercase: uppercase))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes the digits of bytes; `output` has room for two for each.
    package static func encode(
        _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, uppercase: Bool = false
    ) {
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            unsafe output[2 * index] = digit(of: byte >> 4, uppercase: uppercase)
            unsafe output[2 * index + 1] = digit(of: byte & 15, uppercase: uppercase)
        }
    }

    /// The bytes that pairs of digits stand for, letters of either case; nil of any other text.
    ///
    /// Not for secrets, which stay in memory that is wiped.
    package static func bytes(of digits: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.utf8.count / 2)
        var high: UInt8?
        for digit in digits.utf8 {
            guard let value = value(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    /// Writes what pairs of digits stand for; false where something else stands among them.
    ///
    /// `output` has room for a byte of each pair.
    package static func decode(_ digits: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Bool {
        guard digits.count % 2 == 0, output.count >= digits.count / 2 else { return false }
        for index in 0..<digits.count / 2 {
            guard let high = unsafe value(of: digits[2 * index]), let low = unsafe value(of: digits[2 * index + 1])
            else { return false }
            unsafe output[index] = high << 4 | low
        }
        return true
    }

    /// What a digit stands for, from 0 to 15; nil for any other character.
    package static func value(of digit: UInt8) -> UInt8? {
        let character = Int32(digit)
        var value: Int32 = -1
        value += mask(character, from: 0x30, to: 0x39) & (character - 0x30 + 1)
        value += mask(character, from: 0x41, to: 0x46) & (character - 0x41 + 11)
        value += mask(character, from: 0x61, to: 0x66) & (character - 0x61 + 11)
        return value < 0 ? nil : UInt8(truncatingIfNeeded: value)
    }

    /// The digit for the lowest four bits of a byte.
    package static func digit(of value: UInt8, uppercase: Bool = false) -> UInt8 {
        let value = Int32(value & 15)
        let letters: Int32 = uppercase ? 0x41 : 0x61
        return UInt8(truncatingIfNeeded: value + 0x30 + mask(value, from: 10, to: 15) & (letters - 0x30 - 10))
    }
}

/// All bits when a byte's value lies between two others or is one of them, else no bit; in the same time either way.
internal func mask(_ value: Int32, from first: Int32, to last: Int32) -> Int32 {
    // Both differences are negative exactly then, and none is so large that bits above the eighth could say otherwise.
    ((first - 1 - value) & (value - last - 1)) >> 8
}
