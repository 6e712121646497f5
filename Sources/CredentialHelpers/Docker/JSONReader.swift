// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

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
