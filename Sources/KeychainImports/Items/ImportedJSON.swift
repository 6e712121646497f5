// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// A value of JSON in a source, of which texts are decoded when they are asked for.
internal struct ImportedJSON {
    internal indirect enum Value {
        case object([(name: String, value: ImportedJSON)])
        case list([ImportedJSON])
        /// Between its quotes.
        case text(Range<Int>)
        case number
        case boolean(Bool)
        case null
    }

    internal let value: Value
    /// Where it stands.
    internal let range: Range<Int>
    private let source: ImportedBytes

    /// The one value that the bytes are; nil for anything else, for a member that is there twice, and for a name that is no text.
    internal init?(_ source: ImportedBytes) {
        var cursor = JSONCursor(source)
        var left = ImportedJSON.mostValues
        cursor.skipSpace()
        guard let json = try? ImportedJSON(&cursor, source, depth: 0, &left), cursor.isAtEnd else { return nil }
        self = json
    }

    private init(
        _ cursor: inout JSONCursor<ImportedBytes>, _ source: ImportedBytes, depth: Int, _ left: inout Int
    ) throws(CodingError) {
        left -= 1
        guard depth < ImportedJSON.deepest, left > 0 else { throw .depthExceeded }
        let start = cursor.position
        self.source = source
        var rest = left
        switch cursor.peek {
        case ASCII.quote: value = .text(try cursor.string())
        case UInt8(ascii: "{"):
            var members: [(name: String, value: ImportedJSON)] = []
            var names: Set<String> = []
            try cursor.members { (cursor, name) throws(CodingError) in
                let name = try ExportMember.name(source, name)
                guard names.insert(name).inserted else { throw .duplicateKey }
                members.append((name, try ImportedJSON(&cursor, source, depth: depth + 1, &rest)))
            }
            value = .object(members)
        case ASCII.openBracket:
            var values: [ImportedJSON] = []
            try cursor.elements { (cursor) throws(CodingError) in
                values.append(try ImportedJSON(&cursor, source, depth: depth + 1, &rest))
            }
            value = .list(values)
        case UInt8(ascii: "t"):
            try cursor.word("true")
            value = .boolean(true)
        case UInt8(ascii: "f"):
            try cursor.word("false")
            value = .boolean(false)
        case UInt8(ascii: "n"):
            try cursor.word("null")
            value = .null
        default:
            _ = try cursor.number()
            value = .number
        }
        left = rest
        range = start..<cursor.position
    }

    internal subscript(name: String) -> ImportedJSON? {
        guard case .object(let members) = value, let found = members.first(where: { $0.name == name })?.value else {
            return nil
        }
        if case .null = found.value { return nil }
        return found
    }

    internal var members: [(name: String, value: ImportedJSON)] {
        if case .object(let members) = value { members } else { [] }
    }
    internal var elements: [ImportedJSON] { if case .list(let values) = value { values } else { [] } }
    internal var isNull: Bool { if case .null = value { true } else { false } }
    internal var boolean: Bool? { if case .boolean(let value) = value { value } else { nil } }

    /// The bytes of a text, which may be secret; nil for other values and for what is not UTF-8.
    internal var bytes: ImportedBytes? {
        guard case .text(let range) = value else { return nil }
        return ExportMember.bytes(source, range)
    }

    /// A text that is not secret; nil for other values, and for a text with a NUL or one too long.
    internal var text: String? { bytes?.text }

    internal var number: Int64? {
        guard case .number = value, let text = source.text(range) else { return nil }
        return Int64(text)
    }

    /// What it is, whatever it is: a text's bytes, else the JSON as it stands; nil for null and empty texts.
    internal var content: ImportedBytes? {
        switch value {
        case .null: nil
        case .text: bytes.flatMap { $0.count > 0 ? $0 : nil }
        case .object, .list, .number, .boolean: source.part(range)
        }
    }

    /// Whether it says anything: empty texts, lists and objects, null, false and 0 do not.
    internal var saysSomething: Bool {
        switch value {
        case .null: false
        case .boolean(let value): value
        case .text(let range): !range.isEmpty
        case .list(let values): values.contains { $0.saysSomething }
        case .object(let members): members.contains { $0.value.saysSomething }
        case .number: source.text(range) != "0"
        }
    }

    private static let deepest = 30
    private static let mostValues = 4_000_000
}
