// SPDX-License-Identifier: Apache-2.0

internal import KeychainSystem

/// A walk through JSON that keeps nothing of it: it says where texts and numbers stand, and goes past the rest.
///
/// Strict about the form; the content of a text is checked by its decoder (`JSONEscapes`).
package struct JSONCursor<Source: ByteSource> {
    package let source: Source
    package private(set) var position: Int

    package init(_ source: Source, at position: Int = 0) { (self.source, self.position) = (source, position) }

    package var peek: UInt8? { source[position] }

    /// Whether nothing but white space is left.
    package var isAtEnd: Bool {
        var rest = self
        rest.skipSpace()
        return rest.peek == nil
    }

    /// Lends the names of an object's members, where they stand, each with the cursor before its value; `take` goes past
    /// that.
    package mutating func members(
        _ take: (inout JSONCursor, Range<Int>) throws(CodingError) -> Void
    ) throws(CodingError) {
        try expect("{")
        skipSpace()
        if skip("}") { return }
        while true {
            skipSpace()
            let name = try string()
            skipSpace()
            try expect(":")
            skipSpace()
            try take(&self, name)
            skipSpace()
            if skip("}") { return }
            try expect(",")
        }
    }

    /// Lends the cursor before each element of an array; `take` goes past it.
    package mutating func elements(
        _ take: (inout JSONCursor) throws(CodingError) -> Void
    ) throws(CodingError) {
        try expect("[")
        skipSpace()
        if skip("]") { return }
        while true {
            skipSpace()
            try take(&self)
            skipSpace()
            if skip("]") { return }
            try expect(",")
        }
    }

    /// Goes past a value; `depth` is how deep it lies already.
    package mutating func passOver(depth: Int) throws(CodingError) {
        guard depth < mostDepth else { throw .depthExceeded }
        switch peek {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"):
            try members { (cursor, _) throws(CodingError) in try cursor.passOver(depth: depth + 1) }
        case UInt8(ascii: "["): try elements { (cursor) throws(CodingError) in try cursor.passOver(depth: depth + 1) }
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: _ = try number()
        }
    }

    /// Where a text stands, without its quotes.
    package mutating func string() throws(CodingError) -> Range<Int> {
        try expect("\"")
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\"") {
            // What ends a line ends no text, and is in none.
            guard byte >= 0x20 else { throw .malformed }
            // The next one counts for nothing by itself.
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard peek != nil else { throw .malformed }
        position += 1
        return start..<position - 1
    }

    /// Where a number stands.
    package mutating func number() throws(CodingError) -> Range<Int> {
        let start = position
        _ = skip("-")
        if !skip("0") { try digits() }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        return start..<position
    }

    package mutating func word(_ word: StaticString) throws(CodingError) {
        for byte in word.description.utf8 {
            guard peek == byte else { throw .malformed }
            position += 1
        }
    }

    /// Goes past a letter, if it is there.
    package mutating func skip(_ letter: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: letter) else { return false }
        position += 1
        return true
    }

    package mutating func expect(_ letter: Unicode.Scalar) throws(CodingError) {
        guard skip(letter) else { throw .malformed }
    }

    package mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func digits() throws(CodingError) {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw .malformed }
    }
}

/// What stands between the quotes of a JSON text.
package enum JSONEscapes {
    /// Emits the bytes that the text stands for; whether all of them together are UTF-8 is for the caller to see.
    package static func decode(
        _ source: some ByteSource, _ text: Range<Int>, _ emit: (UInt8) -> Void
    ) throws(CodingError) {
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

    private static func plain(_ letter: UInt8) throws(CodingError) -> UInt8 {
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
    ) throws(CodingError) -> UInt32 {
        guard index + 4 <= text.upperBound else { throw .malformed }
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = source[index], let digit = Hexadecimal.value(of: byte) else { throw .malformed }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}

/// Bytes that are looked at one by one, wherever they are; they may be secret.
package protocol ByteSource {
    /// nil where nothing is.
    subscript(index: Int) -> UInt8? { get }
}

private let mostDepth = 32
