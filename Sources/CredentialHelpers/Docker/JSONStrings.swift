// SPDX-License-Identifier: Apache-2.0

package import KeychainCoding
package import KeychainModel

/// The texts of one JSON object, by their names: all that docker says is made of.
///
/// Read strictly: an object alone, each name once, UTF-8, no half of a surrogate pair. What has another kind of value is
/// checked for its form and passed over.
package struct JSONStrings: Sendable {
    package typealias Fault = JSONFault

    private let members: [(name: SecretValue, value: SecretValue?)]

    package init(_ said: SecretValue) throws(Fault) {
        var reader = JSONReader(said)
        members = try reader.object()
    }

    /// The text of that name; nil where there is none, or something else.
    package subscript(name: String) -> SecretValue? {
        let wanted = SecretValue(text: name)
        return members.first { $0.name.isEqualInConstantTime(to: wanted) }?.value
    }

    package var count: Int { members.count }

    /// A text as JSON has it, quotes included, as docker's own helpers write it; nil where it is no UTF-8.
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

    /// Writes what begins at `index`; returns how many bytes of the text that was.
    private static func write(_ bytes: UnsafeRawBufferPointer, _ index: Int, _ emit: (UInt8) -> Void) -> Int {
        let byte = unsafe bytes[index]
        switch byte {
        case quote, backslash:
            emit(backslash)
            emit(byte)
        case 0x0A: escape("n", emit)
        case 0x0D: escape("r", emit)
        case 0x09: escape("t", emit)
        // Safe within HTML too.
        case 0..<0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
            escape("u00", emit)
            emit(digit(byte >> 4))
            emit(digit(byte & 15))
        // The two line ends that JavaScript has and JSON has not.
        case 0xE2 where unsafe isLineEnd(bytes, index):
            escape("u202", emit)
            unsafe emit(digit(bytes[index + 2] & 15))
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

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x61 + value - 10
    }

    private static let quote = UInt8(ascii: "\"" as Unicode.Scalar)
    private static let backslash = UInt8(ascii: "\\" as Unicode.Scalar)
}

/// Keeps the texts of the outermost object of JSON, in memory that is wiped.
struct JSONReader {
    private var cursor: JSONCursor<SecretValue>

    init(_ said: SecretValue) { cursor = JSONCursor(said) }

    /// The members of the object that all of it is; nil stands for a value that is no text.
    mutating func object() throws(JSONFault) -> [(name: SecretValue, value: SecretValue?)] {
        var members: [(name: SecretValue, value: SecretValue?)] = []
        cursor.skipSpace()
        try cursor.members { (cursor, place) throws(JSONFault) in
            let name = try JSONReader.text(cursor.source, place)
            var value: SecretValue?
            if cursor.peek == UInt8(ascii: "\"") {
                value = try JSONReader.text(cursor.source, try cursor.string())
            } else {
                try cursor.passOver(depth: 1)
            }
            guard members.count < JSONReader.mostMembers else { throw .malformed }
            guard !members.contains(where: { $0.name.isEqualInConstantTime(to: name) }) else { throw .twice }
            members.append((name, value))
        }
        guard cursor.isAtEnd else { throw .malformed }
        return members
    }

    private static func text(_ said: SecretValue, _ place: Range<Int>) throws(JSONFault) -> SecretValue {
        let value = try SecretValue.emitting { (emit) throws(JSONFault) in
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
