// SPDX-License-Identifier: Apache-2.0

package import KeychainCoding
package import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// The strings of one JSON object, by their names: the messages of the programs that call helpers have little else.
///
/// Read strictly: one object, each name once, UTF-8, no unpaired surrogates. Values of other kinds are checked for their syntax;
/// of objects and lists the text is kept, and the rest is skipped.
package struct JSONStrings: Sendable {

    private let members: [JSONMember]

    package init(_ said: SecretValue) throws(CodingError) {
        var reader = JSONReader(said)
        members = try reader.object()
    }

    /// The string of that name; nil without one, or for another kind of value.
    package subscript(name: String) -> SecretValue? {
        let wanted = SecretValue(text: name)
        guard case .string(let value)? = members.first(where: { $0.name.isEqualInConstantTime(to: wanted) })?.value
        else { return nil }
        return value
    }

    /// The text of the object or list of that name; nil without one, or for another kind of value.
    package func nested(_ name: String) -> SecretValue? {
        let wanted = SecretValue(text: name)
        guard case .nested(let text)? = members.first(where: { $0.name.isEqualInConstantTime(to: wanted) })?.value
        else { return nil }
        return text
    }

    /// The strings of the object of that name; nil without one.
    package func object(_ name: String) throws(CodingError) -> JSONStrings? {
        guard let text = nested(name) else { return nil }
        return try JSONStrings(text)
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
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
            escape("u00", emit)
            emit(Hexadecimal.digit(of: byte >> 4))
            emit(Hexadecimal.digit(of: byte))
        default:
            // What a terminal would act on, and the two line ends that JavaScript has in addition to JSON's.
            guard let (letter, count) = unsafe bytes.unseenLetter(at: index) else {
                emit(byte)
                break
            }
            for byte in letter.escapedForJSON.utf8 { emit(byte) }
            return count
        }
        return 1
    }

    private static func escape(_ letters: StaticString, _ emit: (UInt8) -> Void) {
        emit(backslash)
        for byte in letters.description.utf8 { emit(byte) }
    }

    private static let quote = UInt8(ascii: "\"" as Unicode.Scalar)
    private static let backslash = UInt8(ascii: "\\" as Unicode.Scalar)
}

/// A member of a JSON object.
struct JSONMember: Sendable {
    enum Value: Sendable {
        case string(SecretValue)
        /// An object or a list, as it was written.
        case nested(SecretValue)
        case other
    }

    let name: SecretValue
    let value: Value
}

/// The members of the outermost JSON object, in memory that is wiped.
struct JSONReader {
    private var cursor: JSONCursor<SecretValue>

    init(_ said: SecretValue) { cursor = JSONCursor(said) }

    mutating func object() throws(CodingError) -> [JSONMember] {
        var members: [JSONMember] = []
        cursor.skipSpace()
        try cursor.members { (cursor, place) throws(CodingError) in
            let name = try JSONReader.text(cursor.source, place)
            let value: JSONMember.Value
            switch cursor.peek {
            case UInt8(ascii: "\""): value = .string(try JSONReader.text(cursor.source, try cursor.string()))
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let start = cursor.position
                try cursor.passOver(depth: 1)
                value = .nested(JSONReader.part(cursor.source, start..<cursor.position))
            default:
                try cursor.passOver(depth: 1)
                value = .other
            }
            guard members.count < JSONReader.mostMembers else { throw .malformed }
            guard !members.contains(where: { $0.name.isEqualInConstantTime(to: name) }) else { throw .duplicateKey }
            members.append(JSONMember(name: name, value: value))
        }
        guard cursor.isAtEnd else { throw .malformed }
        return members
    }

    private static func part(_ said: SecretValue, _ place: Range<Int>) -> SecretValue {
        unsafe said.withUnsafeBytes { bytes in
            unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[place]))
        }
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
