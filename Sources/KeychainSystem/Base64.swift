// SPDX-License-Identifier: Apache-2.0

/// Bytes as text, four characters for three (RFC 4648), between memory and memory, so that a secret can be written in it
/// without another copy.
///
/// Characters are computed without tables and branches, whose traces in the processor's caches would tell about a secret.
package enum Base64 {
    /// How many characters `count` bytes take, padding included.
    package static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

    /// Writes bytes in one line; `output` has room for `encodedCount` characters.
    package static func encode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        var position = 0
        unsafe forEachCharacter(of: bytes) { character in
            unsafe output[position] = character
            position += 1
        }
    }

    /// How many characters `count` bytes take in lines of 64 that each end.
    package static func encodedCountInLines(_ count: Int) -> Int {
        let characters = encodedCount(count)
        return characters + (characters + lineLength - 1) / lineLength
    }

    /// Writes bytes in lines of 64 characters, as PEM has them; `output` has room for `encodedCountInLines`.
    package static func encodeInLines(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        var (position, column) = (0, 0)
        func put(_ byte: UInt8) {
            unsafe output[position] = byte
            position += 1
        }
        unsafe forEachCharacter(of: bytes) { character in
            put(character)
            column += 1
            guard column == lineLength else { return }
            put(lineFeed)
            column = 0
        }
        if column > 0 { put(lineFeed) }
    }

    /// Not for secrets, which stay in memory that is wiped.
    package static func text(of bytes: [UInt8], isPadded: Bool = true) -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity(encodedCount(bytes.count))
        unsafe bytes.withUnsafeBytes { bytes in unsafe forEachCharacter(of: bytes) { characters.append($0) } }
        if !isPadded { while characters.last == padding { characters.removeLast() } }
        return String(decoding: characters, as: UTF8.self)
    }

    private static func forEachCharacter(of bytes: UnsafeRawBufferPointer, _ put: (UInt8) -> Void) {
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 { group = unsafe group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
            for place in 0..<4 {
                let value = UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * place) & 0x3F)
                put(place <= count ? character(of: value) : padding)
            }
        }
    }

    /// What a reader takes besides the one way to write bytes.
    package struct Leniency: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Spaces, tabs and line ends anywhere.
        package static let space = Leniency(rawValue: 1)
        /// A last character with bits in it that belong to no byte.
        package static let strayBits = Leniency(rawValue: 2)
    }

    /// How many bytes `text` stands for; nil when it is not base64, padded, and with nothing that is not allowed.
    package static func decodedCount(_ text: UnsafeRawBufferPointer, allowing allowed: Leniency = []) -> Int? {
        var (characters, paddings, last): (Int, Int, Int32) = (0, 0, 0)
        for index in text.indices {
            let byte = unsafe text[index]
            if allowed.contains(.space), isSpace(byte) { continue }
            if byte == padding {
                paddings += 1
            } else {
                last = value(of: byte)
                guard paddings == 0, last >= 0 else { return nil }
                characters += 1
            }
        }
        let ignoresBits = allowed.contains(.strayBits)
        switch (characters % 4, paddings) {
        case (0, 0): return characters / 4 * 3
        case (2, 2): return ignoresBits || last & 0x0F == 0 ? characters / 4 * 3 + 1 : nil
        case (3, 1): return ignoresBits || last & 0x03 == 0 ? characters / 4 * 3 + 2 : nil
        default: return nil
        }
    }

    /// Writes what `text` stands for, of which `decodedCount` has said how many bytes that are; `output` has room for them.
    package static func decode(_ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        var (bits, count, position): (UInt32, UInt32, Int) = (0, 0, 0)
        for index in text.indices {
            let value = unsafe value(of: text[index])
            guard value >= 0 else { continue }
            bits = bits << 6 | UInt32(truncatingIfNeeded: value)
            count += 6
            guard count >= 8, position < output.count else { continue }
            count -= 8
            unsafe output[position] = UInt8(truncatingIfNeeded: bits >> count)
            position += 1
        }
    }

    /// The bytes that a text stands for, which is no secret; nil when `decodedCount` is.
    package static func bytes(of text: String, allowing allowed: Leniency = []) -> [UInt8]? {
        unsafe Array(text.utf8).withUnsafeBytes { text -> [UInt8]? in
            guard let count = unsafe decodedCount(text, allowing: allowed) else { return nil }
            var bytes = [UInt8](repeating: 0, count: count)
            unsafe bytes.withUnsafeMutableBytes { unsafe decode(text, into: $0) }
            return bytes
        }
    }

    package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// From 0 to 63; negative for a character outside of the alphabet.
    private static func value(of character: UInt8) -> Int32 {
        let letter = Int32(character)
        var value: Int32 = -1
        value += mask(letter, from: 0x41, to: 0x5A) & (letter - 0x41 + 1)
        value += mask(letter, from: 0x61, to: 0x7A) & (letter - 0x61 + 27)
        value += mask(letter, from: 0x30, to: 0x39) & (letter - 0x30 + 53)
        value += mask(letter, from: 0x2B, to: 0x2B) & 63
        value += mask(letter, from: 0x2F, to: 0x2F) & 64
        return value
    }

    private static func character(of value: UInt8) -> UInt8 {
        let value = Int32(value)
        var letter = mask(value, from: 0, to: 25) & (value + 0x41)
        letter |= mask(value, from: 26, to: 51) & (value - 26 + 0x61)
        letter |= mask(value, from: 52, to: 61) & (value - 52 + 0x30)
        letter |= mask(value, from: 62, to: 62) & 0x2B
        letter |= mask(value, from: 63, to: 63) & 0x2F
        return UInt8(truncatingIfNeeded: letter)
    }

    private static let padding: UInt8 = 0x3D
    private static let lineFeed: UInt8 = 0x0A
    private static let lineLength = 64
}
