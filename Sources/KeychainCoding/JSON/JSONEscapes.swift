// SPDX-License-Identifier: Apache-2.0

/// What stands between the quotes of a JSON text.
package enum JSONEscapes {
    /// Emits the bytes that the text stands for; whether all of them together are UTF-8 is for the caller to see.
    package static func decode(
        _ source: some ByteSource, _ text: Range<Int>, _ emit: (UInt8) -> Void
    ) throws(JSONFault) {
        var index = text.lowerBound
        while index < text.upperBound {
            guard let byte = source[index], byte >= 0x20 else { throw .malformed }
            guard byte == UInt8(ascii: "\\") else {
                emit(byte)
                index += 1
                continue
            }
            guard index + 1 < text.upperBound, let letter = source[index + 1] else { throw .malformed }
            index += 2
            guard letter == UInt8(ascii: "u") else {
                emit(try plain(letter))
                continue
            }
            var unit = try hexadecimal(source, text, &index)
            if (0xD800..<0xDC00).contains(unit) {
                guard index + 1 < text.upperBound, source[index] == UInt8(ascii: "\\"),
                    source[index + 1] == UInt8(ascii: "u")
                else { throw .malformed }
                index += 2
                let low = try hexadecimal(source, text, &index)
                guard (0xDC00..<0xE000).contains(low) else { throw .malformed }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(unit) else { throw .malformed }
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { emit(byte) }
        }
    }

    private static func plain(_ letter: UInt8) throws(JSONFault) -> UInt8 {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: throw .malformed
        }
    }

    private static func hexadecimal(
        _ source: some ByteSource, _ text: Range<Int>, _ index: inout Int
    ) throws(JSONFault) -> UInt32 {
        guard index + 4 <= text.upperBound else { throw .malformed }
        var value: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch source[index] {
            case .some(let byte) where (0x30...0x39).contains(byte): digit = byte - 0x30
            case .some(let byte) where (0x41...0x46).contains(byte): digit = byte - 0x41 + 10
            case .some(let byte) where (0x61...0x66).contains(byte): digit = byte - 0x61 + 10
            default: throw .malformed
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}
