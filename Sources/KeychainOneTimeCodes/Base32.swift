// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Bytes as letters and digits, eight for five bytes (RFC 4648), as people type seeds.
package enum Base32 {
    /// Decodes either case, with spaces and dashes between and padding behind, which people's seeds have or not; nil for
    /// anything else, for no bytes, and for a number of letters that no bytes have.
    // What is left over at the end is ignored whatever it is: sites give such seeds, and every program reads them so.
    package static func decode(_ text: UnsafeRawBufferPointer) -> SecretBytes? {
        var count = 0
        var isPadding = false
        for index in text.indices {
            let byte = unsafe text[index]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            case UInt8(ascii: "="): isPadding = true
            default:
                guard !isPadding, value(of: byte) != nil else { return nil }
                count += 1
            }
        }
        guard count > 0, ![1, 3, 6].contains(count % 8) else { return nil }
        return unsafe SecretBytes(count: count * 5 / 8) { output in
            var (held, bits, place): (UInt32, UInt32, Int) = (0, 0, 0)
            for index in text.indices {
                let byte = unsafe text[index]
                guard let value = value(of: byte) else { continue }
                held = (held << 5 | UInt32(value)) & 0xFFF
                bits += 5
                guard bits >= 8, place < output.count else { continue }
                bits -= 8
                unsafe output[place] = UInt8(truncatingIfNeeded: held >> bits)
                place += 1
            }
        }
    }

    /// Capital letters and digits, without padding.
    package static func encode(_ bytes: UnsafeRawBufferPointer) -> SecretValue {
        unsafe SecretValue(count: (bytes.count * 8 + 4) / 5) { output in
            var (held, bits, place): (UInt32, UInt32, Int) = (0, 0, 0)
            func put(_ value: UInt32) {
                unsafe output[place] = letter(of: UInt8(truncatingIfNeeded: value & 0x1F))
                place += 1
            }
            for index in bytes.indices {
                let byte = unsafe bytes[index]
                held = (held << 8 | UInt32(byte)) & 0xFFF
                bits += 8
                while bits >= 5 {
                    bits -= 5
                    put(held >> bits)
                }
            }
            if bits > 0 { put(held << (5 - bits)) }
        }
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): byte - UInt8(ascii: "2") + 26
        default: nil
        }
    }

    private static func letter(of value: UInt8) -> UInt8 {
        value < 26 ? UInt8(ascii: "A") + value : UInt8(ascii: "2") + value - 26
    }
}
