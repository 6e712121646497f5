// SPDX-License-Identifier: Apache-2.0

package import KeychainCoding
package import KeychainModel
internal import KeychainSystem

/// The strings of one JSON object, by their names: docker's messages have nothing else.
///
/// Read strictly: one object, each name once, UTF-8, no unpaired surrogates. Values of other kinds are checked for their syntax
/// and skipped.
package struct JSONStrings: Sendable {

    private let members: [(name: SecretValue, value: SecretValue?)]

    package init(_ said: SecretValue) throws(CodingError) {
        var reader = JSONReader(said)
        members = try reader.object()
    }

    /// The string of that name; nil without one, or for another kind of value.
    package subscript(name: String) -> SecretValue? {
        let wanted = SecretValue(text: name)
        return members.first { $0.name.isEqualInConstantTime(to: wanted) }?.value
    }

    package var count: Int { members.count }

    /// A JSON string with quotes, escaped as docker's own helpers do; nil if it is not UTF-8.
    package static func quoted(_ text: SecretValue) -> SecretValue? {
        guard text.isText else { return nil }
        return unsafe text.withUnsafeBytes { bytes in
            SecretValue.emitting { emit in
                emit(quote)
                var index = 0
                while index < bytes.count {
                    index += unsafe write(bytes, index, emit)
                }
                emit(quote)
            }
        }
    }

    /// Writes the character at `index`; returns its length in bytes.
    private static func write(_ bytes: UnsafeRawBufferPointer, _ index: Int, _ emit: (UInt8) -> Void) -> Int {
        let byte = unsafe bytes[index]
        switch byte {
        case quote, backslash:
            emit(backslash)
            emit(byte)
        case 0x0A: escape("n", emit)
        case 0x0D: escape("r", emit)
        case 0x09: escape("t", emit)
        // Also safe within HTML.
        case 0..<0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
            escape("u00", emit)
            emit(Hexadecimal.digit(of: byte >> 4))
            emit(Hexadecimal.digit(of: byte))
        // The two line ends that JavaScript has in addition to JSON's.
        case 0xE2 where unsafe isLineEnd(bytes, index):
            escape("u202", emit)
            unsafe emit(Hexadecimal.digit(of: bytes[index + 2]))
            return 3
        default: emit(byte)
        }
        return 1
    }

    /// U+2028 or U+2029.
    private static func isLineEnd(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        guard index + 2 < bytes.count else { return false }
        return unsafe bytes[index + 1] == 0x80 && bytes[index + 2] & 0xFE == 0xA8
    }

    private static func escape(_ letters: StaticString, _ emit: (UInt8) -> Void) {
        emit(backslash)
        for byte in letters.description.utf8 { emit(byte) }
    }

    private static let quote = UInt8(ascii: "\"" as Unicode.Scalar)
    private static let backslash = UInt8(ascii: "\\" as Unicode.Scalar)
}

/// The strings of the outermost JSON object, in memory that is wiped.
struct JSONReader {
    private var cursor: JSONCursor<SecretValue>

    init(_ said: SecretValue) { cursor = JSONCursor(said) }

    /// The members of the object; nil stands for a value that is not a string.
    mutating func object() throws(CodingError) -> [(name: SecretValue, value: SecretValue?)] {
        var members: [(name: SecretValue, value: SecretValue?)] = []
        cursor.skipSpace()
        try cursor.members { (cursor, place) throws(CodingError) in
            let name = try JSONReader.text(cursor.source, place)
            var value: SecretValue?
            if cursor.peek == UInt8(ascii: "\"") {
                value = try JSONReader.text(cursor.source, try cursor.string())
            } else {
                try cursor.passOver(depth: 1)
            }
            guard members.count < JSONReader.mostMembers else { throw .malformed }
            guard !members.contains(where: { $0.name.isEqualInConstantTime(to: name) }) else { throw .duplicateKey }
            members.append((name, value))
        }
        guard cursor.isAtEnd else { throw .malformed }
        return members
    }

    private static func text(_ said: SecretValue, _ place: Range<Int>) throws(CodingError) -> SecretValue {
        let value = try SecretValue.emitting { (emit) throws(CodingError) in
            try JSONEscapes.decode(said, place, emit)
        }
        guard value.isText else { throw .malformed }
        return value
    }

    private static let mostMembers = 64
}

extension SecretValue: ByteSource {
    package subscript(index: Int) -> UInt8? { byte(at: index) }
}
