// SPDX-License-Identifier: Apache-2.0

/// A walk through JSON that keeps nothing of it: it says where texts and numbers stand, and goes past the rest.
///
/// Strict about the form; what is in a text is looked at by whoever decodes it (`JSONEscapes`).
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
        _ take: (inout JSONCursor, Range<Int>) throws(JSONFault) -> Void
    ) throws(JSONFault) {
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
        _ take: (inout JSONCursor) throws(JSONFault) -> Void
    ) throws(JSONFault) {
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
    package mutating func passOver(depth: Int) throws(JSONFault) {
        guard depth < mostDepth else { throw .tooDeep }
        switch peek {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"):
            try members { (cursor, _) throws(JSONFault) in try cursor.passOver(depth: depth + 1) }
        case UInt8(ascii: "["): try elements { (cursor) throws(JSONFault) in try cursor.passOver(depth: depth + 1) }
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: _ = try number()
        }
    }

    /// Where a text stands, without its quotes.
    package mutating func string() throws(JSONFault) -> Range<Int> {
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
    package mutating func number() throws(JSONFault) -> Range<Int> {
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

    package mutating func word(_ word: StaticString) throws(JSONFault) {
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

    package mutating func expect(_ letter: Unicode.Scalar) throws(JSONFault) {
        guard skip(letter) else { throw .malformed }
    }

    package mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func digits() throws(JSONFault) {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw .malformed }
    }
}

private let mostDepth = 32
